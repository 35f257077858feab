/** Telling whether the file under a name is still the one that was opened. @module */
import { IoError } from "@b2frame/core";
import { onPath } from "./names.js";
import type { FileSystemCalls } from "./system-calls.js";

/**
 * A file, whatever its name. The time of birth is part of it: where files replace each other by renaming, a file system soon
 * uses an inode number again.
 */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly birth: bigint;
}

/** What `fstat` says about an open file. */
export interface FileStatus {
  readonly identity: FileIdentity;
  readonly size: number;
  readonly isDirectory: boolean;
}

export function statusOf(calls: FileSystemCalls, fd: number): FileStatus {
  const stat = calls.fstatSync(fd, { bigint: true });
  return {
    identity: { device: stat.dev, inode: stat.ino, birth: stat.birthtimeNs },
    size: Number(stat.size),
    isDirectory: stat.isDirectory(),
  };
}

export function sameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode && a.birth === b.birth;
}

/** The error for a file that changed under its handle. */
export function staleFile(operation: string, path: string, what: string, cause?: unknown): IoError {
  return new IoError("BLOSC2_IO_STALE", `${path}: ${operation}: ${what}`, { operation, path }, cause);
}

/** An identity as text, as the I/O contract has it. */
export function identityText({ device, inode, birth }: FileIdentity): string {
  return `${device}:${inode}:${birth}`;
}

/** The identity of the file or directory that a path leads to; `undefined`: it leads nowhere. @throws IoError */
export function identityAt(calls: FileSystemCalls, path: string): string | undefined {
  return onPath("look up", path, () => {
    try {
      const stat = calls.statSync(path, { bigint: true, throwIfNoEntry: false });
      return stat && identityText({ device: stat.dev, inode: stat.ino, birth: stat.birthtimeNs });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
      throw error;
    }
  });
}
