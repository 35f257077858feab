/** The files of a `.b2d` directory. @module */
import { FormatError, type IoBackend, IoError, SChunk, type SChunkOpenOptions, UnsupportedError } from "@b2frame/core";
import {
  type EntryKind,
  firstFailure,
  type IoDirectories,
  isNewFileName,
  openChecked,
  Replacement,
} from "@b2frame/core/backend";
import { EMBED_NAME, type FramePlace, type MemberBytes, type MemberFiles } from "./member-files.js";
import { appendingBackend } from "./shared-file.js";
import { writingAround } from "./writing-around.js";

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

/** What a listing has found so far. */
interface Listing {
  readonly names: string[];
  /** Absent: they are not asked for. */
  readonly leftovers?: string[];
  directories: number;
  readonly followLinks: boolean;
}

/** Frames in files of a directory, and of those in it. Each change is made at once, and none goes through a link. */
export class DirectoryMembers implements MemberFiles {
  readonly #path: string;
  readonly #backend: IoBackend;
  readonly #directories: IoDirectories;
  /** For frames in the directory. */
  readonly frames: IoBackend;

  constructor(path: string, backend: IoBackend) {
    this.#path = path;
    this.#backend = backend;
    this.#directories = requireDirectories(path, backend);
    this.frames = writingAround(path, backend);
  }

  names(): string[] {
    return this.#list("", 0, { names: [], directories: 0, followLinks: true }).names;
  }

  /** As {@link names}, but with a link to a directory as one entry: what lies behind it is not the store's. */
  ownNames(): string[] {
    return this.#list("", 0, { names: [], directories: 0, followLinks: false }).names;
  }

  /** Files that are being written, or that a killed writer left. */
  leftovers(): string[] {
    const found = { names: [], leftovers: [] as string[], directories: 0, followLinks: false };
    this.#list("", 0, found);
    return found.leftovers;
  }

  open(name: string, options: SChunkOpenOptions): SChunk {
    if (options.mode === "r+") this.#requireOwn(name, name.length);
    return SChunk.open(this.#pathOf(name), this.frames, options);
  }

  put(name: string, content: SChunk): void {
    this.#makeParents(name);
    const file = new Replacement(this.frames, this.#pathOf(name), { followLinks: false });
    try {
      content.appendFile(file.handle.path, appendingBackend(file.handle));
      file.handle.flush();
      file.handle.close();
      file.finish();
    } catch (error) {
      throw firstFailure(error, () => file.abandon());
    }
  }

  remove(name: string): void {
    this.#requireOwn(name, name.lastIndexOf("/"));
    this.#backend.remove(this.#pathOf(name));
    // Directories that nothing is in any longer, up to the store's own.
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      const directory = this.#pathOf(name.slice(0, at));
      if (this.#directories.list(directory).length > 0) break;
      this.#directories.remove(directory);
    }
  }

  /** Whether an entry is a file of the store's own, and no link, device or the like. */
  isOwnFile(name: string): boolean {
    const kind = this.#kindOf(name);
    return kind === undefined || kind === "file";
  }

  locate(name: string): FramePlace {
    return { path: this.#pathOf(name), position: 0 };
  }

  bytesOf(name: string): MemberBytes {
    const path = this.#pathOf(name);
    const handle = openChecked(this.#backend, path, "r");
    try {
      return { backend: this.#backend, path, offset: 0, byteLength: handle.size(), close: () => {} };
    } finally {
      handle.close();
    }
  }

  close(): void {}

  discard(): void {}

  #pathOf(name: string): string {
    return `${this.#path}/${name}`;
  }

  #makeParents(name: string): void {
    this.#requireOwn(name, name.lastIndexOf("/"));
    for (let at = name.indexOf("/"); at > 0; at = name.indexOf("/", at + 1)) {
      const directory = this.#pathOf(name.slice(0, at));
      if (!this.#directories.isDirectory(directory)) this.#directories.make(directory);
    }
  }

  /** What an entry itself is; `undefined`: nothing, or the storage has no links. */
  #kindOf(name: string): EntryKind | undefined {
    return this.#directories.entryKind?.(this.#pathOf(name));
  }

  /** Refuses to change what a link in the store leads to, among the first `end` characters of a name. */
  #requireOwn(name: string, end: number): void {
    for (let at = name.indexOf("/"); ; at = name.indexOf("/", at + 1)) {
      const part = name.slice(0, at < 0 ? end : Math.min(at, end));
      if (end <= 0) return;
      if (this.#kindOf(part) === "link") {
        throw new IoError(
          "BLOSC2_IO_FAILED",
          `${this.#pathOf(part)}: is a symbolic link: what it leads to is not the store's, and is only read through it`,
          { operation: "change", path: this.#pathOf(part), member: name },
        );
      }
      if (at < 0 || at >= end) return;
    }
  }

  #list(prefix: string, depth: number, found: Listing): Listing {
    found.directories++;
    const path = prefix === "" ? this.#path : this.#pathOf(prefix.slice(0, -1));
    for (const entry of this.#directories.list(path).sort()) {
      if (isNewFileName(entry)) {
        found.leftovers?.push(prefix + entry);
        continue;
      }
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
      const followed = found.followLinks || this.#kindOf(name) !== "link";
      if (followed && this.#directories.isDirectory(this.#pathOf(name))) this.#list(`${name}/`, depth + 1, found);
      else found.names.push(name);
    }
    return found;
  }
}

/** Whether a directory is a store. */
export function holdsStore(path: string, backend: IoBackend): boolean {
  return backend.exists(`${path}/${EMBED_NAME}`);
}
