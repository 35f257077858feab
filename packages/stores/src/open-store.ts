/** Opening stores. @module */
import {
  DEFAULT_LIMITS,
  FormatError,
  type IoBackend,
  type IoHandle,
  SChunk,
  type SChunkEnvironmentOptions,
  type SChunkOpenOptions,
} from "@b2frame/core";
import { checkOptionNames, ENVIRONMENT_NAMES, firstFailure, type OptionNames } from "@b2frame/core/backend";
import { DirectoryMembers, requireDirectories } from "./directory-members.js";
import { EmbeddedMembers } from "./embedded-members.js";
import { HandleBackend } from "./handle-backend.js";
import { EMBED_NAME, type MemberFiles } from "./member-files.js";
import { foreignPathError, pathKindOf } from "./path-kind.js";
import { Store } from "./store.js";
import type { StoreFormat, StoreOpenOptions, StoreType } from "./store-options.js";
import { ZipMembers } from "./zip-members.js";

/** Metalayers of the frame with the key map, and what they say. */
const TYPE_METALAYERS: readonly (readonly [string, StoreType])[] = [
  ["b2embed", "embed"],
  ["b2tree", "tree"],
  ["b2dict", "dict"],
];

/** The metalayer that marks a store's type. */
export function typeMetalayer(type: StoreType): string {
  return (TYPE_METALAYERS.find(([, marked]) => marked === type) as readonly [string, StoreType])[0];
}

/** What a store is, by the frame with its map of keys. @throws FormatError if that is none */
export function typeOf(schunk: SChunk, path: string, structure: string, format: StoreFormat): StoreType {
  for (const [name, type] of TYPE_METALAYERS) {
    if (!schunk.meta.has(name)) continue;
    if ((type === "embed") === (format === "b2e")) return type;
    // A frame taken out of a ZIP file or directory, or an embedded store put into one: its map is what there is.
    return format === "b2e" ? "embed" : "dict";
  }
  throw new FormatError("BLOSC2_FORMAT_INVALID", {
    path,
    structure,
    position: 0,
    field: "metalayers",
    expected: "b2tree, b2dict or b2embed (a store)",
    found: schunk.meta.keys().join(", ") || "none",
  });
}

/** The format of the store at a path. @throws FormatError for a file that is none; UnsupportedError; IoError */
export function formatAt(path: string, backend: IoBackend): StoreFormat {
  const kind = pathKindOf(path, backend);
  if (kind === "store-directory" || kind === "sparse-frame" || kind === "directory") {
    requireDirectories(path, backend);
    return "b2d";
  }
  // A damaged start leaves the list of members at the end.
  if (kind === "zip" || (kind === "other" && path.endsWith(".b2z"))) return "b2z";
  if (kind === "frame" || kind === "other") return "b2e";
  throw foreignPathError(path, kind);
}

const STORE_OPEN_NAMES: OptionNames<StoreOpenOptions> = { ...ENVIRONMENT_NAMES, mode: true, checkCrc: true };

/**
 * Opens a store of python-blosc2: the ZIP file, directory or frame at a path, whatever its suffix. Members of a ZIP file are read
 * where they lie; nothing is unpacked.
 *
 * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there; FormatError if it is no store or a damaged one; UnsupportedError
 * `BLOSC2_UNSUPPORTED_BACKEND` for a directory on a backend that has none.
 * @example
 * ```ts
 * using store = openStore("run.b2z", stdio());
 * using a = store.openArray("/images/first");
 * a.getSlice([0], [10]);
 * ```
 */
export function openStore(path: string, backend: IoBackend, options: StoreOpenOptions = {}): Store {
  checkOptionNames(STORE_OPEN_NAMES, options);
  const { mode = "r", checkCrc = true, ...environment } = options;
  const format = formatAt(path, backend);
  const files = format === "b2e" ? undefined : openFiles(format, path, backend, environment, checkCrc);
  let schunk: SChunk | undefined;
  try {
    // A member of a ZIP file can't be changed where it lies.
    const embeddedMode = format === "b2z" ? "r" : mode;
    schunk =
      files === undefined
        ? SChunk.open(path, backend, { ...environment, mode })
        : openMap(path, files, { ...environment, mode: embeddedMode });
    const structure = files === undefined ? "frame header" : `frame header of "${EMBED_NAME}"`;
    return new Store({
      path,
      format,
      type: typeOf(schunk, path, structure, format),
      writable: mode === "r+",
      files,
      embedded: new EmbeddedMembers(schunk, path),
      environment,
      cparams: undefined,
    });
  } catch (error) {
    throw firstFailure(
      error,
      () => schunk?.close(),
      () => files?.discard(),
    );
  }
}

/** The files of a store that is no single frame. @throws as {@link openStore} */
export function openFiles(
  format: Exclude<StoreFormat, "b2e">,
  path: string,
  backend: IoBackend,
  environment: SChunkEnvironmentOptions,
  checkCrc: boolean,
): MemberFiles {
  if (format === "b2d") return new DirectoryMembers(path, backend);
  const maxAllocation = environment.limits?.maxAllocation ?? DEFAULT_LIMITS.maxAllocation;
  return ZipMembers.open(path, backend, { maxAllocation, checkCrc });
}

/** @throws FormatError if the frame with the map of keys is not among the files of a store */
export function requireMap(path: string, files: MemberFiles): void {
  if (files.names().includes(EMBED_NAME)) return;
  throw new FormatError("BLOSC2_FORMAT_INVALID", {
    path,
    structure: "store",
    position: 0,
    field: "files",
    expected: `"${EMBED_NAME}" among them`,
    found: "none of this name",
  });
}

function openMap(path: string, files: MemberFiles, options: SChunkOpenOptions): SChunk {
  requireMap(path, files);
  files.check?.(EMBED_NAME);
  return files.open(EMBED_NAME, options);
}

/** How a store on an open file is opened. */
export interface StoreHandleOptions extends Omit<StoreOpenOptions, "mode"> {
  /** Names the file in error messages. */
  readonly path?: string | undefined;
}

/**
 * Opens the store in an open file for reading: a `.b2z` or a `.b2e`. The file closes with the store and the members that were
 * opened of it, also when opening fails.
 *
 * @throws FormatError; IoError
 * @example
 * ```ts
 * using store = openStoreOnHandle(memoryHandle(new Uint8Array(await (await fetch("run.b2z")).arrayBuffer())));
 * ```
 */
export function openStoreOnHandle(handle: IoHandle, options: StoreHandleOptions = {}): Store {
  const { path = "store", ...rest } = options;
  const backend = new HandleBackend(handle, path);
  try {
    return openStore(path, backend, rest);
  } finally {
    backend.close();
  }
}
