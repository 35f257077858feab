/**
 * Reading and writing Blosc2 frames on several threads of Node.js: the same bytes as on one, in the same order.
 *
 * @module
 */
export { type AppendParallelOptions, appendParallel, type Pieces } from "./append-parallel.js";
export { type BackendDescription, type ModuleExport, resolveBackend } from "./backend-description.js";
export type { FrameOptions } from "./open-frame.js";
export { ReadAhead, type ReadAheadOptions, readAhead } from "./read-ahead.js";
export {
  decompressAll,
  type ItemRange,
  type ReadParallelOptions,
  readArrayParallel,
  readSliceParallel,
} from "./read-parallel.js";
export type { WorkerOptions } from "./worker-options.js";
export { WorkerPool, type WorkerPoolOptions } from "./worker-pool.js";
