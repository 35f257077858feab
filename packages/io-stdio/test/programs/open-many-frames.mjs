// Opens all frames of a directory under a limit on open files, and reads each twice.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openUdio } from "@b2frame/core";
import { handleBudgetState, stdio } from "@b2frame/io-stdio";
import { descriptorsOn } from "./descriptors-on.mjs";

const [directory, limitOnOpenFiles] = process.argv.slice(2);
execFileSync("prlimit", [`--pid=${process.pid}`, `--nofile=${limitOnOpenFiles}:${limitOnOpenFiles}`]);
const paths = readdirSync(directory).map((name) => join(directory, name));
const frames = paths.map((path) => openUdio(path, stdio()));
let right = 0;
for (let round = 0; round < 2; round++) {
  for (const [i, frame] of frames.entries()) {
    const expected = Number(paths[i].split("-").at(-1));
    const chunk = frame.decompressChunk(round);
    if (new Int32Array(chunk.buffer, chunk.byteOffset, 250).every((item) => item === expected)) right++;
  }
}
for (const frame of frames) frame.close();
const { held, limit, peak } = handleBudgetState();
const left = descriptorsOn(directory);
process.stdout.write(JSON.stringify({ right, held, limit, peak, left }));
