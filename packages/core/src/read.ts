/**
 * Reading only: chunks, contiguous frames and arrays, without anything that writes, for a small bundle in a browser. A program uses either
 * this entry or the main one; what both export is the same.
 *
 * @example
 * ```ts
 * import { openArrayReader } from "@b2frame/core/read";
 *
 * const response = await fetch("scan.b2nd");
 * using a = openArrayReader(new Uint8Array(await response.arrayBuffer()));
 * const crop = a.getSlice([10, 0, 0], [42, 32, 32]); // crop.data, crop.shape
 * ```
 *
 * @module
 */
export { ArrayReader, holdsArray } from "./b2nd/array-reader.js";
export type { ArraySelection, BlockPart, PartRange, SelectedChunk } from "./b2nd/array-selection.js";
export type { DimIndex, IndexInteger, IntegerArray, Slice, SliceBounds } from "./b2nd/dim-index.js";
export type { ArrayChunk } from "./b2nd/iterate-array.js";
export { openArrayReader } from "./b2nd/open-array-reader.js";
export { planSelection, type SelectionPlan, type SelectionPlanOptions } from "./b2nd/plan-selection.js";
export type { RowStreamRange } from "./b2nd/row-bands.js";
export type { Lent } from "./bytes/lent.js";
export { Chunk } from "./chunk/chunk.js";
export { type ChunkSource, chunkFromBytes } from "./chunk/chunk-source.js";
export { readingEnvironment } from "./chunk/reading-environment.js";
export { readingCodecs } from "./codec/reading-codecs.js";
export { allocate } from "./engine/allocate.js";
export * from "./errors.js";
export {
  type ByteRange,
  type ChunkPlacement,
  mergeRanges,
  planChunks,
  planHeader,
  planIndex,
} from "./frame/read-plan.js";
export { memoryHandle } from "./io/memory-backend.js";
export { type FetchedRange, RangeCacheHandle, rangeCacheHandle } from "./io/range-cache-handle.js";
export type { ByteStream, StreamOptions, StreamSignal } from "./streams/web-streams.js";
export type { ChunkInfo } from "./super-chunk/chunk-info.js";
export type { ItemStreamOptions } from "./super-chunk/chunk-pieces.js";
export { openSChunkReader, type ReaderOptions } from "./super-chunk/open-reader.js";
export type { ReadTarget } from "./super-chunk/read-target.js";
export { SuperChunkReader } from "./super-chunk/super-chunk-reader.js";
export type { ItemValue, NestedArray } from "./values/item-value.js";
export { Complex, EmbeddedFrame, MsgpackExtension, ObjectBuffer, Tuple } from "./values/msgpack-types.js";
export { NDBuffer } from "./values/nd-buffer.js";
