/**
 * Reading a selection whose rows are short in each block: copying them one by one into the result would take longer than decoding. All blocks
 * along the last dimension are put together in the engine's memory, across chunks, and go to the result in runs of many rows: a band.
 *
 * @module
 */
import type { BoxMemory } from "../block/box-memory.js";
import type { IndexedSpecial } from "../frame/offsets-index.js";
import type { ReadState } from "../super-chunk/read-state.js";
import { type SuperChunkReader, stateOf } from "../super-chunk/super-chunk-reader.js";
import { cOrderStrides } from "../values/shape.js";
import { type ArraySelection, cursorsOf } from "./array-selection.js";
import { copyRegion } from "./copy-region.js";
import { BLOCK, CHUNK, firstOfAll, nextOfAll } from "./cursor-steps.js";
import type { DimCursor } from "./dim-cursor.js";
import { MAX_STAGED_BLOCK, StagedBlock } from "./staged-block.js";

/** Bytes of a band; it should stay in the processor's cache until it is copied out. */
const BAND_BYTES = 1024 * 1024;
/** Rows of at least so many bytes are copied as fast without a band. */
const LONG_ROW = 4096;
const PAGE = 4096;

/** Bytes that are neighbours in a block and in the result, of the block that the cursors are at. */
function rowBytes({ grid, itemsize, counts }: ArraySelection, cursors: readonly DimCursor[]): number {
  let bytes = itemsize;
  for (let dim = cursors.length - 1; dim >= 0; dim--) {
    const { step, count } = cursors[dim] as DimCursor;
    if (count !== 1 && (step !== 1 || (grid.itemStrides[dim] as number) * itemsize !== bytes)) return bytes;
    bytes *= count;
    if (count !== counts[dim]) return bytes;
  }
  return bytes;
}

/** Whether a band is the faster way to read a selection. */
export function bandsPay(selection: ArraySelection): boolean {
  const { grid, itemsize, counts, byteLength } = selection;
  const last = grid.ndim - 1;
  if (last < 0 || byteLength < PAGE || !selection.slicesOnly || grid.blockItemCount * itemsize > MAX_STAGED_BLOCK)
    return false;
  const cursors = cursorsOf(selection);
  firstOfAll(cursors, CHUNK);
  firstOfAll(cursors, BLOCK);
  const { step, count } = cursors[last] as DimCursor;
  if (step !== 1 || count !== (counts[last] as number)) return count * itemsize < LONG_ROW;
  const bytes = rowBytes(selection, cursors);
  return bytes < LONG_ROW && bytes < cursors.reduce((total, cursor) => total * cursor.count, itemsize);
}

/** What a band is read with. */
export interface BandTarget {
  /** Receives the selection's bytes in C order. */
  readonly target: Uint8Array;
  /** Whether it holds zeros already. */
  readonly zeroed: boolean;
  /** Memory for one block, of a chunk that is too large to be staged. */
  readonly scratch: Uint8Array;
}

/** Reads one selection of slices. */
export class BandReader {
  readonly #state: ReadState;
  readonly #boxes: BoxMemory;
  readonly #block: StagedBlock;
  readonly #selection: ArraySelection;
  readonly #to: BandTarget;
  readonly #outer: readonly DimCursor[];
  readonly #last: DimCursor;
  /** All dimensions in order. */
  readonly #cursors: readonly DimCursor[];
  readonly #blockBytes: number;
  /** Where in the engine's memory the band's page begins; before it lies a block. */
  readonly #bandPage: number;
  readonly #outStrides: readonly number[];
  /** Strides in bytes of the box that is copied, in the block and in the band, and its shape; the same arrays for all. */
  readonly #blockStrides: number[];
  readonly #bandStrides: number[];
  readonly #shape: number[];
  /** Where in the engine's memory the band begins, and where its first row goes in the target. */
  #band = 0;
  #rowOffset = 0;
  /** Items of the last dimension: how many fit, which one comes first, which ones there are so far. */
  #width = 0;
  #from = 0;
  #low = 0;
  #high = 0;
  /** Whether anything has been put into the band, and whether zeros were left out before that. */
  #filled = false;
  #skipped = false;

  constructor(schunk: SuperChunkReader, boxes: BoxMemory, selection: ArraySelection, to: BandTarget) {
    const { grid, itemsize, counts } = selection;
    const cursors = cursorsOf(selection);
    this.#state = stateOf(schunk);
    this.#boxes = boxes;
    this.#selection = selection;
    this.#to = to;
    this.#cursors = cursors;
    this.#outer = cursors.slice(0, -1);
    this.#last = cursors[cursors.length - 1] as DimCursor;
    this.#blockBytes = grid.blockItemCount * itemsize;
    this.#bandPage = Math.ceil(this.#blockBytes / PAGE) * PAGE;
    this.#outStrides = cOrderStrides(counts).map((stride) => stride * itemsize);
    this.#blockStrides = cursors.map(() => 0);
    this.#bandStrides = cursors.map(() => 0);
    this.#shape = cursors.map(() => 1);
    const byteLength = this.#bandPage + PAGE + Math.max(BAND_BYTES, this.#blockBytes);
    this.#block = new StagedBlock(schunk, boxes, selection, cursors, to.scratch, byteLength);
  }

  /** @throws FormatError, CodecError, IoError */
  read(): void {
    const outer = this.#outer;
    firstOfAll(outer, CHUNK);
    do {
      firstOfAll(outer, BLOCK);
      do this.#readBand();
      while (nextOfAll(outer, BLOCK));
    } while (nextOfAll(outer, CHUNK));
  }

  /** Reads all blocks along the last dimension at one place of the others. */
  #readBand(): void {
    const last = this.#last;
    this.#layOut();
    last.firstChunk();
    do {
      const chunkIndex = this.#chunkIndex();
      const special = this.#state.specialAt(chunkIndex);
      last.firstBlock();
      do this.#readPart(chunkIndex, special);
      while (last.nextBlock());
    } while (last.nextChunk());
    this.#flush();
  }

  /** Where the band's rows lie, in the engine's memory and in the target. */
  #layOut(): void {
    const { grid, itemsize, counts } = this.#selection;
    const lastDim = grid.ndim - 1;
    const total = counts[lastDim] as number;
    let rows = 1;
    let rowOffset = 0;
    for (let dim = 0; dim < lastDim; dim++) {
      const { count, out, step } = this.#cursors[dim] as DimCursor;
      rows *= count;
      rowOffset += out * (this.#outStrides[dim] as number);
      this.#shape[dim] = count;
      this.#blockStrides[dim] = step * (grid.itemStrides[dim] as number) * itemsize;
    }
    this.#blockStrides[lastDim] = this.#last.step * itemsize;
    const fitting = Math.floor(Math.max(BAND_BYTES, this.#blockBytes) / (rows * itemsize));
    this.#width = Math.min(total, fitting);
    let stride = itemsize;
    for (let dim = lastDim; dim >= 0; dim--) {
      this.#bandStrides[dim] = stride;
      stride *= dim === lastDim ? this.#width : (this.#shape[dim] as number);
    }
    this.#rowOffset = rowOffset;
    this.#low = this.#high = 0;
    this.#filled = false;
  }

  /** Begins a band with the part that the cursors are at. */
  #begin(): void {
    const { out, count, step } = this.#last;
    this.#from = step > 0 ? out : Math.max(0, out + count - this.#width);
    this.#low = this.#high = step > 0 ? out : out + count;
    this.#filled = false;
    this.#skipped = false;
    const start = this.#rowOffset + this.#from * this.#selection.itemsize;
    this.#band = this.#bandPage + this.#boxes.apartFrom(this.#to.target, start);
  }

  /** Index of the chunk that the cursors are at. */
  #chunkIndex(): number {
    const { chunkStrides } = this.#selection.grid;
    let index = 0;
    for (let dim = 0; dim < this.#cursors.length; dim++) {
      index += (this.#cursors[dim] as DimCursor).chunk * (chunkStrides[dim] as number);
    }
    return index;
  }

  /** Puts the selected items of a block into the band. */
  #readPart(chunkIndex: number, special: IndexedSpecial | undefined): void {
    const { out, count } = this.#last;
    if (this.#low === this.#high) this.#begin();
    else if (out < this.#from || out + count > this.#from + this.#width) {
      this.#flush();
      this.#begin();
    }
    this.#low = Math.min(this.#low, out);
    this.#high = Math.max(this.#high, out + count);
    const isZeros = special !== undefined && special !== "nan";
    if (isZeros && this.#to.zeroed && !this.#filled) {
      this.#skipped = true;
      return;
    }
    this.#block.load(chunkIndex, special);
    if (!this.#filled && this.#skipped) this.#boxes.view().fill(0, this.#band);
    this.#filled = true;
    const { grid, itemsize } = this.#selection;
    const lastDim = grid.ndim - 1;
    let from = 0;
    for (let dim = 0; dim <= lastDim; dim++) {
      from += (this.#cursors[dim] as DimCursor).inBlock * (grid.itemStrides[dim] as number);
    }
    this.#shape[lastDim] = count;
    const to = this.#band + (out - this.#from) * itemsize;
    this.#boxes.copyBox(from * itemsize, this.#blockStrides, to, this.#bandStrides, this.#shape, itemsize);
  }

  /** Copies the band to where it belongs. */
  #flush(): void {
    if (!this.#filled) return;
    const { itemsize } = this.#selection;
    const { target } = this.#to;
    this.#shape[this.#shape.length - 1] = this.#high - this.#low;
    const from = this.#band + (this.#low - this.#from) * itemsize;
    const to = this.#rowOffset + this.#low * itemsize;
    copyRegion(this.#boxes.view(), from, this.#bandStrides, target, to, this.#outStrides, this.#shape, itemsize);
    this.#low = this.#high = 0;
    this.#filled = false;
  }
}
