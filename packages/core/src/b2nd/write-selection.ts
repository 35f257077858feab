/** Writing a selection of an array: each touched chunk is decoded, changed and compressed once. @module */
import type { BoxMemory } from "../block/box-memory.js";
import type { SChunk } from "../super-chunk/super-chunk.js";
import { stateOf } from "../super-chunk/super-chunk-reader.js";
import { openArrayChunk } from "./array-chunk.js";
import { type ArraySelection, chunkWalkOf, type SelectedChunk } from "./array-selection.js";
import { BlockGatherer, gatheringPays } from "./block-gatherer.js";
import { copyRegion } from "./copy-region.js";
import { BLOCK, firstOfAll, nextOfAll } from "./cursor-steps.js";
import type { DimCursor } from "./dim-cursor.js";
import { listsPayToWrite } from "./list-reader.js";
import { ListWriter } from "./list-writer.js";

/** What is in a chunk before a selection is stored in it. A chunk that is covered wholly is not read; its padding becomes zeros. */
function loadChunk(
  schunk: SChunk,
  { grid, itemsize }: ArraySelection,
  { whole, chunkIndex }: SelectedChunk,
  data: Uint8Array,
): void {
  if (whole) data.fill(0);
  else openArrayChunk(schunk, grid, itemsize, chunkIndex).decompressInto(data);
}

function writeByLists(
  schunk: SChunk,
  boxes: BoxMemory,
  selection: ArraySelection,
  source: Uint8Array,
  sourceStrides: readonly number[],
): void {
  const { grid, itemsize } = selection;
  const data = new Uint8Array(grid.chunkItemCount * itemsize);
  const walk = chunkWalkOf(selection);
  const cursors = walk.cursors as readonly DimCursor[];
  const writer = new ListWriter(boxes, selection, cursors, source, sourceStrides);
  while (walk.advance()) {
    loadChunk(schunk, selection, walk, data);
    firstOfAll(cursors, BLOCK);
    do {
      let blockIndex = 0;
      for (let dim = 0; dim < cursors.length; dim++) {
        blockIndex += (cursors[dim] as DimCursor).block * (grid.blockStrides[dim] as number);
      }
      writer.put(data, blockIndex * grid.blockItemCount * itemsize);
    } while (nextOfAll(cursors, BLOCK));
    schunk.updateData(walk.chunkIndex, data);
  }
}

/**
 * Stores `source` (items with strides `sourceStrides`, in items; a stride of 0 repeats one) into the selected places. A chunk that is
 * covered wholly is not read first; its padding becomes zeros.
 */
export function writeSelection(
  schunk: SChunk,
  selection: ArraySelection,
  source: Uint8Array,
  sourceStrides: readonly number[],
): void {
  const { grid, itemsize } = selection;
  const data = new Uint8Array(grid.chunkItemCount * itemsize);
  const sourceByteStrides = sourceStrides.map((stride) => stride * itemsize);
  const blockStrides = new Array<number>(grid.ndim).fill(0);
  const { boxes } = stateOf(schunk);
  if (boxes !== undefined && source.byteLength <= selection.byteLength && listsPayToWrite(selection)) {
    writeByLists(schunk, boxes, selection, source, sourceByteStrides);
    return;
  }
  const pays = boxes !== undefined && gatheringPays(selection, sourceStrides);
  const gatherer = pays ? new BlockGatherer(boxes, selection, source) : undefined;
  let chunkIndex = -1;
  for (const part of selection.parts({ outStrides: sourceStrides })) {
    if (part.chunkIndex !== chunkIndex) {
      if (chunkIndex >= 0) schunk.updateData(chunkIndex, data);
      chunkIndex = part.chunkIndex;
      loadChunk(schunk, selection, part, data);
    }
    const start = (part.blockIndex * grid.blockItemCount + part.blockOffset) * itemsize;
    if (gatherer?.put(part, data, start) === true) continue;
    for (let i = 0; i < blockStrides.length; i++) blockStrides[i] = (part.blockStrides[i] as number) * itemsize;
    const from = part.outOffset * itemsize;
    copyRegion(source, from, sourceByteStrides, data, start, blockStrides, part.shape, itemsize);
  }
  if (chunkIndex >= 0) schunk.updateData(chunkIndex, data);
}
