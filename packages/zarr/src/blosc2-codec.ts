/** The codec `blosc2` of Zarr arrays. @module */
import { type ChunkEnvironment, compressChunk, decodeWholeChunk } from "@b2frame/core/codec";
import { type CodecConfig, readConfig } from "./codec-config.js";
import { itemSizeOf, type ZarrCodecEntry } from "./zarr-codec.js";

/** Some name the codec that python-blosc2 uses by default so. */
const DEFAULT_CODEC_ALIAS = "blosc2";

function codecOf({ codec }: CodecConfig): string | number {
  return codec === DEFAULT_CODEC_ALIAS ? "blosclz" : codec;
}

/**
 * The entry for `blosc2`: one Blosc2 chunk for each Zarr chunk. No registry of Zarr's defines the codec; those who register one under this
 * name (`numcodecs` codecs of several projects, imagecodecs) store what `blosc2.compress2` gives, which says in its header how
 * it was made. Configurations are numcodecs' or imagecodecs'.
 *
 * Errors as those of `blosc`.
 */
export function blosc2Entry(environment: ChunkEnvironment): ZarrCodecEntry {
  return {
    kind: "bytes_to_bytes",
    fromConfig: (configuration, { dataType }) => ({
      kind: "bytes_to_bytes",
      encode: (bytes) => {
        const config = readConfig(configuration, itemSizeOf(dataType));
        const { clevel, typesize, shuffle, blocksize, splitmode } = config;
        const filters = shuffle === "noshuffle" ? [] : [0, 0, 0, 0, 0, shuffle];
        const params = { codec: codecOf(config), clevel, typesize, blocksize, filters };
        return compressChunk(bytes, splitmode === undefined ? params : { ...params, splitmode }, environment);
      },
      decode: (bytes) => decodeWholeChunk(bytes, "blosc2 chunk", environment),
    }),
  };
}
