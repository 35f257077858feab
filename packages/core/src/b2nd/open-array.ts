/** Opening arrays. @module */
import { checkOptionNames } from "../checks/option-names.js";
import { chooseBackend, type IoOption } from "../io/named-backends.js";
import { SCHUNK_OPEN_NAMES } from "../super-chunk/schunk-option-names.js";
import type { SChunkCframeOptions, SChunkOpenOptions } from "../super-chunk/schunk-options.js";
import { SChunk } from "../super-chunk/super-chunk.js";
import { arrayOwning, type NDArray } from "./nd-array.js";

/**
 * Opens the array in a frame.
 *
 * @throws FormatError when the frame is damaged or holds no array; IoError; UnsupportedError.
 * @example
 * ```ts
 * using a = openArray("scan.b2nd", { io: mmap() });
 * ```
 */
export function openArray(path: string, options: SChunkOpenOptions & IoOption = {}): NDArray {
  checkOptionNames<SChunkOpenOptions & IoOption>({ ...SCHUNK_OPEN_NAMES, io: true, ioOptions: true }, options);
  const { io, ioOptions, ...rest } = options;
  return arrayOwning(SChunk.open(path, chooseBackend({ io, ioOptions }), rest));
}

/** The array in a frame's bytes; see {@link SChunk.fromCframe} for `copy`. */
export function arrayFromCframe(bytes: Uint8Array, options: SChunkCframeOptions = {}): NDArray {
  return arrayOwning(SChunk.fromCframe(bytes, options));
}
