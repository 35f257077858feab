/**
 * Reading and writing Blosc2 frames on several threads of Node.js: the same bytes as on one, in the same order.
 *
 * @module
 */
export { type AppendOptions, appendChunks, type Pieces } from "./append-chunks.js";
export type { ModuleExport, WorkerIoOption } from "./backend-spec.js";
export type { FrameOptions } from "./open-frame.js";
export type { PoolDiagnostic } from "./pool-state.js";
export { ChunkStream, type ReadChunksOptions, readChunks } from "./read-chunks.js";
export {
  type ItemRange,
  type ReadOptions,
  readAll,
  readArray,
  readSlice,
} from "./read-output.js";
export type { WorkerOptions } from "./worker-options.js";
export { WorkerPool, type WorkerPoolOptions } from "./worker-pool.js";
