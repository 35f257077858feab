/** Opening what is at a path, in bytes, or in an open file. @module */
import * as core from "@b2frame/core";
import { checkOptionNames, chooseBackend, type OptionNames, SCHUNK_OPEN_NAMES } from "@b2frame/core/backend";
import {
  foreignPathError,
  handleKindOf,
  openStoreOnHandle,
  type PathKind,
  pathKindOf,
  type Store,
} from "@b2frame/stores";
import { type KnownSource, resolveSource, type Source } from "./source.js";
import { openStore } from "./stores.js";
import { arrayOfTensor } from "./tensor.js";

/** How to open: the mode, the offset of the frame in its file, the backend, engine, registries and limits. */
export interface OpenOptions extends core.SChunkOpenOptions, core.IoOption {}

const OPEN_NAMES: OptionNames<OpenOptions> = { ...SCHUNK_OPEN_NAMES, io: true, ioOptions: true };

/** What a source is, by its first bytes; from an offset on it can only be a frame. */
function kindOf(known: KnownSource, { io, ioOptions, offset = 0 }: OpenOptions): PathKind {
  if (offset !== 0) return "frame";
  return known.kind === "handle"
    ? handleKindOf(known.handle)
    : pathKindOf(known.path, chooseBackend({ io, ioOptions }));
}

function isFrame(kind: PathKind): boolean {
  // What is unknown is left to the frame's own checks, which say what is wrong with it.
  return kind === "frame" || kind === "sparse-frame" || kind === "other";
}

function isStoreFile(kind: PathKind): boolean {
  return kind === "zip" || kind === "store-directory";
}

function openFrame(known: KnownSource, options: OpenOptions): core.SChunk {
  const { io, ioOptions, locking = false, ...rest } = options;
  if (known.kind === "path") return core.openUdio(known.path, chooseBackend({ io, ioOptions }), { ...rest, locking });
  if (locking === false) return core.SChunk.openHandle(known.handle, { ...rest, path: known.path });
  throw new core.ArgumentError("BLOSC2_ARGUMENT_INVALID", `${known.path}: locking is for paths`, {
    parameter: "locking",
    path: known.path,
  });
}

/** An open file that may outlive the frame that was opened on it. */
class HeldHandle implements core.IoHandle {
  readonly #inner: core.IoHandle;
  kept = false;

  constructor(inner: core.IoHandle) {
    this.#inner = inner;
  }

  size(): number {
    return this.#inner.size();
  }

  read(position: number, length: number): Uint8Array {
    return this.#inner.read(position, length);
  }

  readInto(position: number, target: Uint8Array): void {
    this.#inner.readInto(position, target);
  }

  write(position: number, bytes: Uint8Array): void {
    this.#inner.write(position, bytes);
  }

  truncate(size: number): void {
    this.#inner.truncate(size);
  }

  flush(): void {
    this.#inner.flush();
  }

  close(): void {
    if (!this.kept) this.#inner.close();
  }
}

function openStoreOf(known: KnownSource, options: OpenOptions): Store {
  const { io, ioOptions, mode = "r", engine, codecs, filters, limits, locking = false } = options;
  const environment = { engine, codecs, filters, limits };
  if (locking !== false) throw notForStores("locking", "locking", known.path);
  if (mode !== "r" && mode !== "r+") throw notForStores("mode", `mode "${mode}"`, known.path);
  if (known.kind === "path") return openStore(known.path, { ...environment, io, ioOptions, mode });
  return openStoreOnHandle(known.handle, { ...environment, path: known.path });
}

function notForStores(parameter: string, what: string, path: string): core.ArgumentError {
  return new core.ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: is a store; ${what} is for frames`, {
    parameter,
    path,
  });
}

function isAStore(path: string): core.ArgumentError {
  return new core.ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${path}: is a store; open it with openStore() or open(), and then a member of it with its openArray() or openSChunk()`,
    { parameter: "source", path },
  );
}

/** Closes an open file that is not going to be used. */
function releasing<T>(known: KnownSource, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (known.kind === "handle") known.handle.close();
    throw error;
  }
}

/**
 * Opens what is there: an array, a super-chunk, or a store. {@link openArray}, {@link openSChunk} and `openStore` are for
 * callers who know which it is.
 *
 * @param source a path, a `file:` URL, the bytes of a file, or an open file, which is closed with what is opened.
 * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there; FormatError if it is neither a frame nor a store, or a damaged one;
 * UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` for a directory through `"mmap"`, and for `"mmap"` where memory can't be mapped;
 * UnsupportedError for a recipe of python-blosc2; ArgumentError.
 * @example
 * ```ts
 * import { NDArray, open, Store } from "b2frame";
 *
 * using file = open("scan.b2nd", { io: "mmap" });
 * if (file instanceof Store) console.log(file.keys());
 * else console.log(file instanceof NDArray ? file.shape : file.itemCount);
 * ```
 */
export function open(source: Source, options: OpenOptions = {}): core.NDArray | core.SChunk | Store {
  checkOptionNames(OPEN_NAMES, options);
  const known = resolveSource(source);
  const kind = releasing(known, () => kindOf(known, options));
  if (isStoreFile(kind)) return releasing(known, () => openStoreOf(known, options));
  if (!isFrame(kind)) return releasing(known, () => fail(foreignPathError(known.path, kind)));
  const held = known.kind === "handle" ? new HeldHandle(known.handle) : undefined;
  const schunk = openFrame(held === undefined ? known : { kind: "handle", handle: held, path: known.path }, options);
  try {
    if (core.frameKindOf(schunk) === "store" && (options.offset ?? 0) === 0) {
      if (held !== undefined) held.kept = true;
      schunk.close();
      return openStoreOf(known, options);
    }
    return core.holdsArray(schunk) ? core.NDArray.fromSChunk(schunk) : schunk;
  } catch (error) {
    schunk.close();
    throw error;
  }
}

function fail(error: Error): never {
  throw error;
}

/**
 * Opens a super-chunk. Of an array this is the super-chunk that holds its chunks.
 *
 * @throws as {@link open}; ArgumentError for a store
 * @example
 * ```ts
 * using s = openSChunk("t.b2frame");
 * s.getSlice(10, 60);
 * ```
 */
export function openSChunk(source: Source, options: OpenOptions = {}): core.SChunk {
  checkOptionNames(OPEN_NAMES, options);
  const known = resolveSource(source);
  const kind = releasing(known, () => kindOf(known, options));
  if (isStoreFile(kind)) releasing(known, () => fail(isAStore(known.path)));
  if (!isFrame(kind)) releasing(known, () => fail(foreignPathError(known.path, kind)));
  const schunk = openFrame(known, options);
  if (core.frameKindOf(schunk) !== "store") return schunk;
  schunk.close();
  throw isAStore(known.path);
}

/**
 * Opens an array. Of what python-blosc2's `save_array`, `save_tensor` and `pack_array2` write, with mode `"r"`, this is a copy in memory.
 *
 * @throws as {@link openSChunk}; FormatError also if the frame holds no array.
 * @example
 * ```ts
 * using a = openArray("scan.b2nd", { io: "mmap" });
 * const crop = a.getSlice([10, 0, 0], [42, 32, 32]);
 * ```
 */
export function openArray(source: Source, options: OpenOptions = {}): core.NDArray {
  const schunk = openSChunk(source, options);
  try {
    const { mode = "r" } = options;
    const tensor = mode === "r" && !core.holdsArray(schunk) ? arrayOfTensor(schunk) : undefined;
    if (tensor === undefined) return core.NDArray.fromSChunk(schunk);
    schunk.close();
    return tensor;
  } catch (error) {
    schunk.close();
    throw error;
  }
}
