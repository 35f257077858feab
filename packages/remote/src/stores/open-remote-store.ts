/** Opening stores and sparse frames that lie elsewhere. @module */
import { ArgumentError, holdsArray, UnsupportedError } from "@b2frame/core";
import { readingCodecs } from "@b2frame/core/read";
import { openStore } from "@b2frame/stores";
import type { ByteSource } from "../byte-source.js";
import { checkRemoteOptions, httpOptionsOf, type RemoteOptions, type RemotePlace, sourceOf } from "../open-remote.js";
import { RemoteArray } from "../remote-array.js";
import { DEFAULT_CACHE } from "../remote-file.js";
import { RemoteSChunk } from "../remote-schunk.js";
import { FetchedBackend, type FetchedFiles } from "./fetched-backend.js";
import { directoryFiles, type FolderHandle, httpFiles, type RemoteFiles } from "./remote-files.js";
import { RemoteStore } from "./remote-store.js";
import { SparseContent } from "./sparse-content.js";

/** One file with all of a store in it, or many files: those of a folder that was picked, or anything that gives files by name. */
export type RemoteStorePlace = RemotePlace | RemoteFiles | FolderHandle;

function isFolder(place: unknown): place is FolderHandle {
  return (place as Partial<FolderHandle> | null)?.kind === "directory";
}

function isFiles(place: unknown): place is RemoteFiles {
  return typeof (place as Partial<RemoteFiles> | null)?.source === "function";
}

async function filesIn(files: RemoteFiles, signal: AbortSignal | undefined): Promise<FetchedFiles> {
  const { name: root } = files;
  const names = files.list === undefined ? undefined : new Set(await files.list(signal));
  return {
    root,
    names,
    isFolder: true,
    source: (path) => {
      const name = path.slice(root.length + 1);
      return names === undefined || names.has(name) ? files.source(name) : undefined;
    },
  };
}

function oneFile(source: ByteSource): FetchedFiles {
  return { root: source.name, isFolder: false, source: (path) => (path === source.name ? source : undefined) };
}

/**
 * Opens a store of python-blosc2: a `.b2z` or `.b2e` file behind a URL, in a `Blob` or file that a person picked, or a `.b2d` folder. Of a `.b2z`
 * the list of its members is fetched, and then what is read of them; they are not held against the ZIP file's sums, which would take all
 * of them.
 *
 * @throws FormatError if it is no store or a damaged one; UnsupportedError; IoError, with the reason `no-size` where a server does not
 * say how long the file is; ArgumentError; the signal's reason
 * @example
 * ```ts
 * using store = await openRemoteStore("https://example.org/run.b2z");
 * const image = await store.openArray("/images/first");
 * console.log((await image.getSlice([0], [10])).shape);
 * ```
 */
export async function openRemoteStore(place: RemoteStorePlace, options: RemoteOptions = {}): Promise<RemoteStore> {
  checkRemoteOptions(options);
  const { signal, cacheBytes = DEFAULT_CACHE } = options;
  let files: FetchedFiles;
  if (isFolder(place)) files = await filesIn(await directoryFiles(place), signal);
  else if (isFiles(place)) files = await filesIn(place, signal);
  else files = oneFile(await sourceOf(place, options));
  if (files.isFolder && files.names === undefined) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${files.root}: a store of many files needs their names: give list, or put it into one file (.b2z)`,
      { parameter: "place", path: files.root },
    );
  }
  const backend = new FetchedBackend(files, cacheBytes);
  try {
    const store = await backend.fetching(signal, () =>
      openStore(files.root, backend, { checkCrc: false, codecs: readingCodecs }),
    );
    return new RemoteStore(store, backend, options);
  } catch (error) {
    backend.reset();
    throw error;
  }
}

/**
 * Opens a sparse frame: a folder with an index that names the files of its chunks, so that no listing is needed. Each chunk that is touched
 * takes one request.
 *
 * @param place the URL of the folder, a folder that was picked, or anything that gives files by name.
 * @throws FormatError; IoError; ArgumentError; the signal's reason
 * @example
 * ```ts
 * const array = await openRemoteSparse("https://example.org/scan.b2nd/");
 * ```
 */
export async function openRemoteSparse(
  place: string | URL | RemoteFiles | FolderHandle,
  options: RemoteOptions = {},
): Promise<RemoteArray | RemoteSChunk> {
  checkRemoteOptions(options);
  const { signal, cacheBytes = DEFAULT_CACHE } = options;
  if (options.pool !== undefined) {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED",
      "pool: the chunks of a sparse frame are decoded by the thread that reads them; leave the option away",
      { feature: "decoding sparse frames in workers" },
    );
  }
  let files: RemoteFiles;
  if (isFolder(place)) files = await directoryFiles(place);
  else if (isFiles(place)) files = place;
  else files = httpFiles(place, httpOptionsOf(options));
  const backend = new FetchedBackend(await filesIn(files, signal), cacheBytes);
  try {
    const content = await SparseContent.open(files.name, backend, options);
    return holdsArray(content.schunk) ? new RemoteArray(content) : new RemoteSChunk(content);
  } catch (error) {
    backend.reset();
    throw error;
  }
}
