/**
 * What part of an array is wanted, per dimension: NumPy's integers, slices and (orthogonal) index lists, normalised.
 *
 * @module
 */
import { ArgumentError } from "../errors.js";

/** A slice as NumPy has it: negative numbers count from the end, `null` or absent is the default, the step may be negative. */
export interface Slice {
  readonly start?: number | null | undefined;
  readonly stop?: number | null | undefined;
  readonly step?: number | null | undefined;
}

/** One dimension's part of an index: an item, a slice, a list of items (repeats and any order allowed), or all (`null`). */
export type DimIndex = number | Slice | readonly number[] | null | undefined;

/** Selected positions of one dimension: `start + i * step`, or `positions[i]`, for `i` below `count`. */
export interface DimSelection {
  readonly start: number;
  readonly step: number;
  readonly count: number;
  readonly positions: readonly number[] | undefined;
  /** An integer index: the dimension is dropped from the result. */
  readonly dropped: boolean;
}

function outOfRange(dim: number, index: number, size: number): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_OUT_OF_RANGE",
    `index ${index} is out of range for dimension ${dim} of size ${size}`,
    {
      parameter: `index[${dim}]`,
      value: index,
    },
  );
}

function checkInteger(dim: number, name: string, value: number): void {
  if (!Number.isSafeInteger(value)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${name} of dimension ${dim} is ${value}; expected an integer`, {
      parameter: `index[${dim}].${name}`,
      value,
    });
  }
}

function position(dim: number, index: number, size: number): number {
  checkInteger(dim, "index", index);
  const at = index < 0 ? index + size : index;
  if (at < 0 || at >= size) throw outOfRange(dim, index, size);
  return at;
}

/** Python's rules for the bounds of a slice. */
function normaliseSlice(dim: number, slice: Slice, size: number): DimSelection {
  const step = slice.step ?? 1;
  checkInteger(dim, "step", step);
  if (step === 0) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `step of dimension ${dim} is 0`, {
      parameter: `index[${dim}].step`,
      value: 0,
    });
  }
  const lowest = step > 0 ? 0 : -1;
  const highest = step > 0 ? size : size - 1;
  const bound = (name: string, value: number | null | undefined, fallback: number): number => {
    if (value === null || value === undefined) return fallback;
    checkInteger(dim, name, value);
    return Math.min(highest, Math.max(lowest, value < 0 ? value + size : value));
  };
  const start = bound("start", slice.start, step > 0 ? lowest : highest);
  const stop = bound("stop", slice.stop, step > 0 ? highest : lowest);
  const count = Math.max(0, Math.ceil((stop - start) / step));
  return { start, step, count, positions: undefined, dropped: false };
}

/**
 * Normalises an index against a shape; missing dimensions are taken whole.
 *
 * @throws ArgumentError for too many dimensions, an index out of range, a zero step.
 */
export function normaliseIndex(index: readonly DimIndex[], shape: readonly number[]): DimSelection[] {
  if (index.length > shape.length) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `the index has ${index.length} dimensions; the array has ${shape.length}`,
      {
        parameter: "index",
      },
    );
  }
  return shape.map((size, dim) => {
    const part = index[dim];
    if (part === null || part === undefined)
      return { start: 0, step: 1, count: size, positions: undefined, dropped: false };
    if (typeof part === "number") {
      return { start: position(dim, part, size), step: 1, count: 1, positions: undefined, dropped: true };
    }
    if (isIndexList(part)) {
      const positions = part.map((i) => position(dim, i, size));
      return { start: 0, step: 1, count: positions.length, positions, dropped: false };
    }
    return normaliseSlice(dim, part, size);
  });
}

function isIndexList(part: Slice | readonly number[]): part is readonly number[] {
  return Array.isArray(part);
}

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
