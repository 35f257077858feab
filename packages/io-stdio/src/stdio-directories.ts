/** Directories on the file system, for sparse frames. @module */
import { dirname } from "node:path";
import { type IoDirectories, ioFailure, type NameChange } from "@b2frame/core";
import { type FileSystemCalls, syncDirectory } from "./file-system-calls.js";

/** Runs a call on a path; what it throws becomes one of our errors. */
export function onPath<T>(operation: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw ioFailure(error, { operation, path });
  }
}

export class StdioDirectories implements IoDirectories {
  readonly #calls: FileSystemCalls;

  constructor(calls: FileSystemCalls) {
    this.#calls = calls;
  }

  make(path: string, change?: NameChange): void {
    onPath("make directory", path, () => {
      this.#calls.mkdirSync(path);
      if (change?.durable !== false) syncDirectory(this.#calls, dirname(path));
    });
  }

  list(path: string): string[] {
    return onPath("list directory", path, () => this.#calls.readdirSync(path));
  }

  isDirectory(path: string): boolean {
    return onPath("look up", path, () => this.#calls.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
  }

  remove(path: string): void {
    onPath("remove directory", path, () => this.#calls.rmdirSync(path));
  }

  flush(path: string): void {
    onPath("flush directory", path, () => syncDirectory(this.#calls, path));
  }
}
