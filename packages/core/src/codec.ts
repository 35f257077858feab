/**
 * Single chunks, and what they are made with: codecs, filters, engines, and their registries.
 *
 * @module
 */
/// <reference lib="esnext.disposable" preserve="true" />

export type {
  BlockCoding,
  BlockDecodeRequest,
  BlockEncodeRequest,
  BlockEncodeResult,
  Engine,
} from "./block/engine.js";
export { Lease } from "./block/lease.js";
export { checkLentMemory, type Lent } from "./bytes/lent.js";
export { Chunk } from "./chunk/chunk.js";
export {
  type BlockHook,
  type BlockHookInfo,
  type ChunkEnvironment,
  defaultEnvironment,
  type EnvironmentOptions,
} from "./chunk/chunk-environment.js";
export { type ChunkHeader, decodeChunkHeader, type SpecialKind } from "./chunk/chunk-header.js";
export { type ChunkSource, chunkFromBytes } from "./chunk/chunk-source.js";
export { type Blosc1CParams, type Blosc1Shuffle, compressBlosc1Chunk } from "./chunk/compress-blosc1-chunk.js";
export { compressChunk, compressLent } from "./chunk/compress-chunk.js";
export { compressVlBlocks } from "./chunk/compress-vl-blocks.js";
export { type CParams, type ResolvedCParams, resolveCParams, type SplitMode } from "./chunk/cparams.js";
export { decodeWholeChunk } from "./chunk/decode-whole-chunk.js";
export { NewChunk, type StoredHeader } from "./chunk/new-chunk.js";
export { encodeSpecialChunk } from "./chunk/special-chunk.js";
export { blosclzCodec } from "./codec/blosclz-codec.js";
export type { BlockGeometry, Codec, CodecContext } from "./codec/codec.js";
export { type CodecRegistration, CodecRegistry, defaultCodecs, registerCodec } from "./codec/codec-registry.js";
export { createZlibCodec, type ZlibLibrary } from "./codec/create-zlib-codec.js";
export { createZstdCodec, type ZstdLibrary } from "./codec/create-zstd-codec.js";
export { lz4Codec, lz4hcCodec } from "./codec/lz4-codec.js";
export { zlibCodec } from "./codec/zlib-codec.js";
export { allocate } from "./engine/allocate.js";
export type { EngineName } from "./engine/make-engine.js";
export { defaultEngine } from "./engine/select-engine.js";
export type { Filter, FilterContext } from "./filter/filter.js";
export {
  defaultFilters,
  type FilterRegistration,
  FilterRegistry,
  registerFilter,
} from "./filter/filter-registry.js";
export type { FilterSpec } from "./filter/filter-slots.js";
export { compressionFor } from "./super-chunk/compression-for.js";
