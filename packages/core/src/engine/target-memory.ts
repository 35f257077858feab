/** Memory that blocks are decoded into and encoded from without a copy: each in the memory of a set of kernels of its own. @module */
import type { KernelsMemory } from "./kernels-memory.js";

const memories = new WeakMap<ArrayBufferLike, KernelsMemory | (() => KernelsMemory)>();

/** The kernels' memory that an allocated array is in, if it is one. */
export function memoryOf(bytes: Uint8Array): KernelsMemory | undefined {
  const known = memories.get(bytes.buffer);
  if (typeof known !== "function") return known;
  const memory = known();
  memories.set(bytes.buffer, memory);
  return memory;
}

/** Says whose memory an array is in, or how to get at it when it is needed. It must never grow again. */
export function keepMemoryOf(bytes: Uint8Array, memory: KernelsMemory | (() => KernelsMemory)): void {
  memories.set(bytes.buffer, memory);
}
