/**
 * The codecs `blosc` and `blosc2` for Zarr arrays, to register in zarrita, and Blosc2 arrays as a store of zarrita's.
 *
 * @module
 */

export {
  type B2frameStoreOptions,
  b2frameStore,
  type ZarrGetOptions,
  type ZarrReadable,
  type ZarrSourceStore,
} from "./b2frame-store.js";
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
