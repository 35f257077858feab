/**
 * A selection of an array as a value: what its result looks like, and where its items lie. Reading, writing, worker threads and the planning
 * of remote reads walk the same one.
 *
 * @module
 */
import { cOrderStrides, product } from "../values/shape.js";
import type { ChunkGrid } from "./chunk-grid.js";
import { BLOCK, CHUNK, firstOfAll, nextOfAll, RUN } from "./cursor-steps.js";
import { type DimCursor, dimCursor } from "./dim-cursor.js";
import type { DimSelection } from "./dim-index.js";

/** A chunk that a selection touches. */
export interface SelectedChunk {
  /** Index in C order of the chunk grid. */
  readonly chunkIndex: number;
  /** Whether every item of the chunk that lies inside the array is selected. */
  readonly whole: boolean;
}

/** A box of selected items in one block, at one step per dimension. Offsets and strides count items. */
export interface BlockPart extends SelectedChunk {
  /** Index in C order of the chunk's block grid. */
  readonly blockIndex: number;
  /** How many touched blocks come before this one. Parts of one block follow each other. */
  readonly ordinal: number;
  /** Range of offsets in the block that covers all of its parts: `from` to `to`, `to` excluded. */
  readonly from: number;
  readonly to: number;
  /** The box: where it begins in the block, and in what is read or written; how many items it has in each dimension. */
  readonly blockOffset: number;
  readonly blockStrides: readonly number[];
  readonly outOffset: number;
  readonly shape: readonly number[];
}

/** Which parts of a selection are walked. */
export interface PartRange {
  /** Ordinal of the first block. Default 0. */
  readonly from?: number | undefined;
  /** Ordinal of the block before which to end. Default: all. */
  readonly to?: number | undefined;
  /** Strides of what is read or written, in items, one per dimension of the array. Default: C order of the selection's counts. */
  readonly outStrides?: readonly number[] | undefined;
}

/** What walks each dimension of a selection by itself, before its first step. For the other files of this package. */
export let cursorsOf: (selection: ArraySelection) => DimCursor[];

/** A walk over the chunks of a selection whose cursors can be seen. For the other files of this package. */
export let chunkWalkOf: (selection: ArraySelection) => ChunkWalk;

/** See the module. Takes no memory in proportion to the chunks it touches. */
export class ArraySelection {
  /** Shape of the result: dimensions that were given an integer are left out. */
  readonly shape: readonly number[];
  /** Selected positions of each dimension of the array. */
  readonly counts: readonly number[];
  /** Bytes of the result. */
  readonly byteLength: number;
  readonly grid: ChunkGrid;
  readonly itemsize: number;
  readonly #dims: readonly DimSelection[];

  static {
    cursorsOf = (selection) => selection.#cursors();
    chunkWalkOf = (selection) => selection.#chunkWalk();
  }

  constructor(grid: ChunkGrid, itemsize: number, dims: readonly DimSelection[]) {
    this.grid = grid;
    this.itemsize = itemsize;
    this.#dims = dims;
    this.counts = dims.map(({ count }) => count);
    this.shape = dims.filter(({ dropped }) => !dropped).map(({ count }) => count);
    this.byteLength = product(this.counts) * itemsize;
  }

  /** For each dimension whether the result lacks it. */
  get dropped(): readonly boolean[] {
    return this.#dims.map(({ dropped }) => dropped);
  }

  /** How many blocks are touched. */
  get blockCount(): number {
    if (this.byteLength === 0) return 0;
    let blocks = 1;
    for (const cursor of this.#cursors()) {
      let inDim = 0;
      cursor.firstChunk();
      do inDim += cursor.blocksInChunk;
      while (cursor.nextChunk());
      blocks *= inDim;
    }
    return blocks;
  }

  /** Whether each dimension is walked at one step: none by a list. */
  get slicesOnly(): boolean {
    return this.#dims.every(({ positions }) => positions === undefined);
  }

  #cursors(): DimCursor[] {
    const { chunks: chunkShape, blocks: blockShape } = this.grid;
    return this.#dims.map((dim, i) => dimCursor(dim, chunkShape[i] as number, blockShape[i] as number));
  }

  /** The touched chunks in ascending order. The object that is given is the same each time, with other values. */
  chunks(): IterableIterator<SelectedChunk> {
    return this.#chunkWalk();
  }

  #chunkWalk(): ChunkWalk {
    return new ChunkWalk(this.grid, this.byteLength === 0 ? undefined : this.#cursors());
  }

  /** The parts in ascending order of chunk and block. The object that is given is the same each time, with other values. */
  parts(range: PartRange = {}): IterableIterator<BlockPart> {
    const { from = 0, to = Number.POSITIVE_INFINITY, outStrides = cOrderStrides(this.counts) } = range;
    return new PartWalk(this.#chunkWalk(), { from, to, outStrides });
  }
}

/** Walks chunks; what it gives is itself. */
class ChunkWalk implements SelectedChunk, IterableIterator<SelectedChunk> {
  chunkIndex = -1;
  whole = false;
  readonly grid: ChunkGrid;
  readonly cursors: readonly DimCursor[] | undefined;
  readonly #result: { done: boolean; value: SelectedChunk } = { done: false, value: this };
  #began = false;

  /** @param cursors undefined where nothing is selected */
  constructor(grid: ChunkGrid, cursors: readonly DimCursor[] | undefined) {
    this.grid = grid;
    this.cursors = cursors;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<SelectedChunk> {
    this.#result.done = !this.advance();
    return this.#result;
  }

  advance(): boolean {
    const { cursors, grid } = this;
    if (cursors === undefined) return false;
    if (!this.#began) {
      this.#began = true;
      firstOfAll(cursors, CHUNK);
    } else if (!nextOfAll(cursors, CHUNK)) return false;
    let chunkIndex = 0;
    let whole = true;
    for (let i = 0; i < cursors.length; i++) {
      const { chunk, distinctInChunk } = cursors[i] as DimCursor;
      const extent = grid.chunks[i] as number;
      chunkIndex += chunk * (grid.chunkStrides[i] as number);
      whole &&= distinctInChunk === Math.min(extent, (grid.shape[i] as number) - chunk * extent);
    }
    this.chunkIndex = chunkIndex;
    this.whole = whole;
    return true;
  }

  /** Blocks of the chunk that are touched. */
  get blockCount(): number {
    let blocks = 1;
    for (const cursor of this.cursors ?? []) blocks *= cursor.blocksInChunk;
    return blocks;
  }
}

interface WalkedRange {
  readonly from: number;
  readonly to: number;
  readonly outStrides: readonly number[];
}

/** Walks parts; what it gives is itself. */
class PartWalk implements BlockPart, IterableIterator<BlockPart> {
  chunkIndex = -1;
  whole = false;
  blockIndex = 0;
  ordinal = -1;
  from = 0;
  to = 0;
  blockOffset = 0;
  outOffset = 0;
  readonly blockStrides: number[];
  readonly shape: number[];
  readonly #walk: ChunkWalk;
  readonly #range: WalkedRange;
  readonly #result: { done: boolean; value: BlockPart } = { done: false, value: this };
  #began = false;
  #done = false;

  constructor(walk: ChunkWalk, range: WalkedRange) {
    this.#walk = walk;
    this.#range = range;
    const ndim = walk.cursors?.length ?? 0;
    this.blockStrides = new Array<number>(ndim).fill(0);
    this.shape = new Array<number>(ndim).fill(0);
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<BlockPart> {
    this.#done ||= !this.#advance();
    this.#result.done = this.#done;
    return this.#result;
  }

  #advance(): boolean {
    const { cursors } = this.#walk;
    if (cursors === undefined) return false;
    if (!this.#began) {
      this.#began = true;
      if (!this.#enterChunk(true)) return false;
    } else if (!nextOfAll(cursors, RUN)) {
      if (nextOfAll(cursors, BLOCK)) this.#enterBlock(cursors);
      else if (!this.#enterChunk(false)) return false;
      if (this.ordinal >= this.#range.to) return false;
    }
    this.#describeBox(cursors);
    return true;
  }

  /** Goes to the next chunk's first block, past those before the range. @returns false where there is none in it */
  #enterChunk(isFirst: boolean): boolean {
    const walk = this.#walk;
    const cursors = walk.cursors as readonly DimCursor[];
    const { from, to } = this.#range;
    if (!walk.advance()) return false;
    if (isFirst) {
      let ordinal = 0;
      for (let blocks = walk.blockCount; ordinal + blocks <= from; blocks = walk.blockCount) {
        ordinal += blocks;
        if (!walk.advance()) return false;
      }
      firstOfAll(cursors, BLOCK);
      for (; ordinal < from; ordinal++) nextOfAll(cursors, BLOCK);
      this.ordinal = ordinal - 1;
    } else firstOfAll(cursors, BLOCK);
    this.chunkIndex = walk.chunkIndex;
    this.whole = walk.whole;
    this.#enterBlock(cursors);
    return this.ordinal < to;
  }

  #enterBlock(cursors: readonly DimCursor[]): void {
    const { itemStrides, blockStrides } = this.#walk.grid;
    let blockIndex = 0;
    let from = 0;
    let to = 1;
    for (let i = 0; i < cursors.length; i++) {
      const { block, lowest, highest } = cursors[i] as DimCursor;
      const stride = itemStrides[i] as number;
      blockIndex += block * (blockStrides[i] as number);
      from += lowest * stride;
      to += highest * stride;
    }
    this.blockIndex = blockIndex;
    this.from = from;
    this.to = to;
    this.ordinal++;
    firstOfAll(cursors, RUN);
  }

  #describeBox(cursors: readonly DimCursor[]): void {
    const { itemStrides } = this.#walk.grid;
    const { outStrides } = this.#range;
    let blockOffset = 0;
    let outOffset = 0;
    for (let i = 0; i < cursors.length; i++) {
      const cursor = cursors[i] as DimCursor;
      const stride = itemStrides[i] as number;
      blockOffset += cursor.inBlock * stride;
      outOffset += cursor.out * (outStrides[i] as number);
      this.blockStrides[i] = cursor.step * stride;
      this.shape[i] = cursor.count;
    }
    this.blockOffset = blockOffset;
    this.outOffset = outOffset;
  }
}
