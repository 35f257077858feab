/** Getting at a corpus's bytes through the backend under test. @module */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IoBackend } from "@b2frame/core";
import type { BackendName } from "./arguments.js";
import type { Entry } from "./manifest.js";

/** Where an object can be opened. */
export interface ObjectPlace {
  readonly path: string;
  readonly offset: number;
}

/** The files of a corpus as one backend sees them; the memory backend gets copies. */
export class CorpusFiles {
  readonly #directory: string;
  readonly #backend: IoBackend;
  readonly #backendName: BackendName;
  readonly #scratch: string;
  readonly #placed = new Set<string>();

  constructor(directory: string, backendName: BackendName, backend: IoBackend) {
    this.#directory = directory;
    this.#backendName = backendName;
    this.#backend = backend;
    this.#scratch = mkdtempSync(join(tmpdir(), "b2frame-conformance-"));
  }

  /** Whether entries that are directories (sparse frames) can be reached. */
  get hasDirectories(): boolean {
    return this.#backendName !== "memory";
  }

  /** A path under which the backend opens the entry's file. */
  pathOf(entry: Entry): string {
    const path = join(this.#directory, this.#fileOf(entry));
    if (this.#backendName === "memory" && !this.#placed.has(path)) {
      this.#write(path, readFileSync(path));
      this.#placed.add(path);
    }
    return path;
  }

  /** The entry's own bytes, read through the backend. */
  bytesOf(entry: Entry): Uint8Array {
    const handle = this.#backend.open(this.pathOf(entry), "r");
    try {
      return handle.read(entry.offset ?? 0, entry.length ?? handle.size()).slice();
    } finally {
      handle.close();
    }
  }

  /** Where to open the entry: in its file, or in a file of its own if it must be cut out first. */
  placeOf(entry: Entry): ObjectPlace {
    if (!entry.extract) return { path: this.pathOf(entry), offset: entry.offset ?? 0 };
    const path = join(this.#scratch, "object");
    this.#write(path, this.bytesOf(entry));
    return { path, offset: 0 };
  }

  /** Removes what was cut out. */
  dispose(): void {
    rmSync(this.#scratch, { recursive: true });
  }

  #fileOf(entry: Entry): string {
    if (entry.file === null) throw new Error(`${entry.id} has no file`);
    return entry.file;
  }

  /** The memory backend's files are written through it; the others' past it, by the operating system. */
  #write(path: string, bytes: Uint8Array): void {
    if (this.#backendName !== "memory") {
      writeFileSync(path, bytes);
      return;
    }
    const handle = this.#backend.open(path, "w+");
    handle.write(0, bytes);
    handle.close();
  }
}
