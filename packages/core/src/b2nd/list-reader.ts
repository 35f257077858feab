/**
 * Reading a selection by lists of positions: items that lie apart in a block go to their places in the result, which is put together
 * in the engine's memory, by one call for each block.
 *
 * @module
 */
import type { BoxMemory } from "../block/box-memory.js";
import { type SuperChunkReader, stateOf } from "../super-chunk/super-chunk-reader.js";
import { cOrderStrides } from "../values/shape.js";
import { type ArraySelection, chunkWalkOf } from "./array-selection.js";
import { BLOCK, firstOfAll, nextOfAll } from "./cursor-steps.js";
import type { DimCursor } from "./dim-cursor.js";
import { ListTable, listBytes } from "./list-table.js";
import { MAX_STAGED_BLOCK, StagedBlock } from "./staged-block.js";

/** Results that take more, with their lists, are not put together in the engine's memory, which keeps what it has grown by. */
const MAX_MEMORY = 128 * 1024 * 1024;
/** Smaller ones are read as fast item by item. */
const MIN_RESULT = 1024;
/** Rows of at least so many bytes are copied as fast one by one. */
const LONG_ROW = 4096;
const PAGE = 4096;

function wholePages(byteLength: number): number {
  return Math.ceil(byteLength / PAGE) * PAGE;
}

/** Whether copying by lists is the faster way to read a selection: it has lists, and no long rows. */
export function listsPay(selection: ArraySelection): boolean {
  return !selection.slicesOnly && listsPayToWrite(selection);
}

/** As {@link listsPay}; to write, lists are the faster way for slices with steps, too. */
export function listsPayToWrite(selection: ArraySelection): boolean {
  const { grid, itemsize, byteLength, slicesOnly } = selection;
  if (byteLength < MIN_RESULT || byteLength + listBytes(selection) > MAX_MEMORY) return false;
  if (grid.blockItemCount * itemsize > MAX_STAGED_BLOCK) return false;
  const walk = chunkWalkOf(selection);
  walk.advance();
  const cursors = walk.cursors as readonly DimCursor[];
  if (slicesOnly && cursors.every(({ step }) => step === 1)) return false;
  const last = cursors.at(-1) as DimCursor;
  last.firstBlock();
  last.firstRun();
  return last.step !== 1 || last.count * itemsize < LONG_ROW;
}

/**
 * Fills `target` (C order of the selection's counts).
 *
 * @param scratch memory for one block
 * @throws FormatError, CodecError, IoError
 */
export function readByLists(
  schunk: SuperChunkReader,
  boxes: BoxMemory,
  selection: ArraySelection,
  target: Uint8Array,
  scratch: Uint8Array,
): void {
  const { grid, itemsize, counts, byteLength } = selection;
  const state = stateOf(schunk);
  const walk = chunkWalkOf(selection);
  const cursors = walk.cursors as readonly DimCursor[];
  const listsAt = wholePages(grid.blockItemCount * itemsize);
  const resultPage = wholePages(listsAt + listBytes(selection));
  const outStrides = cOrderStrides(counts).map((stride) => stride * itemsize);
  const block = new StagedBlock(schunk, boxes, selection, cursors, scratch, resultPage + PAGE + byteLength);
  const lists = new ListTable(boxes, selection, cursors, outStrides, "fromBlock", listsAt);
  const result = resultPage + boxes.apartFrom(target, 0);
  while (walk.advance()) {
    const { chunkIndex } = walk;
    const special = state.specialAt(chunkIndex);
    firstOfAll(cursors, BLOCK);
    do {
      block.load(chunkIndex, special);
      lists.copy(0, result);
    } while (nextOfAll(cursors, BLOCK));
  }
  target.set(boxes.view().subarray(result, result + byteLength));
}
