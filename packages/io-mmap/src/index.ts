/**
 * Memory-mapped files for b2frame.
 *
 * @module
 */
export type { MappingAdvice, MappingDriverName } from "./mapping-driver.js";
export { type MmapBackend, mmap } from "./mmap-backend.js";
export type { MmapDiagnostic, MmapDiagnosticListener } from "./mmap-diagnostic.js";
export type { MmapOptions } from "./mmap-options.js";
export { type MappingDriverStatus, mappingDrivers } from "./select-drivers.js";
