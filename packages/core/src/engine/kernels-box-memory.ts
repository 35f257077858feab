/** Copies of boxes in the kernels' memory. @module */
import { type Kernels, shiftApart } from "@b2frame/kernels";
import type { BoxMemory } from "../block/box-memory.js";
import type { KernelsMemory } from "./kernels-memory.js";

/** What `copyBox` reads of a box. */
export class KernelsBoxTable {
  #table: Int32Array = new Int32Array(0);

  /** Strides in bytes, one per dimension, of at most 16. */
  fill(
    { bytes, exports }: Kernels,
    sourceStrides: readonly number[],
    targetStrides: readonly number[],
    shape: readonly number[],
  ): void {
    if (this.#table.buffer !== bytes.buffer) this.#table = new Int32Array(bytes.buffer, exports.boxTable(), 48);
    const table = this.#table;
    for (let dim = 0, at = 0; dim < shape.length; dim++) {
      table[at++] = shape[dim] as number;
      table[at++] = sourceStrides[dim] as number;
      table[at++] = targetStrides[dim] as number;
    }
  }
}

/** See {@link BoxMemory}. */
export class KernelsBoxMemory implements BoxMemory {
  readonly #memory: KernelsMemory;
  #byteLength = 0;
  #view: Uint8Array = new Uint8Array(0);
  readonly #table: KernelsBoxTable = new KernelsBoxTable();

  constructor(memory: KernelsMemory) {
    this.#memory = memory;
  }

  reserve(byteLength: number, blockByteLength: number, stagingByteLength: number): void {
    this.#memory.windows.prepare();
    this.#memory.reserve(blockByteLength, stagingByteLength, byteLength);
    this.#byteLength = byteLength;
  }

  view(): Uint8Array {
    const { kernels } = this.#memory;
    const { boxes } = kernels.arena;
    const last = this.#view;
    if (last.byteLength !== this.#byteLength || last.byteOffset !== boxes || !kernels.owns(last)) {
      this.#view = kernels.bytes.subarray(boxes, boxes + this.#byteLength);
    }
    return this.#view;
  }

  apartFrom(target: Uint8Array, targetOffset: number): number {
    return shiftApart(target, targetOffset);
  }

  copyBox(
    sourceOffset: number,
    sourceStrides: readonly number[],
    targetOffset: number,
    targetStrides: readonly number[],
    shape: readonly number[],
    itemsize: number,
  ): void {
    const { kernels } = this.#memory;
    const { arena, exports } = kernels;
    this.#table.fill(kernels, sourceStrides, targetStrides, shape);
    exports.copyBox(arena.boxes + sourceOffset, arena.boxes + targetOffset, itemsize, shape.length);
  }
}
