/**
 * Cutting what is written into blocks whose rows are short: all blocks along the last dimension of a chunk are copied together into the
 * engine's memory, in rows as long as the chunk's, and cut there by one call each.
 *
 * @module
 */
import type { BoxMemory } from "../block/box-memory.js";
import { cOrderStrides } from "../values/shape.js";
import type { ArraySelection, BlockPart } from "./array-selection.js";
import { copyRegion } from "./copy-region.js";

/** Rows of at least so many bytes are copied as fast one by one. */
const LONG_ROW = 2048;
/** What lies beside each other in a chunk is cut together up to so many bytes. */
const MAX_BAND_BYTES = 8 * 1024 * 1024;
const PAGE = 4096;

/** Whether blocks are cut faster together: the source lies in C order, and the blocks' rows are short and side by side. */
export function gatheringPays(selection: ArraySelection, sourceStrides: readonly number[]): boolean {
  const { grid, itemsize, counts } = selection;
  const last = grid.ndim - 1;
  if (last < 0 || !selection.slicesOnly) return false;
  const blockLength = grid.blocks[last] as number;
  if ((grid.blocksPerDim[last] as number) < 2 || blockLength * itemsize >= LONG_ROW) return false;
  return cOrderStrides(counts).every((stride, dim) => stride === sourceStrides[dim]);
}

/** Cuts blocks that are written whole. */
export class BlockGatherer {
  readonly #boxes: BoxMemory;
  readonly #selection: ArraySelection;
  readonly #source: Uint8Array;
  readonly #sourceStrides: readonly number[];
  readonly #blockStrides: readonly number[];
  readonly #blockBytes: number;
  /** The band: its shape and its strides in bytes, and where it begins in the engine's memory. */
  readonly #shape: number[];
  #strides: readonly number[] = [];
  #band = 0;
  /** The chunk that it is of, and where in the source, in items, its first row begins and ends. */
  #chunkIndex = -1;
  #from = 0;
  #to = 0;

  constructor(boxes: BoxMemory, selection: ArraySelection, source: Uint8Array) {
    const { grid, itemsize, counts } = selection;
    this.#boxes = boxes;
    this.#selection = selection;
    this.#source = source;
    this.#sourceStrides = cOrderStrides(counts).map((stride) => stride * itemsize);
    this.#blockStrides = grid.itemStrides.map((stride) => stride * itemsize);
    this.#blockBytes = grid.blockItemCount * itemsize;
    this.#shape = [...grid.blocks];
  }

  /**
   * Puts a block at `position` in the bytes of its chunk.
   *
   * @returns false, with nothing done, for a block that is not written whole or in order
   */
  put(part: BlockPart, chunk: Uint8Array, position: number): boolean {
    const { grid, itemsize } = this.#selection;
    for (let dim = 0; dim < grid.ndim; dim++) {
      if (part.shape[dim] !== grid.blocks[dim] || part.blockStrides[dim] !== grid.itemStrides[dim]) return false;
    }
    const { outOffset, chunkIndex } = part;
    if (chunkIndex !== this.#chunkIndex || outOffset < this.#from || outOffset >= this.#to) {
      if (!this.#load(part)) return false;
    }
    const block = this.#boxes.apartFrom(chunk, position);
    const from = this.#band + (outOffset - this.#from) * itemsize;
    this.#boxes.copyBox(from, this.#strides, block, this.#blockStrides, part.shape, itemsize);
    chunk.set(this.#boxes.view().subarray(block, block + this.#blockBytes), position);
    return true;
  }

  /** Copies what lies beside each other in the chunk, from this block on, into the engine's memory. */
  #load(part: BlockPart): boolean {
    const { grid, itemsize, counts } = this.#selection;
    const last = grid.ndim - 1;
    const blockLength = grid.blocks[last] as number;
    const ahead = (part.blockIndex % (grid.blocksPerDim[last] as number)) * blockLength;
    const total = counts[last] as number;
    const length = Math.min(total - (part.outOffset % total), (grid.chunks[last] as number) - ahead);
    const bandBytes = (this.#blockBytes / blockLength) * length;
    if (bandBytes > MAX_BAND_BYTES) return false;
    const page = Math.ceil(this.#blockBytes / PAGE + 1) * PAGE;
    this.#boxes.reserve(page + PAGE + bandBytes, 0, 0);
    const start = part.outOffset * itemsize;
    this.#band = page + this.#boxes.apartFrom(this.#source, start);
    this.#shape[last] = length;
    this.#strides = cOrderStrides(this.#shape).map((stride) => stride * itemsize);
    const memory = this.#boxes.view();
    copyRegion(this.#source, start, this.#sourceStrides, memory, this.#band, this.#strides, this.#shape, itemsize);
    this.#chunkIndex = part.chunkIndex;
    this.#from = part.outOffset;
    this.#to = part.outOffset + length;
    return true;
  }
}
