/** The system calls that the backend makes, in one place. @module */
import * as fs from "node:fs";

/**
 * The functions of `node:fs` that the backend uses. Give your own in `stdio({ fs })` to count or fail system calls in tests,
 * or to run on a file system that offers the same functions. Without `fdatasync` the disk is not told before a flush what there is
 * to do.
 */
export type FileSystemCalls = Pick<
  typeof fs,
  | "openSync"
  | "closeSync"
  | "readSync"
  | "writeSync"
  | "ftruncateSync"
  | "fdatasyncSync"
  | "fsyncSync"
  | "fstatSync"
  | "statSync"
  | "unlinkSync"
  | "renameSync"
  | "mkdirSync"
  | "readdirSync"
  | "rmdirSync"
> &
  Partial<Pick<typeof fs, "fdatasync">>;

/** Node's own. */
export const NODE_FILE_SYSTEM: FileSystemCalls = fs;

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

/** Writes all of `bytes`. */
export function writeFully(calls: FileSystemCalls, fd: number, position: number, bytes: Uint8Array): void {
  const length = bytes.byteLength;
  let done = 0;
  while (done < length) {
    const put = calls.writeSync(fd, bytes, done, Math.min(length - done, MAX_TRANSFER), position + done);
    if (put === 0) throw new Error(`the system took ${done} of ${length} bytes and then no more`);
    done += put;
  }
}

/** File systems that can't make a directory durable answer with these; there is nothing more to do then. */
const NO_DIRECTORY_SYNC: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP"]);

/** Makes the entries of a directory durable, on systems that can. */
export function syncDirectory(calls: FileSystemCalls, path: string): void {
  if (process.platform === "win32") {
    calls.statSync(path); // Directories can't be opened there, so only a missing one is reported.
    return;
  }
  const fd = calls.openSync(path, "r");
  try {
    calls.fsyncSync(fd);
  } catch (error) {
    if (!NO_DIRECTORY_SYNC.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    calls.closeSync(fd);
  }
}
