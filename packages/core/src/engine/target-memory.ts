/** Memory for results that blocks are decoded into without a copy: each in the memory of a set of kernels of its own. @module */
import type { KernelsMemory } from "./kernels-memory.js";

const memories = new WeakMap<ArrayBufferLike, KernelsMemory>();

/** The kernels' memory that an allocated target is in, if it is one. */
export function memoryOf(target: Uint8Array): KernelsMemory | undefined {
  return memories.get(target.buffer);
}

/** Says whose memory a target is in. It must never grow again. */
export function keepMemoryOf(target: Uint8Array, memory: KernelsMemory): void {
  memories.set(target.buffer, memory);
}
