/**
 * Reading and writing on several threads of Node.js: the entry `b2frame/workers`.
 *
 * @example
 * ```ts
 * import { readArray } from "b2frame/workers";
 *
 * const crop = await readArray("scan.b2nd", [{ start: 10, stop: 42 }, null, 7], { io: "mmap", workers: 2 });
 * ```
 * @module
 */
export {
  type AppendOptions,
  appendChunks,
  ChunkStream,
  type FrameOptions,
  type ItemRange,
  type ModuleExport,
  type Pieces,
  type PoolDiagnostic,
  type ReadChunksOptions,
  type ReadOptions,
  readAll,
  readArray,
  readChunks,
  readSlice,
  type WorkerIoOption,
  type WorkerOptions,
  WorkerPool,
  type WorkerPoolOptions,
} from "@b2frame/workers";
