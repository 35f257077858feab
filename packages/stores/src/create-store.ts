/** Making stores. @module */
import { ArgumentError, FormatError, type IoBackend, IoError, SChunk } from "@b2frame/core";
import {
  CPARAM_NAMES,
  checkOptionNames,
  ENVIRONMENT_NAMES,
  firstFailure,
  type OptionNames,
} from "@b2frame/core/backend";
import { DirectoryMembers, holdsStore, requireDirectories } from "./directory-members.js";
import { EmbeddedMembers, writeEmptyMap } from "./embedded-members.js";
import { EMBED_NAME, isMemberName, type MemberFiles } from "./member-files.js";
import { typeMetalayer } from "./open-store.js";
import { Store } from "./store.js";
import type { StoreCreateOptions, StoreFormat } from "./store-options.js";
import { ZipMembers } from "./zip-members.js";

const FORMATS: readonly string[] = ["b2z", "b2d", "b2e"] satisfies readonly StoreFormat[];

/** Bytes per chunk of the frame with the embedded members, as python-blosc2 has it. */
const EMBED_CHUNKSIZE = 8192;

function formatFor(path: string, format: StoreFormat | undefined): StoreFormat {
  const chosen = format ?? path.slice(path.lastIndexOf(".") + 1);
  if (FORMATS.includes(chosen)) return chosen as StoreFormat;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${path}: format: expected ${FORMATS.join(", ")}, or a path with one of these as its suffix`,
    { parameter: "format", path, found: String(format) },
  );
}

function exists(path: string): IoError {
  return new IoError("BLOSC2_IO_EXISTS", `${path}: there is something at this path already`, {
    operation: "create",
    path,
  });
}

/** Whether a file in a directory is one that a store's format names: its map, or a frame. */
function isMember(name: string, files: DirectoryMembers): boolean {
  if (!files.isOwnFile(name)) return false;
  if (isMemberName(name)) return true;
  try {
    files.open(name, { mode: "r" }).close();
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** An empty directory at `path`; a store that is there is emptied, and nothing else is touched. */
function createDirectory(path: string, backend: IoBackend, mode: "w" | "x"): DirectoryMembers {
  const directories = requireDirectories(path, backend);
  const files = new DirectoryMembers(path, backend);
  if (!directories.isDirectory(path)) {
    if (backend.exists(path)) throw exists(path);
    directories.make(path);
    return files;
  }
  const names = files.ownNames();
  if (mode === "x" || (names.length > 0 && !holdsStore(path, backend))) throw exists(path);
  const foreign = names.find((name) => !isMember(name, files));
  if (foreign !== undefined) {
    throw new IoError(
      "BLOSC2_IO_EXISTS",
      `${path}: is a directory that is not only a store: it holds ${foreign}, which would be lost`,
      { operation: "create", path, foreign },
    );
  }
  // What makes it a store goes last.
  for (const name of names) if (name !== EMBED_NAME) files.remove(name);
  if (names.includes(EMBED_NAME)) files.remove(EMBED_NAME);
  return files;
}

const STORE_CREATE_NAMES: OptionNames<StoreCreateOptions> = {
  ...ENVIRONMENT_NAMES,
  format: true,
  type: true,
  mode: true,
  cparams: CPARAM_NAMES,
};

/**
 * Makes an empty store that python-blosc2 can open. A `.b2z` is there only once the store has been closed.
 *
 * @throws ArgumentError; IoError, `BLOSC2_IO_EXISTS` with mode `"x"`, and for a directory that is no store; UnsupportedError
 * `BLOSC2_UNSUPPORTED_BACKEND` for a directory on a backend that has none.
 * @example
 * ```ts
 * using store = createStore("run.b2z", stdio());
 * store.set("/images/first", new Uint8Array(640 * 480), { shape: [480, 640] });
 * store.setAttributes({ camera: "north" }, "/images");
 * ```
 */
export function createStore(path: string, backend: IoBackend, options: StoreCreateOptions = {}): Store {
  checkOptionNames(STORE_CREATE_NAMES, options);
  const { format: wanted, type = "tree", mode = "w", cparams, ...environment } = options;
  const format = formatFor(path, wanted);
  const storeType = format === "b2e" ? "embed" : type;
  // python-blosc2 goes by the chunksize in the header when it embeds the first member.
  const embedOptions = { ...environment, typesize: 1, chunksize: EMBED_CHUNKSIZE, chunksizeInHeader: true };
  if (format !== "b2d" && backend.directories?.isDirectory(path)) throw exists(path);
  if (format === "b2z" && mode === "x" && backend.exists(path)) throw exists(path);
  let files: MemberFiles | undefined;
  let schunk: SChunk | undefined;
  try {
    if (format === "b2e") {
      schunk = SChunk.create({ ...embedOptions, cparams, urlpath: path, io: backend, mode });
    } else if (format === "b2d") {
      const directory = createDirectory(path, backend, mode);
      files = directory;
      schunk = SChunk.create({ ...embedOptions, urlpath: `${path}/${EMBED_NAME}`, io: directory.frames });
    } else {
      files = ZipMembers.create(path, backend);
      schunk = SChunk.create(embedOptions);
    }
    schunk.meta.setValue(typeMetalayer(storeType), { version: 1 });
    writeEmptyMap(schunk);
    schunk.flush();
    const embedded = new EmbeddedMembers(schunk, path);
    return new Store({ path, format, type: storeType, writable: true, files, embedded, environment, cparams });
  } catch (error) {
    throw firstFailure(
      error,
      () => schunk?.close(),
      () => files?.discard(),
    );
  }
}
