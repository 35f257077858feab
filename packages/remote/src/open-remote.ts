/** Opening what lies behind a URL, in a Blob, or anywhere else. @module */
import { checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import { ArgumentError, holdsArray } from "@b2frame/core/read";
import { blobSource, isPickedFile, type PickedFile } from "./blob-source.js";
import type { ByteSource } from "./byte-source.js";
import { HTTP_NAMES, type HttpOptions, httpSource } from "./http-source.js";
import { RemoteArray } from "./remote-array.js";
import { RemoteFile, type RemoteFileOptions } from "./remote-file.js";
import { RemoteSChunk } from "./remote-schunk.js";

/** Options of {@link openRemote}. */
export interface RemoteOptions extends RemoteFileOptions, HttpOptions {}

const REMOTE_NAMES: OptionNames<RemoteOptions> = {
  ...HTTP_NAMES,
  offset: true,
  cacheBytes: true,
  maxGap: true,
  maxWholeChunk: true,
  pool: true,
  checksum: true,
  signal: true,
};

/** A file: behind a URL, in a `Blob` or `File`, one that was picked (`FileSystemFileHandle`), or anything that gives bytes by position. */
export type RemotePlace = string | URL | Blob | PickedFile | ByteSource;

/** @throws ArgumentError for an option whose name is not known */
export function checkRemoteOptions(options: RemoteOptions): void {
  checkOptionNames(REMOTE_NAMES, options);
}

/** The options of requests among others. */
export function httpOptionsOf({
  offset: _,
  cacheBytes: __,
  maxGap: ___,
  maxWholeChunk: ____,
  pool: _____,
  checksum: ______,
  signal: _______,
  ...http
}: RemoteOptions): HttpOptions {
  return http;
}

/** @throws ArgumentError for what is no place */
export async function sourceOf(source: RemotePlace, options: RemoteOptions): Promise<ByteSource> {
  if (typeof source === "string" || source instanceof URL) return httpSource(source, httpOptionsOf(options));
  if (typeof Blob !== "undefined" && source instanceof Blob) return blobSource(source);
  if (isPickedFile(source)) return blobSource(await source.getFile(), source.name);
  if (typeof (source as Partial<ByteSource> | null)?.readRange === "function") return source as ByteSource;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "source: expected a URL, a Blob, a file handle or a ByteSource", {
    parameter: "source",
  });
}

/**
 * Opens a contiguous frame: an array if it holds one, else a super-chunk. Takes one request for a small frame, two for others.
 *
 * @throws FormatError, IoError, ArgumentError; the signal's reason
 * @example
 * ```ts
 * const array = await openRemote("https://example.org/scan.b2nd");
 * if (array instanceof RemoteArray) {
 *   const crop = await array.getSlice([10, 0, 0], [74, 64, 64]);
 *   console.log(crop.shape, array.stats.requests);
 * }
 * ```
 */
export async function openRemote(
  source: RemotePlace,
  options: RemoteOptions = {},
): Promise<RemoteArray | RemoteSChunk> {
  checkRemoteOptions(options);
  const file = await RemoteFile.open(await sourceOf(source, options), options);
  return holdsArray(file.schunk) ? new RemoteArray(file) : new RemoteSChunk(file);
}

/** {@link openRemote} for a frame that must hold an array. @throws ArgumentError if it holds none */
export async function openRemoteArray(source: RemotePlace, options: RemoteOptions = {}): Promise<RemoteArray> {
  const opened = await openRemote(source, options);
  if (opened instanceof RemoteArray) return opened;
  opened.close();
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${opened.name}: holds a super-chunk, no array; use openRemote`, {
    parameter: "source",
  });
}
