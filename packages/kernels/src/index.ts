/**
 * WebAssembly SIMD kernels for Blosc2 blocks. Low level: addresses in a linear memory, no allocation, results as codes.
 * `@b2frame/core` wraps them as its default engine.
 *
 * @module
 */
export { type Arena, type GrowableMemory, shiftApart } from "./arena.js";
export { type InflateDecoder, loadInflateDecoder } from "./inflate-decoder.js";
export { KERNEL_ERRORS } from "./kernel-errors.js";
export type { KernelExports } from "./kernel-exports.js";
export { type Kernels, kernelsSupported, loadKernels } from "./load-kernels.js";
export { StreamDecoderError } from "./stream-decoder-error.js";
export { loadZstdDecoder, type ZstdDecoder } from "./zstd-decoder.js";
