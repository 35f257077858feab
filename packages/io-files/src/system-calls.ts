/** The system calls that backends for files make, in one place. @module */
import * as fs from "node:fs";

/**
 * The functions of `node:fs` that backends use. Give your own in `stdio({ fs })` to count or fail system calls in tests,
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
  | "fchmodSync"
  | "fchownSync"
  | "statSync"
  | "lstatSync"
  | "readlinkSync"
  | "unlinkSync"
  | "renameSync"
  | "mkdirSync"
  | "readdirSync"
  | "rmdirSync"
> &
  Partial<Pick<typeof fs, "fdatasync">>;

/** Node's own. */
export const NODE_FILE_SYSTEM: FileSystemCalls = fs;
