/** Whole reads and writes on a descriptor, in pieces that the system takes. @module */
import type { FileSystemCalls } from "./system-calls.js";

/** More than one system call takes at once: Node hands lengths on as 32-bit integers. */
const MAX_TRANSFER = 2 ** 30;

/** Reads until `target` is full or the file ends; gives the number of bytes read. */
export function readFully(calls: FileSystemCalls, fd: number, position: number, target: Uint8Array): number {
  const length = target.byteLength;
  let done = 0;
  while (done < length) {
    const got = calls.readSync(fd, target, done, Math.min(length - done, MAX_TRANSFER), position + done);
    if (got === 0) break;
    done += got;
  }
  return done;
}

/** Writes all of `bytes`. @throws what the system says, and an error if it takes no more without saying why */
export function writeFully(calls: FileSystemCalls, fd: number, position: number, bytes: Uint8Array): void {
  const length = bytes.byteLength;
  let done = 0;
  while (done < length) {
    const put = calls.writeSync(fd, bytes, done, Math.min(length - done, MAX_TRANSFER), position + done);
    if (put === 0) throw new Error(`the system took ${done} of ${length} bytes and then no more`);
    done += put;
  }
}
