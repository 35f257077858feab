/**
 * The codecs `blosc` and `blosc2` for Zarr arrays, to register in zarrita.
 *
 * @module
 */

export { bloscEntry } from "./blosc-codec.js";
export { blosc2Entry } from "./blosc2-codec.js";
export type { ChunkPool } from "./chunk-pool.js";
export { registerBloscCodecs, type ZarrCodecOptions } from "./register-codecs.js";
export type {
  PooledZarrCodec,
  PooledZarrCodecEntry,
  ZarrArrayMetadata,
  ZarrCodec,
  ZarrCodecEntry,
  ZarrCodecRegistry,
} from "./zarr-codec.js";
