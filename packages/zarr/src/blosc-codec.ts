/** The codec `blosc` of Zarr v2 and v3. @module */
import { type ChunkEnvironment, compressBlosc1Chunk, decodeWholeChunk } from "@b2frame/core/codec";
import { readConfig } from "./codec-config.js";
import { itemSizeOf, type ZarrCodecEntry } from "./zarr-codec.js";

/**
 * The entry for `blosc`: chunks of Blosc 1, as numcodecs and zarr-python write and read them. Its configuration is numcodecs' (`cname`,
 * `clevel`, `shuffle` -1 to 2, `blocksize`) or Zarr v3's (`shuffle` by name, `typesize`).
 *
 * `encode` throws an ArgumentError for a configuration that can't be, UnsupportedError for `snappy`; `decode` needs none, and throws for
 * chunks that are cut, damaged or followed by other bytes.
 */
export function bloscEntry(environment: ChunkEnvironment): ZarrCodecEntry {
  return {
    kind: "bytes_to_bytes",
    fromConfig: (configuration, { dataType }) => ({
      kind: "bytes_to_bytes",
      encode: (bytes) => {
        const { codec, clevel, typesize, shuffle, blocksize } = readConfig(configuration, itemSizeOf(dataType));
        return compressBlosc1Chunk(bytes, { codec: `${codec}`, clevel, typesize, shuffle, blocksize }, environment);
      },
      decode: (bytes) => decodeWholeChunk(bytes, "blosc chunk", environment),
    }),
  };
}
