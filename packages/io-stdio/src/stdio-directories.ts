/** Directories on the file system, for sparse frames. @module */
import { dirname } from "node:path";
import type { EntryKind, IoDirectories, NameChange } from "@b2frame/core/backend";
import { directoryExists, entryKind, type FileSystemCalls, onPath, syncDirectory, withRoom } from "@b2frame/io-files";

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
    return onPath("list directory", path, () => withRoom("list directory", path, () => this.#calls.readdirSync(path)));
  }

  isDirectory(path: string): boolean {
    return directoryExists(this.#calls, path);
  }

  remove(path: string): void {
    onPath("remove directory", path, () => this.#calls.rmdirSync(path));
  }

  flush(path: string): void {
    onPath("flush directory", path, () => syncDirectory(this.#calls, path));
  }

  entryKind(path: string): EntryKind | undefined {
    return entryKind(this.#calls, path);
  }
}
