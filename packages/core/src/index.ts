/**
 * Blosc2 chunks, frames, super-chunks and B2ND arrays over a pluggable I/O backend.
 *
 * @module
 */
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
