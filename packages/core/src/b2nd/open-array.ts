/** Opening arrays. @module */
import type { IoBackend } from "../io/backend.js";
import type { SChunkOpenOptions } from "../super-chunk/schunk-options.js";
import { SChunk } from "../super-chunk/super-chunk.js";
import { NDArray } from "./nd-array.js";

function fromOpened(schunk: SChunk): NDArray {
  try {
    return NDArray.fromSChunk(schunk);
  } catch (error) {
    schunk.close();
    throw error;
  }
}

/**
 * Opens the array in a frame.
 *
 * @throws FormatError when the frame is damaged or holds no array; IoError; UnsupportedError.
 * @example
 * ```ts
 * using a = openArray("scan.b2nd", mmap());
 * ```
 */
export function openArray(path: string, backend: IoBackend, options: SChunkOpenOptions = {}): NDArray {
  return fromOpened(SChunk.open(path, backend, options));
}

/** The array in a frame's bytes; see {@link SChunk.fromCframe} for `copy`. */
export function arrayFromCframe(
  bytes: Uint8Array,
  options: { readonly copy?: boolean } & SChunkOpenOptions = {},
): NDArray {
  return fromOpened(SChunk.fromCframe(bytes, options));
}
