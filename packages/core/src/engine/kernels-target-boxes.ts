/** Copies of boxes between a block and an array that lies in the kernels' memory. @module */
import type { TargetBoxes } from "../block/box-memory.js";
import { KernelsBoxTable } from "./kernels-box-memory.js";
import type { KernelsMemory } from "./kernels-memory.js";

/** See {@link TargetBoxes}. */
export class KernelsTargetBoxes implements TargetBoxes {
  readonly block: Uint8Array;
  readonly #memory: KernelsMemory;
  readonly #target: number;
  readonly #table: KernelsBoxTable = new KernelsBoxTable();

  /** @param memory has room for the block, and never grows */
  constructor(memory: KernelsMemory, target: Uint8Array, blockByteLength: number) {
    const { boxes } = memory.kernels.arena;
    this.block = memory.kernels.bytes.subarray(boxes, boxes + blockByteLength);
    this.#memory = memory;
    this.#target = target.byteOffset;
  }

  copyBox(
    blockOffset: number,
    blockStrides: readonly number[],
    targetOffset: number,
    targetStrides: readonly number[],
    shape: readonly number[],
    itemsize: number,
  ): void {
    const { kernels } = this.#memory;
    this.#table.fill(kernels, blockStrides, targetStrides, shape);
    const from = kernels.arena.boxes + blockOffset;
    kernels.exports.copyBox(from, this.#target + targetOffset, itemsize, shape.length);
  }
}
