/** Visits the blocks that a selection touches, chunk by chunk. @module */
import type { ChunkGrid } from "./chunk-grid.js";
import type { DimSelection } from "./dim-index.js";
import { type BlockRuns, type ChunkRuns, type SelectionRun, splitDimension } from "./selection.js";

/** A chunk that a selection touches. */
export interface TouchedChunk {
  /** Index in C order of the chunk grid. */
  readonly chunkIndex: number;
  /** Whether every item of the chunk that lies inside the array is selected. */
  readonly whole: boolean;
  /** Calls back for each touched block, in C order of the block grid. */
  forEachBlock(visit: (block: TouchedBlock) => void): void;
}

/** A block that a selection touches. */
export interface TouchedBlock {
  /** Index in C order of the chunk's block grid. */
  readonly blockIndex: number;
  /** Range of item offsets in the block that covers all that is wanted: `from` to `to`, `to` excluded. */
  readonly from: number;
  readonly to: number;
  /** Calls back for each box of items at a constant step per dimension. Offsets and strides count items. */
  forEachBox(visit: (box: Box) => void): void;
}

/** A box of items: where it lies in the block and in the result. The object is reused between calls. */
export interface Box {
  blockOffset: number;
  blockStrides: number[];
  outOffset: number;
  shape: number[];
}

/** Calls `visit` with every combination of one element from each list; the array passed is reused. */
function forEachCombination<T>(lists: readonly (readonly T[])[], visit: (choice: T[]) => void): void {
  const choice = new Array<T>(lists.length);
  const walk = (dim: number): void => {
    if (dim === lists.length) {
      visit(choice);
      return;
    }
    for (const element of lists[dim] as readonly T[]) {
      choice[dim] = element;
      walk(dim + 1);
    }
  };
  walk(0);
}

/** Walks a selection over a grid. `outStrides` are the result's strides per array dimension, in items. */
export function forEachChunk(
  grid: ChunkGrid,
  selection: readonly DimSelection[],
  outStrides: readonly number[],
  visit: (chunk: TouchedChunk) => void,
): void {
  if (selection.some((s) => s.count === 0)) return;
  const perDim = selection.map((s, i) => splitDimension(s, grid.chunkShape[i] as number, grid.blockShape[i] as number));
  forEachCombination(perDim, (chunkRuns) => {
    let chunkIndex = 0;
    let whole = true;
    for (let i = 0; i < chunkRuns.length; i++) {
      const runs = chunkRuns[i] as ChunkRuns;
      const extent = grid.chunkShape[i] as number;
      chunkIndex += runs.chunk * (grid.chunkStrides[i] as number);
      whole &&= runs.itemCount === Math.min(extent, (grid.shape[i] as number) - runs.chunk * extent);
    }
    const blocksPerDim = chunkRuns.map((runs) => runs.blocks);
    visit({
      chunkIndex,
      whole,
      forEachBlock: (visitBlock) => {
        forEachCombination(blocksPerDim, (blockRuns) => visitBlock(touchedBlock(grid, blockRuns, outStrides)));
      },
    });
  });
}

function touchedBlock(grid: ChunkGrid, blockRuns: readonly BlockRuns[], outStrides: readonly number[]): TouchedBlock {
  let blockIndex = 0;
  let from = 0;
  let to = 1;
  for (let i = 0; i < blockRuns.length; i++) {
    const runs = blockRuns[i] as BlockRuns;
    const stride = grid.itemStrides[i] as number;
    blockIndex += runs.block * (grid.blockStrides[i] as number);
    from += runs.lowest * stride;
    to += runs.highest * stride;
  }
  return {
    blockIndex,
    from,
    to,
    forEachBox: (visitBox) => {
      const ndim = blockRuns.length;
      const box: Box = {
        blockOffset: 0,
        blockStrides: new Array<number>(ndim),
        outOffset: 0,
        shape: new Array<number>(ndim),
      };
      forEachCombination(
        blockRuns.map((runs) => runs.runs),
        (runs) => {
          box.blockOffset = 0;
          box.outOffset = 0;
          for (let i = 0; i < ndim; i++) {
            const run = runs[i] as SelectionRun;
            const stride = grid.itemStrides[i] as number;
            box.blockOffset += run.inBlock * stride;
            box.blockStrides[i] = run.step * stride;
            box.outOffset += run.out * (outStrides[i] as number);
            box.shape[i] = run.count;
          }
          visitBox(box);
        },
      );
    },
  };
}
