/** Reading a selection of an array: only the blocks that it touches are read and decoded. @module */
import type { Chunk } from "../chunk/chunk.js";
import { fillPattern, nanPattern } from "../chunk/special-chunk.js";
import type { IndexedSpecial } from "../frame/offsets-index.js";
import type { ReadState } from "../super-chunk/read-state.js";
import { type SuperChunkReader, stateOf } from "../super-chunk/super-chunk-reader.js";
import { cOrderStrides, product } from "../values/shape.js";
import { openArrayChunk } from "./array-chunk.js";
import type { ArraySelection, BlockPart } from "./array-selection.js";
import { BandReader, bandsPay } from "./band-reader.js";
import type { ChunkGrid } from "./chunk-grid.js";
import { copyRegion, isOneRow } from "./copy-region.js";
import { listsPay, readByLists } from "./list-reader.js";

/** Which part of a selection is read, and what is known of the memory. */
export interface ReadingRange {
  /** Ordinals of the first block and of the one before which to end. Default: all blocks. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The target holds zeros already. Default false. */
  readonly zeroed?: boolean | undefined;
}

/** Reads selections of one array geometry; keeps the memory for a block between them. */
export class SelectionReader {
  /** The geometry that the memory is for. */
  readonly grid: ChunkGrid;
  readonly #schunk: SuperChunkReader;
  readonly #state: ReadState;
  readonly #scratch: Uint8Array;
  /** The scratch memory holds a whole block of this. */
  #filledWith: IndexedSpecial | undefined;

  /** @param scratch memory for one block */
  constructor(schunk: SuperChunkReader, grid: ChunkGrid, scratch: Uint8Array) {
    this.grid = grid;
    this.#schunk = schunk;
    this.#state = stateOf(schunk);
    this.#scratch = scratch;
  }

  /**
   * Fills `target` (C order of the selection's counts) from the array's chunks.
   *
   * @throws FormatError, CodecError, IoError
   */
  read(selection: ArraySelection, target: Uint8Array, range: ReadingRange = {}): void {
    const { grid, itemsize, counts } = selection;
    const { boxes } = this.#state;
    const direct = this.#state.boxesFor(target, grid.blockItemCount * itemsize);
    const scratch = direct?.block ?? this.#scratch;
    if (boxes !== undefined && range.from === undefined && range.to === undefined) {
      if (direct === undefined && bandsPay(selection)) {
        const to = { target, zeroed: range.zeroed === true, scratch: this.#scratch };
        new BandReader(this.#schunk, boxes, selection, to).read();
        return;
      }
      if (listsPay(selection)) {
        readByLists(this.#schunk, boxes, selection, target, this.#scratch);
        return;
      }
    }
    const outStrides = cOrderStrides(counts).map((stride) => stride * itemsize);
    const blockStrides = new Array<number>(grid.ndim).fill(0);
    let chunkIndex = -1;
    let ordinal = -1;
    let chunk: Chunk | undefined;
    let special: IndexedSpecial | undefined;
    this.#filledWith = undefined;
    for (const part of selection.parts(range)) {
      if (part.chunkIndex !== chunkIndex) {
        chunkIndex = part.chunkIndex;
        special = this.#state.specialAt(chunkIndex);
        chunk = special === undefined ? openArrayChunk(this.#schunk, grid, itemsize, chunkIndex) : undefined;
      }
      if (special !== undefined && special !== "nan" && range.zeroed === true) continue;
      for (let i = 0; i < blockStrides.length; i++) blockStrides[i] = (part.blockStrides[i] as number) * itemsize;
      const outOffset = part.outOffset * itemsize;
      if (chunk === undefined) this.#fill(special as IndexedSpecial, itemsize, scratch);
      else if (part.ordinal !== ordinal) {
        const coversRange = part.to - part.from === product(part.shape);
        if (coversRange && isOneRow(blockStrides, outStrides, part.shape, itemsize)) {
          this.#readBlock(chunk, selection, part, target, outOffset);
          continue;
        }
        ordinal = part.ordinal;
        this.#readBlock(chunk, selection, part, scratch, part.from * itemsize);
        this.#filledWith = undefined;
      }
      const blockOffset = part.blockOffset * itemsize;
      if (direct !== undefined) direct.copyBox(blockOffset, blockStrides, outOffset, outStrides, part.shape, itemsize);
      else copyRegion(scratch, blockOffset, blockStrides, target, outOffset, outStrides, part.shape, itemsize);
    }
  }

  /** Reads the part of a block that is selected. */
  #readBlock(chunk: Chunk, selection: ArraySelection, part: BlockPart, into: Uint8Array, offset: number): void {
    const { grid, itemsize } = selection;
    const start = part.blockIndex * grid.blockItemCount;
    chunk.readBytes((start + part.from) * itemsize, (start + part.to) * itemsize, into, offset);
  }

  #fill(special: IndexedSpecial, itemsize: number, scratch: Uint8Array): void {
    if (this.#filledWith === special) return;
    const pattern = special === "nan" ? nanPattern(itemsize) : new Uint8Array(1);
    fillPattern(scratch, 0, scratch.byteLength, pattern, 0);
    this.#filledWith = special;
  }
}
