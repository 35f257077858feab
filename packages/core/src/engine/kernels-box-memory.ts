/** Copies of boxes in the kernels' memory. @module */
import { type Kernels, shiftApart } from "@b2frame/kernels";
import type { BoxMemory } from "../block/box-memory.js";
import type { KernelsMemory } from "./kernels-memory.js";

/** What `copyBox` reads of a box, and `copyLists` of lists. */
export class KernelsBoxTable {
  #table: Int32Array = new Int32Array(0);

  #at({ bytes, exports }: Kernels): Int32Array {
    if (this.#table.buffer !== bytes.buffer) this.#table = new Int32Array(bytes.buffer, exports.boxTable(), 48);
    return this.#table;
  }

  /** Strides in bytes, one per dimension, of at most 16. */
  fill(
    kernels: Kernels,
    sourceStrides: readonly number[],
    targetStrides: readonly number[],
    shape: readonly number[],
  ): void {
    const table = this.#at(kernels);
    for (let dim = 0, at = 0; dim < shape.length; dim++) {
      table[at++] = shape[dim] as number;
      table[at++] = sourceStrides[dim] as number;
      table[at++] = targetStrides[dim] as number;
    }
  }

  /** Where lists lie, from the address `base` on, and how many entries they have, of at most 16 dimensions. */
  fillLists(kernels: Kernels, base: number, offsets: readonly number[], counts: readonly number[]): void {
    const table = this.#at(kernels);
    for (let dim = 0; dim < counts.length; dim++) {
      table[3 * dim] = counts[dim] as number;
      table[3 * dim + 1] = base + (offsets[dim] as number);
    }
  }
}

/** See {@link BoxMemory}. */
export class KernelsBoxMemory implements BoxMemory {
  readonly #memory: KernelsMemory;
  #byteLength = 0;
  #view: Uint8Array = new Uint8Array(0);
  readonly #table: KernelsBoxTable = new KernelsBoxTable();
  #reservations = 0;
  /** Where the memory was when it was reserved last. */
  #address = 0;

  constructor(memory: KernelsMemory) {
    this.#memory = memory;
  }

  reserve(byteLength: number, blockByteLength: number, stagingByteLength: number): void {
    this.#memory.windows.prepare();
    this.#memory.reserve(blockByteLength, stagingByteLength, byteLength);
    this.#byteLength = byteLength;
    this.#reservations++;
    this.#address = this.#memory.kernels.arena.boxes;
  }

  get holder(): number {
    const { arena } = this.#memory.kernels;
    if (arena.boxes !== this.#address) {
      this.#reservations++;
      this.#address = arena.boxes;
    }
    return this.#reservations;
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

  copyLists(
    sourceOffset: number,
    targetOffset: number,
    listOffsets: readonly number[],
    counts: readonly number[],
    rowLength: number,
  ): void {
    const { kernels } = this.#memory;
    const { arena, exports } = kernels;
    this.#table.fillLists(kernels, arena.boxes, listOffsets, counts);
    exports.copyLists(arena.boxes + sourceOffset, arena.boxes + targetOffset, counts.length, rowLength);
  }
}
