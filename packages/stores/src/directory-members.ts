/** The files of a `.b2d` directory. @module */
import {
  FormatError,
  type IoBackend,
  type IoDirectories,
  SChunk,
  type SChunkOpenOptions,
  UnsupportedError,
} from "@b2frame/core";
import { EMBED_NAME, type FramePlace, type MemberFiles, TEMPORARY_SUFFIX } from "./member-files.js";

/** Deeper directories than any system's paths allow: a loop of links. */
const MAX_DEPTH = 128;
/** More than a store can sensibly have: links can make a few directories look like any number. */
const MAX_FILES = 1 << 20;
const MAX_DIRECTORIES = 1 << 15;

/** The backend's directories. @throws UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` */
export function requireDirectories(path: string, backend: IoBackend): IoDirectories {
  if (backend.directories !== undefined) return backend.directories;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED_BACKEND",
    `${path}: a .b2d store is a directory, and the ${backend.name} backend keeps none; the stdio backend does`,
    { feature: "directories", backend: backend.name, path },
  );
}

/** Frames in files of a directory, and of those in it. Each change is made at once. */
export class DirectoryMembers implements MemberFiles {
  readonly #path: string;
  readonly #backend: IoBackend;
  readonly #directories: IoDirectories;

  constructor(path: string, backend: IoBackend) {
    this.#path = path;
    this.#backend = backend;
    this.#directories = requireDirectories(path, backend);
  }

  names(): string[] {
    const names: string[] = [];
    this.#list("", 0, { names, directories: 0 });
    return names;
  }

  open(name: string, options: SChunkOpenOptions): SChunk {
    return SChunk.open(this.#pathOf(name), this.#backend, options);
  }

  put(name: string, content: SChunk): void {
    const path = this.#pathOf(name);
    const temporary = path + TEMPORARY_SUFFIX;
    this.#makeParents(name);
    if (this.#backend.exists(temporary)) this.#backend.remove(temporary);
    try {
      content.appendFile(temporary, this.#backend);
      this.#backend.rename(temporary, path);
    } catch (error) {
      if (this.#backend.exists(temporary)) this.#backend.remove(temporary);
      throw error;
    }
  }

  remove(name: string): void {
    this.#backend.remove(this.#pathOf(name));
    // Directories that nothing is in any longer, up to the store's own.
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      const directory = this.#pathOf(name.slice(0, at));
      if (this.#directories.list(directory).length > 0) break;
      this.#directories.remove(directory);
    }
  }

  locate(name: string): FramePlace {
    return { path: this.#pathOf(name), position: 0 };
  }

  close(): void {}

  discard(): void {}

  #pathOf(name: string): string {
    return `${this.#path}/${name}`;
  }

  #makeParents(name: string): void {
    for (let at = name.indexOf("/"); at > 0; at = name.indexOf("/", at + 1)) {
      const directory = this.#pathOf(name.slice(0, at));
      if (!this.#directories.isDirectory(directory)) this.#directories.make(directory);
    }
  }

  #list(prefix: string, depth: number, found: { readonly names: string[]; directories: number }): void {
    found.directories++;
    const path = prefix === "" ? this.#path : this.#pathOf(prefix.slice(0, -1));
    for (const entry of this.#directories.list(path).sort()) {
      if (entry.endsWith(TEMPORARY_SUFFIX)) continue;
      if (depth > MAX_DEPTH || found.directories > MAX_DIRECTORIES || found.names.length > MAX_FILES) {
        throw new FormatError("BLOSC2_FORMAT_INVALID", {
          path,
          structure: "store directory",
          position: 0,
          field: "entries",
          expected: `at most ${MAX_FILES} files and ${MAX_DIRECTORIES} directories, up to ${MAX_DEPTH} deep`,
          found: "more",
        });
      }
      const name = prefix + entry;
      if (this.#directories.isDirectory(this.#pathOf(name))) this.#list(`${name}/`, depth + 1, found);
      else found.names.push(name);
    }
  }
}

/** Whether a directory is a store. */
export function holdsStore(path: string, backend: IoBackend): boolean {
  return backend.exists(`${path}/${EMBED_NAME}`);
}
