/**
 * Blosc2 chunks, frames, super-chunks and B2ND arrays over a pluggable I/O backend.
 *
 * @module
 */
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
