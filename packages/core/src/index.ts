/**
 * Blosc2 chunks, frames, super-chunks and B2ND arrays over a pluggable I/O backend.
 *
 * @module
 */
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
export { compressChunk } from "./chunk/compress-chunk.js";
export { compressVlBlocks } from "./chunk/compress-vl-blocks.js";
export { type CParams, type ResolvedCParams, resolveCParams, type SplitMode } from "./chunk/cparams.js";
export { encodeSpecialChunk } from "./chunk/special-chunk.js";
export type { BlockGeometry, Codec, CodecContext } from "./codec/codec.js";
export { type CodecRegistration, CodecRegistry, defaultCodecs, registerCodec } from "./codec/codec-registry.js";
export { createZlibCodec, type ZlibLibrary } from "./codec/create-zlib-codec.js";
export { createZstdCodec, type ZstdLibrary } from "./codec/create-zstd-codec.js";
export * from "./errors.js";
export type { IoBackend, IoCapabilities, IoDirectories, IoHandle, OpenMode } from "./io/backend.js";
export {
  CheckedHandle,
  type CheckedHandleFacts,
  checkHandle,
  openChecked,
  requireOpenable,
} from "./io/checked-handle.js";
export { type IoOperationFacts, ioFailure, shortRead } from "./io/io-failure.js";
export { type MemoryHandleOptions, type MemoryOptions, memory, memoryHandle } from "./io/memory-backend.js";
export { type FetchedRange, RangeCacheHandle, rangeCacheHandle } from "./io/range-cache-handle.js";
export { DEFAULT_LIMITS, type Limits } from "./limits.js";
export type { ChunkInfo } from "./super-chunk/chunk-info.js";
export type { Metalayers } from "./super-chunk/metalayers.js";
export { createUdio, openUdio } from "./super-chunk/open-udio.js";
export type {
  SChunkCframeOptions,
  SChunkCopyOptions,
  SChunkCreateOptions,
  SChunkEnvironmentOptions,
  SChunkHandleOptions,
  SChunkOpenOptions,
  SpecialFill,
} from "./super-chunk/schunk-options.js";
export { SChunk } from "./super-chunk/super-chunk.js";
export type { SuperChunkReader } from "./super-chunk/super-chunk-reader.js";
export type { VlMetalayers } from "./super-chunk/vl-metalayers.js";
