/**
 * Walking one dimension of a selection: its chunks in ascending order, in each the blocks, in each the runs of positions at one step.
 * Slices are walked by arithmetic, so that millions of chunks take no memory.
 *
 * @module
 */
import type { DimSelection } from "./dim-index.js";

/** A place in the walk. What a level says holds until its next step; `first...` starts a level over, and finds at least one. */
export interface DimCursor {
  /** Index of the chunk along this dimension. */
  readonly chunk: number;
  /** How many of the chunk's positions are selected, each counted once. */
  readonly distinctInChunk: number;
  /** How many of the chunk's blocks are touched. */
  readonly blocksInChunk: number;
  /** Index of the block in the chunk, along this dimension. */
  readonly block: number;
  /** Smallest and largest offset in the block that is selected. */
  readonly lowest: number;
  readonly highest: number;
  /** The run: offset in the block of its first position, its step (of either sign), its length, and its first index in the result. */
  readonly inBlock: number;
  readonly step: number;
  readonly count: number;
  readonly out: number;

  firstChunk(): void;
  nextChunk(): boolean;
  firstBlock(): void;
  nextBlock(): boolean;
  firstRun(): void;
  nextRun(): boolean;
}

/** A slice. Its positions are taken in ascending order: `lowest + k * stride`, for `k` below its count. */
class SliceCursor implements DimCursor {
  chunk = 0;
  distinctInChunk = 0;
  block = 0;
  lowest = 0;
  highest = 0;
  inBlock = 0;
  count = 0;
  out = 0;
  readonly step: number;
  readonly #start: number;
  readonly #stride: number;
  readonly #total: number;
  readonly #chunkSize: number;
  readonly #blockSize: number;
  /** The chunk's and the block's positions, as ranges of `k`. */
  #chunkFrom = 0;
  #chunkTo = 0;
  #blockTo = 0;

  constructor(selection: DimSelection, chunkSize: number, blockSize: number) {
    const { start, step, count } = selection;
    this.step = step;
    this.#stride = Math.abs(step);
    this.#start = step > 0 ? start : start + (count - 1) * step;
    this.#total = count;
    this.#chunkSize = chunkSize;
    this.#blockSize = blockSize;
  }

  firstChunk(): void {
    this.#setChunk(0);
  }

  nextChunk(): boolean {
    if (this.#chunkTo >= this.#total) return false;
    this.#setChunk(this.#chunkTo);
    return true;
  }

  #setChunk(from: number): void {
    this.chunk = Math.floor((this.#start + from * this.#stride) / this.#chunkSize);
    this.#chunkFrom = from;
    this.#chunkTo = this.#indexAt((this.chunk + 1) * this.#chunkSize, this.#total);
    this.distinctInChunk = this.#chunkTo - from;
  }

  /** The first `k` whose position is at or past `position`, `most` at the most. */
  #indexAt(position: number, most: number): number {
    return Math.min(most, Math.ceil((position - this.#start) / this.#stride));
  }

  get blocksInChunk(): number {
    if (this.#stride > this.#blockSize) return this.distinctInChunk;
    const chunkStart = this.chunk * this.#chunkSize;
    const blockOf = (k: number): number => Math.floor((this.#start + k * this.#stride - chunkStart) / this.#blockSize);
    return blockOf(this.#chunkTo - 1) - blockOf(this.#chunkFrom) + 1;
  }

  firstBlock(): void {
    this.#setBlock(this.#chunkFrom);
  }

  nextBlock(): boolean {
    if (this.#blockTo >= this.#chunkTo) return false;
    this.#setBlock(this.#blockTo);
    return true;
  }

  #setBlock(from: number): void {
    const chunkStart = this.chunk * this.#chunkSize;
    const inChunk = this.#start + from * this.#stride - chunkStart;
    this.block = Math.floor(inChunk / this.#blockSize);
    const blockStart = this.block * this.#blockSize;
    this.#blockTo = this.#indexAt(chunkStart + blockStart + this.#blockSize, this.#chunkTo);
    this.count = this.#blockTo - from;
    this.lowest = inChunk - blockStart;
    this.highest = this.lowest + (this.count - 1) * this.#stride;
    const forward = this.step > 0;
    this.inBlock = forward ? this.lowest : this.highest;
    this.out = forward ? from : this.#total - this.#blockTo;
  }

  firstRun(): void {}

  nextRun(): boolean {
    return false;
  }
}

/** Positions in any order, cut into runs that ascend one by one, and sorted by chunk and block. */
class ListCursor implements DimCursor {
  chunk = 0;
  distinctInChunk = 0;
  blocksInChunk = 0;
  block = 0;
  lowest = 0;
  highest = 0;
  inBlock = 0;
  count = 0;
  out = 0;
  readonly step = 1;
  readonly #chunkSize: number;
  readonly #blockSize: number;
  /** Position, length and first index in the result of each run. */
  readonly #starts: Float64Array;
  readonly #counts: Float64Array;
  readonly #outs: Float64Array;
  /** The positions in ascending order. */
  readonly #sorted: Float64Array;
  #chunkFrom = 0;
  #chunkTo = 0;
  #blockFrom = 0;
  #blockTo = 0;
  #run = 0;
  /** The chunk's first place in the sorted positions, and the next chunk's. */
  #sortedFrom = 0;
  #sortedTo = 0;

  constructor(positions: ArrayLike<number>, chunkSize: number, blockSize: number) {
    this.#chunkSize = chunkSize;
    this.#blockSize = blockSize;
    const starts: number[] = [];
    const counts: number[] = [];
    const outs: number[] = [];
    for (let i = 0; i < positions.length; ) {
      const at = positions[i] as number;
      const inChunk = at % chunkSize;
      const limit = Math.min(blockSize - (inChunk % blockSize), chunkSize - inChunk);
      let taken = 1;
      while (taken < limit && i + taken < positions.length && positions[i + taken] === at + taken) taken++;
      starts.push(at);
      counts.push(taken);
      outs.push(i);
      i += taken;
    }
    const blocksPerChunk = Math.ceil(chunkSize / blockSize);
    const keys = starts.map(
      (at) => Math.floor(at / chunkSize) * blocksPerChunk + Math.floor((at % chunkSize) / blockSize),
    );
    // In a block the runs stay in the order of the result: of a position that is named twice, the last value is written last.
    const order = Float64Array.from(starts.keys()).sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
    this.#starts = order.map((i) => starts[i] as number);
    this.#counts = order.map((i) => counts[i] as number);
    this.#outs = order.map((i) => outs[i] as number);
    this.#sorted = Float64Array.from(positions).sort();
  }

  #chunkOf(run: number): number {
    return Math.floor((this.#starts[run] as number) / this.#chunkSize);
  }

  #blockOf(run: number): number {
    return Math.floor(((this.#starts[run] as number) % this.#chunkSize) / this.#blockSize);
  }

  firstChunk(): void {
    this.#sortedTo = 0;
    this.#setChunk(0);
  }

  nextChunk(): boolean {
    if (this.#chunkTo >= this.#starts.length) return false;
    this.#setChunk(this.#chunkTo);
    return true;
  }

  #setChunk(from: number): void {
    this.chunk = this.#chunkOf(from);
    this.#chunkFrom = from;
    let to = from + 1;
    let blocks = 1;
    for (; to < this.#starts.length && this.#chunkOf(to) === this.chunk; to++) {
      if (this.#blockOf(to) !== this.#blockOf(to - 1)) blocks++;
    }
    this.#chunkTo = to;
    this.blocksInChunk = blocks;
    this.#countDistinct();
  }

  #countDistinct(): void {
    const end = (this.chunk + 1) * this.#chunkSize;
    this.#sortedFrom = this.#sortedTo;
    let at = this.#sortedFrom;
    let distinct = 0;
    for (; at < this.#sorted.length && (this.#sorted[at] as number) < end; at++) {
      if (at === this.#sortedFrom || this.#sorted[at] !== this.#sorted[at - 1]) distinct++;
    }
    this.#sortedTo = at;
    this.distinctInChunk = distinct;
  }

  firstBlock(): void {
    this.#setBlock(this.#chunkFrom);
  }

  nextBlock(): boolean {
    if (this.#blockTo >= this.#chunkTo) return false;
    this.#setBlock(this.#blockTo);
    return true;
  }

  #setBlock(from: number): void {
    this.block = this.#blockOf(from);
    const blockStart = this.chunk * this.#chunkSize + this.block * this.#blockSize;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = 0;
    let to = from;
    for (; to < this.#chunkTo && this.#blockOf(to) === this.block; to++) {
      const start = (this.#starts[to] as number) - blockStart;
      lowest = Math.min(lowest, start);
      highest = Math.max(highest, start + (this.#counts[to] as number) - 1);
    }
    this.lowest = lowest;
    this.highest = highest;
    this.#blockFrom = from;
    this.#blockTo = to;
  }

  firstRun(): void {
    this.#setRun(this.#blockFrom);
  }

  nextRun(): boolean {
    if (this.#run + 1 >= this.#blockTo) return false;
    this.#setRun(this.#run + 1);
    return true;
  }

  #setRun(run: number): void {
    this.#run = run;
    this.inBlock = (this.#starts[run] as number) - this.chunk * this.#chunkSize - this.block * this.#blockSize;
    this.count = this.#counts[run] as number;
    this.out = this.#outs[run] as number;
  }
}

/** A cursor over a selection of at least one position. */
export function dimCursor(selection: DimSelection, chunkSize: number, blockSize: number): DimCursor {
  const { positions } = selection;
  return positions === undefined
    ? new SliceCursor(selection, chunkSize, blockSize)
    : new ListCursor(positions, chunkSize, blockSize);
}
