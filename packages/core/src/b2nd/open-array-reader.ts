/** Opening arrays for reading only. @module */
import type { IoHandle } from "../io/backend.js";
import { openSChunkReader, type ReaderOptions } from "../super-chunk/open-reader.js";
import { ArrayReader } from "./array-reader.js";

/**
 * Opens the array in a contiguous frame for reading.
 *
 * @param source as in `openSChunkReader`.
 * @throws FormatError when the frame is damaged or holds no array; IoError; UnsupportedError
 * @example
 * ```ts
 * import { openArrayReader, rangeCacheHandle } from "@b2frame/core/read";
 *
 * using a = openArrayReader(rangeCacheHandle(size, fetchedRanges).handle);
 * const crop = a.getSlice([10, 0, 0], [42, 32, 32]);
 * ```
 */
export function openArrayReader(source: IoHandle | Uint8Array, options: ReaderOptions = {}): ArrayReader {
  const schunk = openSChunkReader(source, options);
  try {
    return new ArrayReader(schunk);
  } catch (error) {
    schunk.close();
    throw error;
  }
}
