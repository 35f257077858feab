/** Reading a selection of an array: only the blocks that it touches are read and decoded. @module */
import type { Chunk } from "../chunk/chunk.js";
import type { SuperChunkReader } from "../super-chunk/super-chunk-reader.js";
import { openArrayChunk } from "./array-chunk.js";
import type { ChunkGrid } from "./chunk-grid.js";
import { copyRegion } from "./copy-region.js";
import type { DimSelection } from "./dim-index.js";
import { forEachChunk } from "./walk-selection.js";

/** Whether to read the part of a selection that lies in a block. Asked for each touched block, always in the same order. */
export type BlockClaim = (chunkIndex: number, blockIndex: number) => boolean;

/** Fills `target` (C order of the selection's counts, `itemsize` bytes an item) from the array's chunks. */
export function readSelection(
  schunk: SuperChunkReader,
  grid: ChunkGrid,
  itemsize: number,
  selection: readonly DimSelection[],
  outStrides: readonly number[],
  target: Uint8Array,
  scratch: Uint8Array,
  claim?: BlockClaim,
): void {
  const blockBytes = grid.blockItemCount * itemsize;
  const outByteStrides = outStrides.map((s) => s * itemsize);
  const blockByteStrides = new Array<number>(grid.ndim);
  forEachChunk(grid, selection, outStrides, ({ chunkIndex, forEachBlock }) => {
    let opened: Chunk | undefined;
    forEachBlock((block) => {
      if (claim?.(chunkIndex, block.blockIndex) === false) return;
      opened ??= openArrayChunk(schunk, grid, itemsize, chunkIndex);
      const chunk = opened;
      const start = block.blockIndex * blockBytes;
      const from = block.from * itemsize;
      const to = block.to * itemsize;
      chunk.readBytes(start + from, start + to, scratch, from);
      block.forEachBox((box) => {
        for (let i = 0; i < blockByteStrides.length; i++)
          blockByteStrides[i] = (box.blockStrides[i] as number) * itemsize;
        copyRegion(
          scratch,
          box.blockOffset * itemsize,
          blockByteStrides,
          target,
          box.outOffset * itemsize,
          outByteStrides,
          box.shape,
          itemsize,
        );
      });
    });
  });
}
