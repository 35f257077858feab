// Opens all files of a directory, reads each twice, then writes to each; under a limit on open files if one is given. The
// limit is set after the imports, since Node reads all modules of a program at once.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { handleBudgetState, stdio } from "@b2frame/io-stdio";
import { descriptorsOn } from "./descriptors-on.mjs";

const [directory, limitOnOpenFiles] = process.argv.slice(2);
if (limitOnOpenFiles !== undefined) {
  execFileSync("prlimit", [`--pid=${process.pid}`, `--nofile=${limitOnOpenFiles}:${limitOnOpenFiles}`]);
}
const paths = readdirSync(directory).map((name) => join(directory, name));
const backend = stdio();
const handles = paths.map((path) => backend.open(path, "r+"));
let most = descriptorsOn(directory);
let right = 0;
for (let round = 0; round < 2; round++) {
  for (const [i, handle] of handles.entries()) {
    const expected = Number(paths[i].split("-").at(-1)) & 0xff;
    if (handle.read(5000 * round, 5000).every((byte) => byte === expected)) right++;
    most = Math.max(most, descriptorsOn(directory));
  }
}
for (const handle of handles) handle.write(0, Uint8Array.of(255));
for (const handle of handles) handle.close();
const written = paths.filter((path) => {
  const handle = backend.open(path, "r");
  const byte = handle.read(0, 1)[0];
  handle.close();
  return byte === 255;
}).length;
const { held, limit, peak } = handleBudgetState();
const left = descriptorsOn(directory);
process.stdout.write(JSON.stringify({ right, written, held, limit, peak, most, left }));
