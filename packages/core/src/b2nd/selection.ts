/** Splitting one dimension's selection at chunk and block borders. @module */
import type { DimSelection } from "./dim-index.js";

/** Items in a row of a block that the selection visits at a constant step: a run. */
export interface SelectionRun {
  /** Offset in the block along this dimension, of the first item. */
  readonly inBlock: number;
  readonly step: number;
  readonly count: number;
  /** Index of the first item along this dimension of the result. */
  readonly out: number;
}

/** The runs in one block along one dimension. */
export interface BlockRuns {
  readonly block: number;
  readonly runs: SelectionRun[];
  /** Smallest and largest offset in the block that is wanted. */
  lowest: number;
  highest: number;
  /** How many of the block's positions along this dimension are selected (distinct ones). */
  itemCount: number;
}

/** The blocks touched in one chunk along one dimension. */
export interface ChunkRuns {
  readonly chunk: number;
  readonly blocks: BlockRuns[];
  itemCount: number;
}

/** Splits one dimension's selection at chunk and block borders; chunks, and blocks in them, in ascending order. */
export function splitDimension(selection: DimSelection, chunkSize: number, blockSize: number): ChunkRuns[] {
  const chunks = new Map<number, Map<number, SelectionRun[]>>();
  const add = (at: number, step: number, count: number, out: number): void => {
    const chunk = Math.floor(at / chunkSize);
    const inChunk = at - chunk * chunkSize;
    const block = Math.floor(inChunk / blockSize);
    let blocks = chunks.get(chunk);
    if (blocks === undefined) {
      blocks = new Map();
      chunks.set(chunk, blocks);
    }
    const runs = blocks.get(block);
    const run = { inBlock: inChunk - block * blockSize, step, count, out };
    if (runs === undefined) blocks.set(block, [run]);
    else runs.push(run);
  };
  if (selection.positions === undefined) {
    const { start, step, count } = selection;
    for (let i = 0; i < count; ) {
      const at = start + i * step;
      const chunkStart = Math.floor(at / chunkSize) * chunkSize;
      const blockStart = chunkStart + Math.floor((at - chunkStart) / blockSize) * blockSize;
      const blockEnd = Math.min(blockStart + blockSize, chunkStart + chunkSize);
      const room = step > 0 ? Math.ceil((blockEnd - at) / step) : Math.floor((at - blockStart) / -step) + 1;
      const taken = Math.min(room, count - i);
      add(at, step, taken, i);
      i += taken;
    }
  } else {
    const positions = selection.positions;
    for (let i = 0; i < positions.length; ) {
      const at = positions[i] as number;
      // Neighbours that ascend one by one are copied as one run.
      let taken = 1;
      const inChunk = at % chunkSize;
      const limit = Math.min(blockSize - (inChunk % blockSize), chunkSize - inChunk);
      while (taken < limit && i + taken < positions.length && positions[i + taken] === at + taken) taken++;
      add(at, 1, taken, i);
      i += taken;
    }
  }
  const ascending = (a: { key: number }, b: { key: number }): number => a.key - b.key;
  return [...chunks]
    .map(([key, blocks]) => ({ key, blocks }))
    .sort(ascending)
    .map(({ key, blocks }) => {
      const sorted = [...blocks]
        .map(([blockKey, runs]) => ({ key: blockKey, runs }))
        .sort(ascending)
        .map(({ key: block, runs }) => blockRuns(block, runs));
      return { chunk: key, blocks: sorted, itemCount: sorted.reduce((sum, b) => sum + b.itemCount, 0) };
    });
}

function blockRuns(block: number, runs: SelectionRun[]): BlockRuns {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = -1;
  const seen = new Set<number>();
  for (const run of runs) {
    const last = run.inBlock + (run.count - 1) * run.step;
    lowest = Math.min(lowest, run.inBlock, last);
    highest = Math.max(highest, run.inBlock, last);
    if (runs.length > 1) for (let i = 0; i < run.count; i++) seen.add(run.inBlock + i * run.step);
  }
  return { block, runs, lowest, highest, itemCount: runs.length > 1 ? seen.size : (runs[0] as SelectionRun).count };
}
