/** The files of a sparse frame's directory (`README_SFRAME_FORMAT` of the Blosc2 format documents). @module */
import type { ChunkSource } from "../chunk/chunk-source.js";
import { FormatError, IoError, isBlosc2Error, type SourceLocation, UnsupportedError } from "../errors.js";
import type { IoBackend, IoDirectories } from "../io/backend.js";
import { type CheckedHandle, openChecked } from "../io/checked-handle.js";
import { isNewFileName, openNewChecked } from "../io/new-file.js";
import { type Durability, nameChange, settle, settleNames } from "./durability.js";
import { MAX_OPEN_CHUNK_FILES, SPARSE_INDEX_NAME, SPARSE_LOCK_NAME } from "./frame-layout.js";
import { firstFailure, Replacement, useAndClose } from "./replace-file.js";
import { SeenIndex } from "./seen-index.js";

const CHUNK_NAME = /^([0-9A-F]{8})\.chunk$/;

/** The name of a chunk file. */
export function chunkFileName(number: number): string {
  return `${number.toString(16).toUpperCase().padStart(8, "0")}.chunk`;
}

/** The number in a chunk file's name, or `undefined` for other files. */
export function chunkFileNumber(name: string): number | undefined {
  const digits = CHUNK_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/**
 * The backend's directory operations.
 *
 * @throws UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` if it has none
 */
export function requireDirectories(backend: IoBackend, path: string): IoDirectories {
  const { directories, name } = backend;
  if (directories === undefined || !backend.capabilities.sparseFrames) {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED_BACKEND",
      `${path}: is or would be a sparse frame (a directory), which the ${name} backend does not support; the stdio backend does`,
      { feature: "sparse frames", backend: name, path },
    );
  }
  return directories;
}

/** A chunk file that is open for reading. */
class ChunkFileSource implements ChunkSource {
  readonly byteLength: number;
  readonly location: SourceLocation;
  readonly #files: SparseFiles;
  readonly #number: number;

  constructor(files: SparseFiles, number: number, location: SourceLocation) {
    this.#files = files;
    this.#number = number;
    this.byteLength = files.handle(number).size();
    this.location = location;
  }

  read(offset: number, length: number): Uint8Array {
    this.#requireInside(offset, length);
    return this.#files.handle(this.#number).read(offset, length);
  }

  readInto(offset: number, target: Uint8Array): void {
    this.#requireInside(offset, target.byteLength);
    this.#files.handle(this.#number).readInto(offset, target);
  }

  #requireInside(offset: number, length: number): void {
    if (offset + length > this.byteLength) {
      throw new FormatError("BLOSC2_FORMAT_TRUNCATED", {
        ...this.location,
        field: "bytes",
        offset,
        expected: `${length} bytes`,
        found: `${Math.max(0, this.byteLength - offset)} bytes`,
      });
    }
  }
}

/** Opens, writes and removes the files of one directory. */
export class SparseFiles {
  readonly backend: IoBackend;
  readonly directories: IoDirectories;
  /** The directory. */
  readonly path: string;
  readonly durability: Durability;
  readonly #handles = new Map<number, CheckedHandle>();
  /** The index that says which chunk files there are; absent before a new frame's first commit. */
  seen: SeenIndex | undefined;

  constructor(backend: IoBackend, path: string, durability: Durability = "disk") {
    this.backend = backend;
    this.directories = requireDirectories(backend, path);
    this.path = path;
    this.durability = durability;
  }

  get indexPath(): string {
    return `${this.path}/${SPARSE_INDEX_NAME}`;
  }

  chunkPath(number: number): string {
    return `${this.path}/${chunkFileName(number)}`;
  }

  /** Numbers of all chunk files that are there, whether an index names them or not. */
  numbers(): number[] {
    const numbers: number[] = [];
    for (const name of this.directories.list(this.path)) {
      const number = chunkFileNumber(name);
      if (number !== undefined) numbers.push(number);
    }
    return numbers;
  }

  /** A chunk file's bytes. @throws IoError if it is missing */
  source(number: number, chunkIndex: number): ChunkSource {
    return new ChunkFileSource(this, number, {
      path: this.chunkPath(number),
      structure: `chunk ${chunkIndex}`,
      position: 0,
    });
  }

  /** The handle of a chunk file, kept for the next read. */
  handle(number: number): CheckedHandle {
    let handle = this.#handles.get(number);
    if (handle === undefined) {
      if (this.#handles.size >= MAX_OPEN_CHUNK_FILES) this.forget(this.#handles.keys().next().value as number);
      handle = this.#openChunkFile(number);
      this.#handles.set(number, handle);
    }
    return handle;
  }

  /**
   * Opens a chunk file of the commit that was seen. Files of later commits may have the same numbers, but none before the index file
   * has been replaced; and the file that is open stays what it is.
   *
   * @throws IoError `BLOSC2_IO_CHANGED` when there has been another commit
   */
  #openChunkFile(number: number): CheckedHandle {
    const path = this.chunkPath(number);
    let handle: CheckedHandle;
    try {
      handle = openChecked(this.backend, path, "r");
    } catch (error) {
      if (isBlosc2Error(error, "BLOSC2_IO_NOT_FOUND") && this.seen?.unchanged() === false) throw this.#changed(error);
      throw error;
    }
    try {
      if (this.seen?.unchanged() === false) throw this.#changed();
      return handle;
    } catch (error) {
      throw firstFailure(error, () => handle.close());
    }
  }

  #changed(cause?: unknown): IoError {
    return new IoError(
      "BLOSC2_IO_CHANGED",
      `${this.path}: a writer has committed since the frame was read, and may have removed this chunk; refresh() reads the new state`,
      { operation: "read", path: this.path },
      cause,
    );
  }

  /** Makes the directory. */
  make(): void {
    this.directories.make(this.path, nameChange(this.durability));
  }

  /** Replaces the index file. The names of the chunk files that it holds are kept before it is. */
  replaceIndex(bytes: Uint8Array): void {
    this.settleNames();
    const replacement = new Replacement(this.backend, this.indexPath, { durability: this.durability });
    try {
      const { handle } = replacement;
      handle.write(0, bytes);
      settle(handle, this.durability);
      this.requireOurs();
      replacement.finish();
      this.see(handle);
    } catch (error) {
      throw firstFailure(
        error,
        () => replacement.abandon(),
        () => replacement.handle.close(),
      );
    }
    this.requireOurs();
  }

  /** Notes which index file counts from now on. */
  see(handle: CheckedHandle): void {
    const seen = new SeenIndex(this, handle);
    this.seen?.close();
    this.seen = seen;
  }

  /** @throws IoError `BLOSC2_IO_MOVED`, or `BLOSC2_IO_STALE` when another writer has committed */
  requireOurs(): void {
    const { seen, path } = this;
    if (seen === undefined || seen.unchanged()) return;
    if (!this.backend.exists(this.indexPath)) {
      const message = `${path}: the frame that is open was moved or removed`;
      throw new IoError("BLOSC2_IO_MOVED", message, { operation: "write", path });
    }
    throw new IoError(
      "BLOSC2_IO_STALE",
      `${path}: changed by another writer since it was opened or committed here; reopen() takes what is there now`,
      { operation: "write", path },
    );
  }

  /** Keeps which files there are. */
  settleNames(): void {
    settleNames(this.directories, this.path, this.durability);
  }

  /**
   * Writes a chunk file and keeps it, but for its place in the directory.
   *
   * @param replace whether it may take the place of a file that no commit names; another writer may be about to name that.
   * @throws IoError `BLOSC2_IO_EXISTS`
   */
  write(number: number, chunk: Uint8Array, replace: boolean): void {
    this.forget(number);
    useAndClose(this.#newChunkFile(this.chunkPath(number), replace), (handle) => {
      handle.write(0, chunk);
      settle(handle, this.durability);
    });
  }

  /** A new file, with the rights of the index file, in the place of one that no commit needs. */
  #newChunkFile(path: string, replace: boolean): CheckedHandle {
    try {
      return openNewChecked(this.backend, path, this.indexPath);
    } catch (error) {
      if (!replace || !isBlosc2Error(error, "BLOSC2_IO_EXISTS")) throw error;
      this.backend.remove(path);
      return openNewChecked(this.backend, path, this.indexPath);
    }
  }

  /** Removes a chunk file; one that is gone already is as good. */
  remove(number: number): void {
    this.forget(number);
    try {
      this.backend.remove(this.chunkPath(number));
    } catch (error) {
      if (!isBlosc2Error(error, "BLOSC2_IO_NOT_FOUND")) throw error;
    }
  }

  forget(number: number): void {
    const handle = this.#handles.get(number);
    if (handle === undefined) return;
    this.#handles.delete(number);
    handle.close();
  }

  /** Closes the handles of chunk files. */
  forgetAll(): void {
    for (const number of [...this.#handles.keys()]) this.forget(number);
  }

  /** Closes all handles, also when some can't be closed well. @throws what the first of those threw */
  close(): void {
    const handles: { close(): void }[] = [...this.#handles.values()];
    this.#handles.clear();
    if (this.seen !== undefined) handles.push(this.seen);
    this.seen = undefined;
    let failed = false;
    let failure: unknown;
    for (const handle of handles) {
      try {
        handle.close();
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
      }
    }
    if (failed) throw failure;
  }
}

/**
 * Removes a sparse frame: its index, its chunk files, its lock and the directory.
 *
 * @param locked whether the caller has the lock; then only that and the directory stay, as others may wait for it.
 * @param begun whether the caller made it and has not committed it, so that there need be no index file.
 * @throws IoError when the directory is not one of a sparse frame, or holds other files
 */
export function removeSparseFrame(backend: IoBackend, path: string, locked: boolean, begun = false): void {
  const files = new SparseFiles(backend, path);
  const names = files.directories.list(path).filter((name) => name !== SPARSE_LOCK_NAME);
  // A writer that was killed while it replaced the index file leaves the new one beside it.
  const indexNames = names.filter((name) => name === SPARSE_INDEX_NAME || isNewFileName(name));
  const foreign = names.find((name) => !indexNames.includes(name) && chunkFileNumber(name) === undefined);
  if (foreign !== undefined || (!begun && names.length > 0 && indexNames.length === 0)) {
    throw new IoError(
      "BLOSC2_IO_EXISTS",
      `${path}: is a directory that is not, or not only, a sparse frame${foreign === undefined ? "" : ` (it holds ${foreign})`}`,
      { operation: "create", path },
    );
  }
  for (const name of indexNames) backend.remove(`${path}/${name}`);
  for (const number of files.numbers()) files.remove(number);
  if (locked) return;
  const lockPath = `${path}/${SPARSE_LOCK_NAME}`;
  if (backend.exists(lockPath)) backend.remove(lockPath);
  files.directories.remove(path);
}
