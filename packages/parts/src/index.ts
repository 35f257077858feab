/**
 * Frames and arrays that several processes or machines write in parts: a plan, parts that may be written in any order and more than once,
 * and one step that joins them without decoding and publishes the result at once. Any engine can run these steps.
 *
 * @example
 * ```ts
 * import { finalizeParts, npySource, planParts, writePart } from "@b2frame/parts";
 *
 * const plan = planParts("scan.b2nd", { shape: [1000, 512, 512], dtype: "<u2", parts: 16 }); // once
 * await writePart("scan.b2nd", 3, npySource("scan.npy", stdio()));                         // anywhere, for each part
 * finalizeParts("scan.b2nd");                                                             // once all are there
 * ```
 *
 * @module
 */
/// <reference lib="esnext.disposable" preserve="true" />

export { type Aborted, abortParts } from "./abort-parts.js";
export { boxOfChunk, type ChunkBox } from "./chunk-box.js";
export { type Finalized, type FinalizeOptions, finalizeParts } from "./finalize-parts.js";
export { type ChunkMap, mapParts } from "./map-parts.js";
export { NpyReader } from "./npy-reader.js";
export { arraySource, npySource, type PartSource, rawSource, schunkSource } from "./part-source.js";
export {
  type DamagedPart,
  numbersText,
  type PartStatusOptions,
  type PartsStatus,
  partStatus,
  partsPlanOf,
} from "./part-status.js";
export type { PartRange, PartsPlan, PlanGeometry } from "./plan.js";
export { type PlanOptions, planParts } from "./plan-parts.js";
export { type PartWritten, type WritePartOptions, writePart } from "./write-part.js";
export { isZarr, zarrSource } from "./zarr-source.js";
