/** Opens files and drops them without closing. Prints how many descriptors that leaves, and the warnings that came. */
import { writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { stdio } from "@b2frame/io-stdio";
import { descriptorsOn } from "./descriptors-on.mjs";

const [folder, count] = process.argv.slice(2);
const warned = [];
process.on("warning", (warning) => warned.push(warning.code));
const backend = stdio();

function openSome() {
  for (let i = 0; i < Number(count); i++) {
    const path = `${folder}/dropped-${i}`;
    writeFileSync(path, "content");
    backend.open(path, i % 2 === 0 ? "r" : "r+").size();
  }
}

openSome();
const kept = backend.open(`${folder}/dropped-0`, "r");
for (let tries = 0; tries < 50 && warned.length < Number(count); tries++) {
  globalThis.gc();
  await wait(20);
}
const left = descriptorsOn(folder);
process.stdout.write(JSON.stringify({ left, warned: warned.length, codes: [...new Set(warned)], kept: kept.size() }));
kept.close();
