/** Single chunks, for programs that keep them in a place of their own. @module */
import type { CParams } from "@b2frame/core";
import { Chunk, chunkFromBytes, compressChunk, defaultEnvironment } from "@b2frame/core/codec";

/**
 * Compresses a buffer into one chunk, as C-Blosc2's `blosc2_compress_ctx` does.
 *
 * @param data at most 2 GiB; the typesize defaults to the size of its elements.
 * @throws ArgumentError for bad parameters; UnsupportedError for a codec or filter that is not registered; CodecError.
 * @example
 * ```ts
 * import { compress, decompress } from "b2frame";
 *
 * const chunk = compress(new Float64Array(1000), { codec: "zstd", clevel: 5, filters: ["shuffle"] });
 * const bytes = decompress(chunk); // 8000 bytes
 * ```
 */
export function compress(data: ArrayBufferView, cparams: Partial<CParams> = {}): Uint8Array {
  return compressChunk(data, cparams);
}

/**
 * What a chunk holds, in memory of the caller's own.
 *
 * @throws FormatError unless `chunk` begins with one whole chunk; CodecError; UnsupportedError for a codec or filter that is not
 * registered.
 */
export function decompress(chunk: Uint8Array): Uint8Array {
  return Chunk.open(chunkFromBytes(chunk), defaultEnvironment()).decompress();
}
