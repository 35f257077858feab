/** Copying a store that others may be changing. @module */
import { type IoBackend, IoError, isBlosc2Error } from "@b2frame/core";
import {
  type CheckedHandle,
  FILE_HEAD_LENGTH,
  firstFailure,
  leadsTo,
  openChecked,
  openNewChecked,
} from "@b2frame/core/backend";
import { DirectoryMembers, requireDirectories } from "./directory-members.js";
import { formatAt } from "./open-store.js";

/** Bytes copied at a step. */
const PIECE_BYTES = 1 << 22;
/** How often files that have changed meanwhile are copied again. */
const MOST_PASSES = 10;

/** How far a copy has come. */
export interface CopyProgress {
  /** Bytes. */
  readonly done: number;
  /** Absent where it is not known beforehand. */
  readonly total?: number | undefined;
}

/** A place of files. */
interface Place {
  readonly path: string;
  readonly backend: IoBackend;
}

function* copyBytes(from: CheckedHandle, to: Place): Generator<number, void, undefined> {
  const out = openNewChecked(to.backend, to.path);
  try {
    const size = from.size();
    for (let at = 0; at < size; ) {
      const length = Math.min(PIECE_BYTES, size - at);
      out.write(at, from.read(at, length));
      at += length;
      yield length;
    }
    out.flush();
  } catch (error) {
    throw firstFailure(error, () => out.close());
  }
  out.close();
}

/** A file that has been copied, and stays open, so that no other file is taken for it. */
class CopiedFile {
  readonly #from: Place;
  readonly #handle: CheckedHandle;
  readonly #size: number;
  readonly #head: Uint8Array;

  constructor(from: Place) {
    this.#from = from;
    this.#handle = openChecked(from.backend, from.path, "r");
    this.#size = this.#handle.size();
    this.#head = this.#readHead();
  }

  copyTo(to: Place): Generator<number, void, undefined> {
    return copyBytes(this.#handle, to);
  }

  /** False if the name leads to another file now, or the file has changed: every commit of a frame changes its header. */
  unchanged(): boolean {
    const { backend, path } = this.#from;
    if (!backend.exists(path) || !leadsTo(backend, path, this.#handle) || this.#handle.size() !== this.#size)
      return false;
    const head = this.#readHead();
    return head.every((byte, i) => byte === this.#head[i]);
  }

  close(): void {
    this.#handle.close();
  }

  #readHead(): Uint8Array {
    return this.#handle.read(0, Math.min(this.#size, FILE_HEAD_LENGTH)).slice();
  }
}

/** Copies files until a look at all of them finds none changed since it was copied: that is what they all were at that instant. */
class DirectoryCopy {
  readonly #from: Place;
  readonly #to: Place;
  readonly #members: DirectoryMembers;
  readonly #copied = new Map<string, CopiedFile>();
  #done = 0;

  constructor(from: Place, to: Place) {
    this.#from = from;
    this.#to = to;
    this.#members = new DirectoryMembers(from.path, from.backend);
  }

  *run(): Generator<CopyProgress, void, undefined> {
    requireDirectories(this.#to.path, this.#to.backend).make(this.#to.path);
    try {
      for (let pass = 0; pass < MOST_PASSES; pass++) {
        const names = this.#members.names();
        const changed = names.filter((name) => this.#copied.get(name)?.unchanged() !== true);
        const listed = new Set(names);
        const gone = [...this.#copied.keys()].filter((name) => !listed.has(name));
        if (changed.length + gone.length === 0) return;
        for (const name of gone) this.#forget(name);
        for (const name of changed) yield* this.#copy(name);
      }
    } finally {
      for (const file of this.#copied.values()) file.close();
    }
    const { path } = this.#from;
    throw new IoError(
      "BLOSC2_IO_CHANGED",
      `${path}: its files change faster than they can be copied; try again when less is written`,
      { operation: "copy", path },
    );
  }

  #forget(name: string): void {
    const file = this.#copied.get(name);
    if (file === undefined) return;
    this.#copied.delete(name);
    file.close();
    this.#to.backend.remove(`${this.#to.path}/${name}`);
  }

  *#copy(name: string): Generator<CopyProgress, void, undefined> {
    this.#forget(name);
    const file = this.#open(name);
    if (file === undefined) return;
    this.#copied.set(name, file);
    this.#makeParents(name);
    for (const length of file.copyTo({ path: `${this.#to.path}/${name}`, backend: this.#to.backend })) {
      this.#done += length;
      yield { done: this.#done };
    }
  }

  /** Absent: it has gone since it was listed, which the next look at all files will find. */
  #open(name: string): CopiedFile | undefined {
    try {
      return new CopiedFile({ path: `${this.#from.path}/${name}`, backend: this.#from.backend });
    } catch (error) {
      if (isBlosc2Error(error, "BLOSC2_IO_NOT_FOUND")) return undefined;
      throw error;
    }
  }

  #makeParents(name: string): void {
    const directories = requireDirectories(this.#to.path, this.#to.backend);
    for (let at = name.indexOf("/"); at > 0; at = name.indexOf("/", at + 1)) {
      const path = `${this.#to.path}/${name.slice(0, at)}`;
      if (!directories.isDirectory(path)) directories.make(path);
    }
  }
}

function* copyZip(from: Place, to: Place): Generator<CopyProgress, void, undefined> {
  // The file that is open stays what it is: a store that is changed gets a new one.
  const handle = openChecked(from.backend, from.path, "r");
  try {
    const total = handle.size();
    let done = 0;
    for (const length of copyBytes(handle, to)) {
      done += length;
      yield { done, total };
    }
  } finally {
    handle.close();
  }
}

/**
 * Copies a `.b2z` or `.b2d` as it is at one instant, some bytes at each step, also while b2frame changes it: of a `.b2z` the file that is
 * there; of a `.b2d` all files, until none of them has changed since it was copied. Of a copy that ends before, what has been written
 * stays.
 *
 * @param outPath at which there is nothing.
 * @throws IoError, `BLOSC2_IO_CHANGED` where files change faster than they can be copied; UnsupportedError; FormatError for what is
 * no store
 */
export function* copyStoreInSteps(
  path: string,
  backend: IoBackend,
  outPath: string,
  outBackend: IoBackend,
): Generator<CopyProgress, void, undefined> {
  const from = { path, backend };
  const to = { path: outPath, backend: outBackend };
  if (formatAt(path, backend) === "b2z") yield* copyZip(from, to);
  else yield* new DirectoryCopy(from, to).run();
}
