/**
 * Blosc2 frames, super-chunks and B2ND arrays over a pluggable I/O backend. What authors of backends need is in `@b2frame/core/backend`;
 * single chunks, codecs, filters and engines are in `@b2frame/core/codec`.
 *
 * @module
 */
/// <reference lib="esnext.disposable" preserve="true" />

export type { AppendFromOptions } from "./b2nd/append-rows.js";
export type { ArrayInput, NestedValues, ScalarInput } from "./b2nd/array-input.js";
export { type ArrayReader, holdsArray } from "./b2nd/array-reader.js";
export type { ArrayCreateOptions } from "./b2nd/array-schunk.js";
export type { ArraySelection, BlockPart, PartRange, SelectedChunk } from "./b2nd/array-selection.js";
export type { ChunkGrid } from "./b2nd/chunk-grid.js";
export { concatenate } from "./b2nd/concatenate-arrays.js";
export type { ArrayCopyOptions } from "./b2nd/copy-array.js";
export { asarray, empty, full, nans, uninit, zeros } from "./b2nd/create-array.js";
export { chooseShapes, type ShapeChoice } from "./b2nd/default-shapes.js";
export type { DimIndex, IndexInteger, IntegerArray, Slice, SliceBounds } from "./b2nd/dim-index.js";
export { type FrameKind, frameKindOf } from "./b2nd/frame-kind.js";
export type { ArrayChunk } from "./b2nd/iterate-array.js";
export { NDArray } from "./b2nd/nd-array.js";
export { decodeNpy, decodeNpyHeader, encodeNpy, encodeNpyHeader, type NpyHeader } from "./b2nd/npy.js";
export { arrayFromCframe, openArray } from "./b2nd/open-array.js";
export type { RowStreamRange } from "./b2nd/row-bands.js";
export type { RowWriter, RowWriterOptions } from "./b2nd/row-writer.js";
export type { Lent } from "./bytes/lent.js";
export type { EnvironmentOptions } from "./chunk/chunk-environment.js";
export type { SpecialKind } from "./chunk/chunk-header.js";
export type { CParams, SplitMode } from "./chunk/cparams.js";
export type { Codec } from "./codec/codec.js";
export { type CodecRegistration, type CodecRegistry, defaultCodecs, registerCodec } from "./codec/codec-registry.js";
export type { EngineName } from "./engine/make-engine.js";
export * from "./errors.js";
export type { Filter } from "./filter/filter.js";
export {
  defaultFilters,
  type FilterRegistration,
  type FilterRegistry,
  registerFilter,
} from "./filter/filter-registry.js";
export type { FilterSpec } from "./filter/filter-slots.js";
export type { Durability } from "./frame/durability.js";
export type { Locking, LockingOptions } from "./frame/frame-locking.js";
export { type ByteRange, type ChunkPlacement, planChunks, planHeader, planIndex } from "./frame/read-plan.js";
export type { IoBackend, IoHandle, LockKind, OpenMode } from "./io/backend.js";
export { type MemoryHandleOptions, type MemoryOptions, memory, memoryHandle } from "./io/memory-backend.js";
export type { IoChoice, IoOption } from "./io/named-backends.js";
export { type FetchedRange, type RangeCacheHandle, rangeCacheHandle } from "./io/range-cache-handle.js";
export { DEFAULT_LIMITS, type Limits } from "./limits.js";
export type { BytePiece } from "./streams/byte-pieces.js";
export type { ByteStream, PieceSource, StreamOptions, StreamSignal, WebReadable } from "./streams/web-streams.js";
export type { ChunkInfo } from "./super-chunk/chunk-info.js";
export type { ItemStreamOptions } from "./super-chunk/chunk-pieces.js";
export type { HeldLock } from "./super-chunk/held-lock.js";
export type { MetalayerReader } from "./super-chunk/metalayer-reader.js";
export type { Metalayers } from "./super-chunk/metalayers.js";
export { createUdio, openUdio } from "./super-chunk/open-udio.js";
export type { ReadTarget } from "./super-chunk/read-target.js";
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
export type { ChunkRange } from "./verify/chunk-ranges.js";
export type { IndexSource } from "./verify/recover-chunks.js";
export { type RepairOptions, type RepairReport, repairFrame } from "./verify/repair-frame.js";
export type { ChecksumCounts } from "./verify/verify-chunks.js";
export { type VerifyOptions, type VerifyReport, verifyFrame } from "./verify/verify-frame.js";
export type { VerifyProblem } from "./verify/verify-problem.js";
