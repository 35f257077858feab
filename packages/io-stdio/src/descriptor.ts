/** A file's descriptor: held within the budget, opened for each operation past it. @module */
import { dirname } from "node:path";
import { IoError, type OpenMode } from "@b2frame/core";
import {
  type FileIdentity,
  type FileSystemCalls,
  flushInBackground,
  openNewFile,
  RenameFollowers,
  roomMakers,
  sameFile,
  staleFile,
  statusOf,
  syncDirectory,
  withRoom,
} from "@b2frame/io-files";
import type { HandleBudget } from "./handle-budget.js";

/** Which file, and how it is opened. */
export interface FilePlace {
  readonly path: string;
  readonly mode: OpenMode;
  /** It is made, and nothing may be there. */
  readonly isNew?: boolean;
  /** A new file gets the rights of that one. */
  readonly like?: string | undefined;
}

/** This thread's open new files, which get their final name when they are whole. */
export const newFiles: RenameFollowers = new RenameFollowers();

/** One open file. Every operation asks for the descriptor with `acquire` and hands it back with `release`. */
export class Descriptor {
  /** Changes when a new file gets its final name. */
  path: string;
  readonly identity: FileIdentity;
  /** The file's size when it was opened. */
  readonly initialSize: number;
  readonly #calls: FileSystemCalls;
  readonly #budget: HandleBudget;
  readonly #mode: OpenMode;
  #held: number | undefined;

  constructor(calls: FileSystemCalls, budget: HandleBudget, place: FilePlace) {
    const { path, mode, isNew = false, like } = place;
    const fd = withRoom("open", path, () => (isNew ? openNewFile(calls, path, like) : calls.openSync(path, mode)));
    this.#calls = calls;
    this.#budget = budget;
    this.#mode = mode;
    this.path = path;
    let held = false;
    try {
      const status = statusOf(calls, fd);
      if (status.isDirectory) {
        throw new IoError("BLOSC2_IO_FAILED", `${path}: open failed: it is a directory`, {
          operation: "open",
          path,
          errno: "EISDIR",
        });
      }
      this.identity = status.identity;
      this.initialSize = status.size;
      held = budget.tryAcquire();
    } finally {
      if (!held) calls.closeSync(fd);
    }
    if (held) {
      this.#held = fd;
      if (mode === "r") roomMakers.add(this);
    }
    if (isNew) newFiles.expect(this);
  }

  /** A descriptor to work with until `release`. Throws `BLOSC2_IO_STALE` if the name leads to another file by now. */
  acquire(operation: string): number {
    return this.#held ?? this.#reopen(operation);
  }

  release(fd: number): void {
    if (fd !== this.#held) this.#calls.closeSync(fd);
  }

  close(): void {
    newFiles.forget(this);
    this.giveUp();
  }

  /** Releases a held descriptor; from then on the file is opened for each operation. */
  giveUp(): void {
    const fd = this.#held;
    if (fd === undefined) return;
    this.#held = undefined;
    roomMakers.delete(this);
    this.#budget.release();
    this.#calls.closeSync(fd);
  }

  /** Starts to make the file durable, through another descriptor that counts as held, if there is room for one. */
  syncInBackground(): void {
    const calls = this.#calls;
    const sync = calls.fdatasync;
    if (sync === undefined || this.#held === undefined || !this.#budget.tryAcquire()) return;
    const started = flushInBackground({
      open: () => calls.openSync(this.path, "r+"),
      sync,
      close: (fd) => {
        this.#budget.release();
        calls.closeSync(fd);
      },
    });
    if (!started) this.#budget.release();
  }

  /** Makes the file's own name durable. */
  syncParent(): void {
    syncDirectory(this.#calls, dirname(this.path));
  }

  #reopen(operation: string): number {
    let fd: number;
    try {
      fd = withRoom(operation, this.path, () => this.#calls.openSync(this.path, this.#mode === "r" ? "r" : "r+"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      throw staleFile(operation, this.path, "the file was removed while it was open", error);
    }
    let same = false;
    try {
      same = sameFile(statusOf(this.#calls, fd).identity, this.identity);
    } finally {
      if (!same) this.#calls.closeSync(fd);
    }
    if (!same) throw staleFile(operation, this.path, "the file was replaced by another while it was open");
    return fd;
  }
}
