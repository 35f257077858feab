/** Cutting an array into boxes whose items, one box after another, are the array's in C order. @module */

/** The items from `start` to `stop`, not included. */
export interface Box {
  readonly start: readonly number[];
  readonly stop: readonly number[];
}

/** What {@link cOrderPieces} cuts. */
export interface PieceOptions {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly itemsize: number;
  /** Most bytes of one box. */
  readonly maxBytes: number;
}

/**
 * Boxes that cover an array in C order, each as many chunks high as `maxBytes` allows, so that chunks are decoded once where
 * that can be. An item larger than `maxBytes` is a box of its own.
 */
export function* cOrderPieces(options: PieceOptions): Generator<Box> {
  if (options.shape.includes(0)) return;
  yield* piecesFrom(options, []);
}

function* piecesFrom(options: PieceOptions, prefix: readonly number[]): Generator<Box> {
  const { shape, chunks: chunkShape, itemsize, maxBytes } = options;
  const dim = prefix.length;
  const rest = shape.slice(dim + 1);
  if (dim === shape.length) {
    yield { start: prefix, stop: prefix.map((at) => at + 1) };
    return;
  }
  const length = shape[dim] as number;
  const rows = Math.floor(maxBytes / rest.reduce((bytes, n) => bytes * n, itemsize));
  if (rows === 0) {
    for (let at = 0; at < length; at++) yield* piecesFrom(options, [...prefix, at]);
    return;
  }
  const chunk = chunkShape[dim] as number;
  const step = rows < chunk ? rows : Math.floor(rows / chunk) * chunk;
  for (let at = 0; at < length; at += step) {
    yield {
      start: [...prefix, at, ...rest.map(() => 0)],
      stop: [...prefix.map((i) => i + 1), Math.min(length, at + step), ...rest],
    };
  }
}
