/**
 * Memory-mapped files for b2frame, and the advisory lock that C-Blosc2 and python-blosc2 use.
 *
 * @module
 */
export {
  FrameLock,
  type FrameLockHeld,
  type FrameLockKind,
  type FrameLockOptions,
  type FrameLockWait,
} from "./frame-lock.js";
export type { MappingAdvice, MappingDriverName } from "./mapping-driver.js";
export { type MmapBackend, mmap } from "./mmap-backend.js";
export type { MmapDiagnostic, MmapDiagnosticListener } from "./mmap-diagnostic.js";
export type { MmapOptions } from "./mmap-options.js";
export { type MappingDriverStatus, mappingDrivers } from "./select-drivers.js";
