/**
 * `append-locked PATH IO COUNT FIRST`: a process that appends chunks to a frame, each in a commit of its own, while others do, too. Says
 * when it has it open, and begins when standard input ends.
 *
 * @module
 */
import { openUdio } from "@b2frame/core";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { applyToFrame, piece } from "./locked-step.js";

const [path = "", io, count, first] = process.argv.slice(2);
const schunk = openUdio(path, io === "mmap" ? mmap() : stdio(), { mode: "r+", locking: { wait: "forever" } });
process.stdout.write("open\n");
process.stdin.resume().once("end", () => {
  for (let i = 0; i < Number(count); i++) {
    applyToFrame(schunk, { op: "append", data: piece(Number(first) + i, true) });
  }
  schunk.close();
});
