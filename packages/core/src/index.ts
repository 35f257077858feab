/**
 * Blosc2 chunks, frames, super-chunks and B2ND arrays over a pluggable I/O backend.
 *
 * @module
 */

export type { ArrayInput, NestedValues } from "./b2nd/array-input.js";
export { type ArrayReader, holdsArray } from "./b2nd/array-reader.js";
export type { ArraySelection, BlockPart, PartRange, SelectedChunk } from "./b2nd/array-selection.js";
export type { ChunkGrid } from "./b2nd/chunk-grid.js";
export { type ArrayCopyOptions, concatenate, copyArray, expandDims, squeeze } from "./b2nd/copy-array.js";
export { type ArrayCreateOptions, asarray, empty, full, nans, uninit, zeros } from "./b2nd/create-array.js";
export { chooseShapes, type ShapeChoice } from "./b2nd/default-shapes.js";
export type { DimIndex, IndexInteger, IntegerArray, Slice, SliceBounds } from "./b2nd/dim-index.js";
export { type FrameKind, frameKindOf } from "./b2nd/frame-kind.js";
export { type ArrayChunk, iterateChunks } from "./b2nd/iterate-array.js";
export { NDArray } from "./b2nd/nd-array.js";
export { decodeNpy, decodeNpyHeader, encodeNpy, encodeNpyHeader, type NpyHeader } from "./b2nd/npy.js";
export { arrayFromCframe, openArray } from "./b2nd/open-array.js";
export { planSelection, type SelectionPlan, type SelectionPlanOptions } from "./b2nd/plan-selection.js";
export { append, deleteItems, insert, resize } from "./b2nd/resize-array.js";
export type {
  BlockCoding,
  BlockDecodeRequest,
  BlockEncodeRequest,
  BlockEncodeResult,
  Engine,
} from "./block/engine.js";
export { describeValue } from "./checks/describe-value.js";
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
export { compressBorrowed, compressChunk } from "./chunk/compress-chunk.js";
export { compressVlBlocks } from "./chunk/compress-vl-blocks.js";
export { type CParams, type ResolvedCParams, resolveCParams, type SplitMode } from "./chunk/cparams.js";
export { encodeSpecialChunk } from "./chunk/special-chunk.js";
export { blosclzCodec } from "./codec/blosclz-codec.js";
export type { BlockGeometry, Codec, CodecContext } from "./codec/codec.js";
export { type CodecRegistration, CodecRegistry, defaultCodecs, registerCodec } from "./codec/codec-registry.js";
export { createZlibCodec, type ZlibLibrary } from "./codec/create-zlib-codec.js";
export { createZstdCodec, type ZstdLibrary } from "./codec/create-zstd-codec.js";
export { lz4Codec, lz4hcCodec } from "./codec/lz4-codec.js";
export { zlibCodec } from "./codec/zlib-codec.js";
export type { EngineName } from "./engine/make-engine.js";
export { defaultEngine } from "./engine/select-engine.js";
export * from "./errors.js";
export type { Filter, FilterContext } from "./filter/filter.js";
export {
  defaultFilters,
  type FilterRegistration,
  FilterRegistry,
  registerFilter,
} from "./filter/filter-registry.js";
export type { FilterSpec } from "./filter/filter-slots.js";
export { CHECKSUMS_NAME } from "./frame/chunk-checksums.js";
export type { Durability } from "./frame/durability.js";
export { describeForeignFile, FILE_HEAD_LENGTH, type FileKind, fileKindOf } from "./frame/file-kind.js";
export type { Locking, LockingOptions } from "./frame/frame-locking.js";
export { type ByteRange, type ChunkPlacement, planChunks, planHeader, planIndex } from "./frame/read-plan.js";
export { firstFailure, Replacement, type ReplacementOptions } from "./frame/replace-file.js";
export type {
  EntryKind,
  IoBackend,
  IoCapabilities,
  IoDirectories,
  IoHandle,
  IoLock,
  IoLockHeld,
  IoLockOptions,
  LockKind,
  NameChange,
  OpenMode,
} from "./io/backend.js";
export {
  CheckedHandle,
  type CheckedHandleFacts,
  checkHandle,
  openChecked,
  requireOpenable,
} from "./io/checked-handle.js";
export { type IoOperationFacts, ioFailure, shortRead } from "./io/io-failure.js";
export { type MemoryHandleOptions, type MemoryOptions, memory, memoryHandle } from "./io/memory-backend.js";
export { isNewFileName, newFileName, openNewChecked } from "./io/new-file.js";
export { type FetchedRange, RangeCacheHandle, rangeCacheHandle } from "./io/range-cache-handle.js";
export { DEFAULT_LIMITS, type Limits } from "./limits.js";
export type { ChunkInfo } from "./super-chunk/chunk-info.js";
export type { HeldLock } from "./super-chunk/held-lock.js";
export type { MetalayerReader } from "./super-chunk/metalayer-reader.js";
export type { Metalayers } from "./super-chunk/metalayers.js";
export { createUdio, openUdio } from "./super-chunk/open-udio.js";
export type {
  RecipePolicy,
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
export type { VlMetalayerReader } from "./super-chunk/vl-metalayer-reader.js";
export type { VlMetalayers } from "./super-chunk/vl-metalayers.js";
export type { DType, DTypeArray, DTypeField, DTypeKind } from "./values/dtype.js";
export type { ItemValue, NestedArray } from "./values/item-value.js";
export { decodeMsgpack } from "./values/msgpack-decode.js";
export { encodeMsgpack } from "./values/msgpack-encode.js";
export { Complex, EmbeddedFrame, MsgpackExtension, ObjectBuffer, Tuple } from "./values/msgpack-types.js";
export { NDBuffer } from "./values/nd-buffer.js";
export { parseDType } from "./values/parse-dtype.js";
export type { AbortLike } from "./verify/abort.js";
export type { IndexSource } from "./verify/recover-chunks.js";
export { type RepairOptions, type RepairReport, repairFrame } from "./verify/repair-frame.js";
export type { ChecksumCounts } from "./verify/verify-chunks.js";
export { type VerifyOptions, type VerifyReport, verifyFrame } from "./verify/verify-frame.js";
export type { VerifyProblem } from "./verify/verify-problem.js";
