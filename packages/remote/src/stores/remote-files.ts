/** Places with several files: what a sparse frame or a `.b2d` store lies in. @module */
import { ArgumentError, IoError } from "@b2frame/core/read";
import { blobSource, type PickedFile } from "../blob-source.js";
import type { ByteSource } from "../byte-source.js";
import { type HttpOptions, httpSource } from "../http-source.js";

/**
 * Files by name. {@link httpFiles} and {@link directoryFiles} make them; anything else can be one, too.
 *
 * @example
 * ```ts
 * const files: RemoteFiles = {
 *   name: "scan",
 *   source: (path) => ({ name: path, readRange: async ({ position, byteLength }) => storage.read(path, position, byteLength) }),
 * };
 * const frame = await openRemoteSparse(files);
 * ```
 */
export interface RemoteFiles {
  /** For messages. */
  readonly name: string;
  /** The bytes of a file. @param path relative, with `/` */
  source(path: string): ByteSource;
  /** The paths of all files, those in folders included. Sparse frames do without, stores do not. */
  list?(signal?: AbortSignal): Promise<string[]>;
}

/**
 * Files below a URL. Web servers do not list files: a `.b2d` store needs their names from elsewhere.
 *
 * @param names the paths of all files, if they are known.
 */
export function httpFiles(url: string | URL, options: HttpOptions = {}, names?: readonly string[]): RemoteFiles {
  const base = String(url).replace(/\/+$/, "");
  return {
    name: base,
    source: (path) => httpSource(`${base}/${path.split("/").map(encodeURIComponent).join("/")}`, options),
    ...(names === undefined ? {} : { list: () => Promise.resolve([...names]) }),
  };
}

/** As browsers have them; what is used of it. */
export interface FolderHandle {
  readonly kind: "directory";
  readonly name: string;
  entries(): AsyncIterable<[string, FolderHandle | PickedFile]>;
}

/** Deeper folders, and more files, than any store has. */
const MAX_DEPTH = 128;
const MAX_FILES = 1 << 20;

/**
 * The files of a folder that a person picked (`showDirectoryPicker`) or of the origin's private file system
 * (`navigator.storage.getDirectory`), those in folders included.
 *
 * @throws IoError if a folder can't be listed; ArgumentError for more than 2^20 files or 128 levels
 */
export async function directoryFiles(folder: FolderHandle): Promise<RemoteFiles> {
  const found = new Map<string, PickedFile>();
  try {
    await collect(folder, "", 0, found);
  } catch (error) {
    if (error instanceof ArgumentError) throw error;
    throw new IoError(
      "BLOSC2_IO_FAILED",
      `${folder.name}: the folder can't be listed`,
      { operation: "list", path: folder.name },
      error,
    );
  }
  return {
    name: folder.name === "" ? "folder" : folder.name,
    source: (path) => pickedSource(path, found.get(path)),
    list: () => Promise.resolve([...found.keys()]),
  };
}

async function collect(
  folder: FolderHandle,
  prefix: string,
  depth: number,
  found: Map<string, PickedFile>,
): Promise<void> {
  for await (const [name, entry] of folder.entries()) {
    if (depth >= MAX_DEPTH || found.size >= MAX_FILES) {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${folder.name}: too many files or levels for a store`, {
        parameter: "folder",
      });
    }
    if (entry.kind === "directory") await collect(entry, `${prefix}${name}/`, depth + 1, found);
    else found.set(prefix + name, entry);
  }
}

/** A source over a file that is opened when it is first read. */
export function pickedSource(path: string, file: PickedFile | undefined): ByteSource {
  let opened: Promise<ByteSource> | undefined;
  return {
    name: path,
    async readRange(range, options) {
      if (file === undefined) {
        throw new IoError("BLOSC2_IO_NOT_FOUND", `${path}: there is no such file in the folder`, {
          operation: "open",
          path,
        });
      }
      opened ??= file.getFile().then((blob) => blobSource(blob, path));
      return (await opened).readRange(range, options);
    },
    reset() {
      opened = undefined;
    },
  };
}
