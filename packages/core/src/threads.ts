/**
 * What threads that work on the same bytes need: memory that all of them decode into and encode from without a copy, and parts of a selection.
 * `@b2frame/workers` is made of it; use that.
 *
 * @module
 */
/// <reference lib="esnext.disposable" preserve="true" />

export { readBlocks } from "./b2nd/array-reader.js";
export { compressInto } from "./chunk/compress-chunk.js";
export { allocateShared, attachShared, type SharedAllocation, type Sharing, sharingOf } from "./engine/share-memory.js";
