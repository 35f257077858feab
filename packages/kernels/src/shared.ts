/**
 * The kernels for memory that several threads share: each thread has an instance of its own with a part of the memory for itself, and all
 * of them see the rest. A build of its own, so that who has one thread neither loads it nor pays for it.
 *
 * @module
 */
import { type LinearMemory, PAGE } from "./arena.js";
import type { KernelExports } from "./kernel-exports.js";
import { Kernels } from "./load-kernels.js";
import { SHARED_KERNELS_WASM_HEX } from "./shared-kernels-wasm.js";
import { compileHex } from "./wasm-module.js";

/** A thread's part of a shared memory. */
export interface SharedPart {
  readonly memory: LinearMemory;
  /** Where it begins, a multiple of 65,536. The first one begins at 0. */
  readonly start: number;
  readonly end: number;
}

/** A compiled module; it can be sent to other threads, which need not compile it then. */
export type CompiledKernels = object;

let compiled: WebAssembly.Module | undefined;

/**
 * The module, compiled at the first call.
 *
 * @throws Error (the platform's `WebAssembly.CompileError`) where the platform lacks WebAssembly, SIMD, bulk memory operations or threads.
 */
export function sharedKernelsModule(): CompiledKernels {
  compiled ??= compileHex(SHARED_KERNELS_WASM_HEX);
  return compiled;
}

/**
 * Memory that can be sent to other threads, filled with zeros; none of it is touched.
 *
 * @throws RangeError when the platform refuses it; ReferenceError or TypeError where memory can't be shared, as in a page that is not isolated.
 */
export function makeSharedMemory(pages: number): LinearMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/**
 * An instance of the kernels for one thread, whose arena lies in `part`. Its kernels can read and write all of the memory.
 *
 * @throws Error (the platform's `WebAssembly.LinkError` or `RangeError`) when `module` is not that of {@link sharedKernelsModule}, or the part
 * is too small.
 */
export function loadSharedKernels(module: CompiledKernels, { memory, start, end }: SharedPart): Kernels {
  const imports = { env: { memory: memory as WebAssembly.Memory, base: start } };
  const { exports } = new WebAssembly.Instance(module as WebAssembly.Module, imports);
  return new Kernels(exports as unknown as KernelExports, memory, end);
}

/** Bytes of a page of memory. */
export const MEMORY_PAGE: number = PAGE;

export type { LinearMemory } from "./arena.js";
