/** Walking pieces that are fetched before they are asked for. @module */

/** What is walked, and how. */
export interface ReadingAhead<T> {
  readonly count: number;
  /** Pieces that are fetched beside the one that is read. */
  readonly ahead: number;
  readonly signal: AbortSignal | undefined;
  readonly prefetch: (index: number, signal: AbortSignal) => Promise<void>;
  readonly read: (index: number, signal: AbortSignal) => Promise<T>;
}

/** Reads the pieces in order. Leaving the loop ends what is under way. @throws what reading throws; the signal's reason */
export async function* readingAhead<T>(walk: ReadingAhead<T>): AsyncGenerator<T> {
  const left = new AbortController();
  const signal = walk.signal === undefined ? left.signal : AbortSignal.any([walk.signal, left.signal]);
  let asked = 1;
  try {
    for (let index = 0; index < walk.count; index++) {
      // What fails ahead is told when the piece is read: reading asks for it once more.
      for (; asked < walk.count && asked <= index + walk.ahead; asked++) walk.prefetch(asked, signal).catch(() => {});
      asked = Math.max(asked, index + 2);
      yield await walk.read(index, signal);
    }
  } finally {
    left.abort();
  }
}
