/** Walking pieces that are fetched before they are asked for. @module */

/** What is walked, and how. */
export interface ReadingAhead<T> {
  readonly count: number;
  /** Pieces that are fetched beside the one that is read. */
  readonly ahead: number;
  readonly signal: AbortSignal | undefined;
  /** Whether pieces are not only fetched ahead but read: by workers, side by side. */
  readonly readsAhead: boolean;
  readonly prefetch: (index: number, signal: AbortSignal) => Promise<void>;
  readonly read: (index: number, signal: AbortSignal) => Promise<T>;
}

/** Reads the pieces in order. Leaving the loop ends what is under way. @throws what reading throws; the signal's reason */
export async function* readingAhead<T>(walk: ReadingAhead<T>): AsyncGenerator<T> {
  const left = new AbortController();
  const signal = walk.signal === undefined ? left.signal : AbortSignal.any([walk.signal, left.signal]);
  const reading = new Map<number, Promise<T>>();
  const begin = (index: number): void => {
    // What fails ahead is told when the piece is read: what was only fetched is asked for once more.
    if (!walk.readsAhead) {
      walk.prefetch(index, signal).catch(() => {});
      return;
    }
    const piece = walk.read(index, signal);
    piece.catch(() => {});
    reading.set(index, piece);
  };
  let asked = 1;
  try {
    for (let index = 0; index < walk.count; index++) {
      for (; asked < walk.count && asked <= index + walk.ahead; asked++) begin(asked);
      asked = Math.max(asked, index + 2);
      const piece = await (reading.get(index) ?? walk.read(index, signal));
      reading.delete(index);
      yield piece;
    }
  } finally {
    left.abort();
  }
}
