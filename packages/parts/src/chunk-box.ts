/** Which items a chunk holds. @module */

/** The items of one chunk: of an array, per dimension; of a super-chunk, its bytes in the whole. */
export interface ChunkBox {
  /** Index of the chunk, in C order of the chunk grid. */
  readonly index: number;
  /** First item per dimension. */
  readonly start: readonly number[];
  /** One past the last item per dimension, inside the shape. */
  readonly stop: readonly number[];
}

/** The part of an array that a chunk covers, without what pads it at the edges. */
export function boxOfChunk(
  { shape, chunks: chunkShape }: { readonly shape: readonly number[]; readonly chunks: readonly number[] },
  index: number,
): ChunkBox {
  const start = shape.map(() => 0);
  let rest = index;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    const length = chunkShape[dim] as number;
    const count = Math.ceil((shape[dim] as number) / length);
    start[dim] = (rest % count) * length;
    rest = Math.floor(rest / count);
  }
  const stop = start.map((at, dim) => Math.min(shape[dim] as number, at + (chunkShape[dim] as number)));
  return { index, start, stop };
}
