/** Walking an array chunk by chunk. @module */

import type { NDBuffer } from "../values/nd-buffer.js";
import type { ArrayReader } from "./array-reader.js";

/** A chunk's part of an array. */
export interface ArrayChunk {
  /** Index in C order of the chunk grid. */
  readonly index: number;
  /** First item per dimension, and one past the last. */
  readonly start: readonly number[];
  readonly stop: readonly number[];
  /** The items, without padding. */
  readonly items: NDBuffer;
}

/** What {@link ArrayReader.iterChunks} does. */
export function* iterateChunks(array: ArrayReader): Generator<ArrayChunk> {
  const { grid } = array;
  for (let index = 0; index < grid.nchunks; index++) {
    const start = grid.chunksPerDim.map(
      (n, dim) => (Math.floor(index / (grid.chunkStrides[dim] as number)) % n) * (grid.chunks[dim] as number),
    );
    const stop = start.map((s, dim) => Math.min(grid.shape[dim] as number, s + (grid.chunks[dim] as number)));
    yield { index, start, stop, items: array.getSlice(start, stop) };
  }
}
