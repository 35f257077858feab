/** Writing a selection of an array: each touched chunk is decoded, changed and compressed once. @module */
import type { SChunk } from "../super-chunk/super-chunk.js";
import { stateOf } from "../super-chunk/super-chunk-reader.js";
import { openArrayChunk } from "./array-chunk.js";
import type { ArraySelection } from "./array-selection.js";
import { BlockGatherer, gatheringPays } from "./block-gatherer.js";
import { copyRegion } from "./copy-region.js";

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
  const pays = boxes !== undefined && gatheringPays(selection, sourceStrides);
  const gatherer = pays ? new BlockGatherer(boxes, selection, source) : undefined;
  let chunkIndex = -1;
  for (const part of selection.parts({ outStrides: sourceStrides })) {
    if (part.chunkIndex !== chunkIndex) {
      if (chunkIndex >= 0) schunk.updateData(chunkIndex, data);
      chunkIndex = part.chunkIndex;
      if (part.whole) data.fill(0);
      else openArrayChunk(schunk, grid, itemsize, chunkIndex).decompressInto(data);
    }
    const start = (part.blockIndex * grid.blockItemCount + part.blockOffset) * itemsize;
    if (gatherer?.put(part, data, start) === true) continue;
    for (let i = 0; i < blockStrides.length; i++) blockStrides[i] = (part.blockStrides[i] as number) * itemsize;
    const from = part.outOffset * itemsize;
    copyRegion(source, from, sourceByteStrides, data, start, blockStrides, part.shape, itemsize);
  }
  if (chunkIndex >= 0) schunk.updateData(chunkIndex, data);
}
