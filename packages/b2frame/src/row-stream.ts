/** Rows of an array as a Node stream. @module */
import { Writable } from "node:stream";
import type { ArrayInput, NDArray, RowWriterOptions } from "@b2frame/core";

/** How to write rows from a stream. */
export interface RowStreamOptions extends RowWriterOptions {
  /** Pieces that wait before `write()` asks to pause. Default 16, as streams of objects have it. */
  readonly highWaterMark?: number | undefined;
}

/**
 * A stream of objects that appends each piece, one row or several, to an array by whole chunks, and commits at its end. The event loop
 * turns between pieces. Destroyed before its end, it forgets the rows that did not fill a chunk. The array stays open.
 *
 * `Writable.toWeb()` of `node:stream` makes a web stream of it.
 *
 * @example
 * ```ts
 * await pipeline(samples, rowStream(table));
 * ```
 */
export function rowStream(array: NDArray, { highWaterMark = 16, ...options }: RowStreamOptions = {}): Writable {
  const rows = array.rowWriter(options);
  const attempt = (step: () => void, done: (error?: Error | null) => void): void => {
    try {
      step();
    } catch (error) {
      done(error as Error);
      return;
    }
    setImmediate(done);
  };
  return new Writable({
    objectMode: true,
    highWaterMark,
    write: (piece: ArrayInput, _, done) => attempt(() => rows.write(piece), done),
    final: (done) => attempt(() => rows.close(), done),
    destroy: (error, done) => {
      rows.discard();
      done(error);
    },
  });
}
