/**
 * Blosc2 chunks, frames, super-chunks and B2ND arrays over a pluggable I/O backend.
 *
 * @module
 */
export * from "./errors.js";
export type { IoBackend, IoCapabilities, IoDirectories, IoHandle, OpenMode } from "./io/backend.js";
