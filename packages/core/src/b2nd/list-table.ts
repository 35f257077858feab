/** The lists by which the engine copies the selected items of a block: one call for all of them, whatever the positions. @module */
import type { BoxMemory } from "../block/box-memory.js";
import type { ArraySelection } from "./array-selection.js";
import type { DimCursor } from "./dim-cursor.js";

/** Numbers of an entry: an offset in the source, one in the target, a number of bytes. */
const ENTRY = 3;

/** The way items go: out of blocks into a result, or into blocks from what is written. */
export type ListDirection = "fromBlock" | "toBlock";

/** Bytes that the lists of a selection take. */
export function listBytes(selection: ArraySelection): number {
  return selection.counts.reduce((bytes, count) => bytes + count * ENTRY * Int32Array.BYTES_PER_ELEMENT, 0);
}

/** Lists in the engine's memory, of the block that the cursors are at. */
export class ListTable {
  readonly #boxes: BoxMemory;
  readonly #cursors: readonly DimCursor[];
  readonly #itemsize: number;
  readonly #blockStrides: readonly number[];
  readonly #outStrides: readonly number[];
  readonly #blockFirst: boolean;
  /** Where the list of each dimension lies, and how many entries it has. */
  readonly #offsets: number[] = [];
  readonly #counts: number[];
  /** The chunk and the block of each list. */
  readonly #chunks: number[];
  readonly #blocks: number[];
  #rowLength = 0;
  #memory: Uint8Array = new Uint8Array(0);
  #entries: Int32Array = new Int32Array(0);

  /**
   * @param offset where the lists may begin in the engine's memory, a multiple of 4
   * @param outStrides in bytes, of the result or of what is written
   */
  constructor(
    boxes: BoxMemory,
    selection: ArraySelection,
    cursors: readonly DimCursor[],
    outStrides: readonly number[],
    direction: ListDirection,
    offset: number,
  ) {
    const { grid, itemsize, counts } = selection;
    this.#boxes = boxes;
    this.#cursors = cursors;
    this.#itemsize = itemsize;
    this.#blockStrides = grid.itemStrides.map((stride) => stride * itemsize);
    this.#outStrides = outStrides;
    this.#blockFirst = direction === "fromBlock";
    let at = offset;
    for (const count of counts) {
      this.#offsets.push(at);
      at += count * ENTRY * Int32Array.BYTES_PER_ELEMENT;
    }
    this.#counts = counts.map(() => 0);
    this.#chunks = counts.map(() => -1);
    this.#blocks = counts.map(() => -1);
  }

  /** Forgets the lists, where others may have used the memory. */
  forget(): void {
    this.#chunks.fill(-1);
  }

  /** Copies what is selected of the block that the cursors are at, between offsets of the engine's memory. */
  copy(block: number, out: number): void {
    const memory = this.#boxes.view();
    if (memory !== this.#memory) {
      this.#memory = memory;
      this.#entries = new Int32Array(memory.buffer, memory.byteOffset, memory.byteLength >>> 2);
    }
    const last = this.#cursors.length - 1;
    for (let dim = 0; dim <= last; dim++) {
      const cursor = this.#cursors[dim] as DimCursor;
      if (cursor.chunk === this.#chunks[dim] && cursor.block === this.#blocks[dim]) continue;
      if (dim === last) this.#listRows(cursor);
      else this.#listPositions(dim, cursor);
      this.#chunks[dim] = cursor.chunk;
      this.#blocks[dim] = cursor.block;
    }
    const from = this.#blockFirst ? block : out;
    const to = this.#blockFirst ? out : block;
    this.#boxes.copyLists(from, to, this.#offsets, this.#counts, this.#rowLength);
  }

  #put(at: number, inBlock: number, inOut: number, byteLength: number): void {
    const entries = this.#entries;
    entries[at] = this.#blockFirst ? inBlock : inOut;
    entries[at + 1] = this.#blockFirst ? inOut : inBlock;
    entries[at + 2] = byteLength;
  }

  #listPositions(dim: number, cursor: DimCursor): void {
    const blockStride = this.#blockStrides[dim] as number;
    const outStride = this.#outStrides[dim] as number;
    const start = (this.#offsets[dim] as number) >>> 2;
    let at = start;
    cursor.firstRun();
    do {
      const { inBlock, step, count, out } = cursor;
      for (let i = 0; i < count; i++, at += ENTRY) {
        this.#put(at, (inBlock + i * step) * blockStride, (out + i) * outStride, this.#itemsize);
      }
    } while (cursor.nextRun());
    this.#counts[dim] = (at - start) / ENTRY;
  }

  /** The list of the last dimension: neighbours that are neighbours on both sides are one entry. */
  #listRows(cursor: DimCursor): void {
    const dim = this.#counts.length - 1;
    const itemsize = this.#itemsize;
    if (this.#outStrides[dim] !== itemsize) {
      this.#listPositions(dim, cursor);
      this.#rowLength = itemsize;
      return;
    }
    const start = (this.#offsets[dim] as number) >>> 2;
    let at = start;
    let rowLength = -1;
    cursor.firstRun();
    do {
      const { inBlock, step, count, out } = cursor;
      const items = step === 1 ? count : 1;
      const byteLength = items * itemsize;
      for (let i = 0; i < count; i += items, at += ENTRY) {
        this.#put(at, (inBlock + i * step) * itemsize, (out + i) * itemsize, byteLength);
      }
      if (rowLength === -1) rowLength = byteLength;
      else if (rowLength !== byteLength) rowLength = 0;
    } while (cursor.nextRun());
    this.#counts[dim] = (at - start) / ENTRY;
    this.#rowLength = rowLength;
  }
}
