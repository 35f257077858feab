/** Whole reads and writes on a descriptor, in pieces that `node:fs` takes. @module */
import { readSync, writeSync } from "node:fs";

/** `node:fs` refuses lengths from 2^31 on. */
const LONGEST_PIECE = 2 ** 30;

/** Fills `target` from `position` on. Returns how many bytes there were: fewer than asked for at the end of the file. */
export function readFully(descriptor: number, target: Uint8Array, position: number): number {
  let done = 0;
  while (done < target.byteLength) {
    const piece = Math.min(LONGEST_PIECE, target.byteLength - done);
    const count = readSync(descriptor, target, done, piece, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** Writes all of `bytes` at `position`. */
export function writeFully(descriptor: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.byteLength) {
    const piece = Math.min(LONGEST_PIECE, bytes.byteLength - done);
    done += writeSync(descriptor, bytes, done, piece, position + done);
  }
}
