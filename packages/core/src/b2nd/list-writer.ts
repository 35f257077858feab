/**
 * Writing a selection by lists of positions: the items of what is written go to their places in each block by one call, in the
 * engine's memory.
 *
 * @module
 */
import type { BoxMemory } from "../block/box-memory.js";
import type { ArraySelection } from "./array-selection.js";
import type { DimCursor } from "./dim-cursor.js";
import { ListTable, listBytes } from "./list-table.js";

const PAGE = 4096;

function wholePages(byteLength: number): number {
  return Math.ceil(byteLength / PAGE) * PAGE;
}

/** Puts what is written into blocks. */
export class ListWriter {
  readonly #boxes: BoxMemory;
  readonly #source: Uint8Array;
  readonly #lists: ListTable;
  readonly #blockBytes: number;
  /** Where the source begins in the engine's memory, and who holds that: what is there is the source only as long as nobody else does. */
  readonly #sourcePage: number;
  #sourceAt = 0;
  #holder = -1;

  /** @param sourceStrides in bytes */
  constructor(
    boxes: BoxMemory,
    selection: ArraySelection,
    cursors: readonly DimCursor[],
    source: Uint8Array,
    sourceStrides: readonly number[],
  ) {
    const { grid, itemsize } = selection;
    this.#boxes = boxes;
    this.#source = source;
    this.#blockBytes = grid.blockItemCount * itemsize;
    // A block begins up to a page behind the front, to lie apart from where it is copied to.
    const listsAt = wholePages(this.#blockBytes) + PAGE;
    this.#sourcePage = wholePages(listsAt + listBytes(selection));
    this.#lists = new ListTable(boxes, selection, cursors, sourceStrides, "toBlock", listsAt);
  }

  /** Changes the block at `position` in the bytes of its chunk, which the cursors are at. */
  put(chunk: Uint8Array, position: number): void {
    if (this.#holder !== this.#boxes.holder) this.#load();
    const end = position + this.#blockBytes;
    const block = this.#boxes.apartFrom(chunk, position);
    this.#boxes.view().set(chunk.subarray(position, end), block);
    this.#lists.copy(block, this.#sourceAt);
    chunk.set(this.#boxes.view().subarray(block, block + this.#blockBytes), position);
  }

  #load(): void {
    this.#boxes.reserve(this.#sourcePage + PAGE + this.#source.byteLength, this.#blockBytes, 0);
    this.#sourceAt = this.#sourcePage + this.#boxes.apartFrom(this.#source, 0);
    this.#boxes.view().set(this.#source, this.#sourceAt);
    this.#lists.forget();
    this.#holder = this.#boxes.holder;
  }
}
