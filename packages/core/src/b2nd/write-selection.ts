/** Writing a selection of an array: each touched chunk is decoded, changed and compressed once. @module */
import type { SChunk } from "../super-chunk/super-chunk.js";
import { openArrayChunk } from "./array-chunk.js";
import type { ChunkGrid } from "./chunk-grid.js";
import { copyRegion } from "./copy-region.js";
import type { DimSelection } from "./dim-index.js";
import { forEachChunk } from "./walk-selection.js";

/**
 * Stores `source` (items with strides `sourceStrides`, in items; a stride of 0 repeats one) into the selected places. A chunk that is
 * covered wholly is not read first; its padding becomes zeros.
 */
export function writeSelection(
  schunk: SChunk,
  grid: ChunkGrid,
  itemsize: number,
  selection: readonly DimSelection[],
  source: Uint8Array,
  sourceStrides: readonly number[],
): void {
  const blockBytes = grid.blockItemCount * itemsize;
  const data = new Uint8Array(grid.chunkItemCount * itemsize);
  const sourceByteStrides = sourceStrides.map((s) => s * itemsize);
  const blockByteStrides = new Array<number>(grid.ndim);
  forEachChunk(grid, selection, sourceStrides, ({ chunkIndex, whole, forEachBlock }) => {
    if (whole) data.fill(0);
    else openArrayChunk(schunk, grid, itemsize, chunkIndex).decompressInto(data);
    forEachBlock((block) => {
      const start = block.blockIndex * blockBytes;
      block.forEachBox((box) => {
        for (let i = 0; i < blockByteStrides.length; i++)
          blockByteStrides[i] = (box.blockStrides[i] as number) * itemsize;
        copyRegion(
          source,
          box.outOffset * itemsize,
          sourceByteStrides,
          data,
          start + box.blockOffset * itemsize,
          blockByteStrides,
          box.shape,
          itemsize,
        );
      });
    });
    schunk.updateData(chunkIndex, data);
  });
}
