/** Opens files and drops them without closing. Prints how many descriptors that leaves, and the warnings that came. */
import { readdirSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { stdio } from "@b2frame/io-stdio";

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

const before = readdirSync("/proc/self/fd").length;
openSome();
const kept = backend.open(`${folder}/dropped-0`, "r");
for (let tries = 0; tries < 50 && warned.length < Number(count); tries++) {
  globalThis.gc();
  await wait(20);
}
const after = readdirSync("/proc/self/fd").length;
process.stdout.write(
  JSON.stringify({ left: after - before, warned: warned.length, codes: [...new Set(warned)], kept: kept.size() }),
);
kept.close();
