/** Inputs as real files. @module */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Input } from "../input.js";

/** A directory of its own that holds one input at a time; only what differs from the last one is written. */
export class FilesOnDisk {
  readonly path: string = mkdtempSync(join(tmpdir(), "b2frame-fuzz-"));
  readonly #present = new Map<string, Uint8Array>();

  constructor() {
    process.once("exit", () => rmSync(this.path, { recursive: true, force: true }));
  }

  /** Puts the files of `input` there, and removes all others. */
  put(input: Input): void {
    const wanted = new Set(input.files.map(({ name }) => name));
    for (const name of this.#present.keys()) {
      if (wanted.has(name)) continue;
      rmSync(join(this.path, name));
      this.#present.delete(name);
    }
    for (const { name, bytes } of input.files) {
      const present = this.#present.get(name);
      if (present !== undefined && Buffer.compare(present, bytes) === 0) continue;
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), bytes);
      this.#present.set(name, bytes);
    }
  }
}
