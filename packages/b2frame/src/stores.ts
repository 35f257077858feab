/** Opening and making stores by path. @module */
import { IoError, type IoOption } from "@b2frame/core";
import { chooseBackend } from "@b2frame/core/backend";
import * as stores from "@b2frame/stores";
import { requirePath, resolveSource, type Source } from "./source.js";

/** How to open a store; see `openStore` of `@b2frame/stores`. */
export interface OpenStoreOptions extends stores.StoreOpenOptions, IoOption {}

/** How to make a store; see `createStore` of `@b2frame/stores`. */
export interface CreateStoreOptions extends stores.StoreCreateOptions, IoOption {}

/**
 * Opens a store of python-blosc2: a `.b2z` file, a `.b2d` directory, or a `.b2e` frame with many arrays under keys; by its path, or,
 * for reading, the bytes of its file or an open file.
 *
 * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there; FormatError if it is no store or a damaged one; UnsupportedError for a
 * directory through `"mmap"`.
 * @example
 * ```ts
 * using store = openStore("run.b2z");
 * for (const key of store.keys()) console.log(key, store.kind(key));
 * ```
 */
export function openStore(source: Source, options: OpenStoreOptions = {}): stores.Store {
  const { io, ioOptions, ...rest } = options;
  const known = resolveSource(source);
  if (known.kind === "path") return stores.openStore(known.path, chooseBackend({ io, ioOptions }), rest);
  const { mode = "r", ...environment } = rest;
  if (mode === "r") return stores.openStoreOnHandle(known.handle, { ...environment, path: known.path });
  known.handle.close();
  throw new IoError("BLOSC2_IO_READ_ONLY", `${known.path}: only a store at a path can be changed`, {
    operation: "openStore",
    path: known.path,
  });
}

/**
 * Makes an empty store that python-blosc2 can open. A `.b2z` is there only once the store has been closed.
 *
 * @throws ArgumentError; IoError, `BLOSC2_IO_EXISTS` with mode `"x"`; UnsupportedError for a directory through `"mmap"`.
 * @example
 * ```ts
 * using store = createStore("run.b2z");
 * store.set("/images/first", new Uint8Array(640 * 480), { shape: [480, 640] });
 * ```
 */
export function createStore(path: string | URL, options: CreateStoreOptions = {}): stores.Store {
  const { io, ioOptions, ...rest } = options;
  return stores.createStore(requirePath(path), chooseBackend({ io, ioOptions }), rest);
}
