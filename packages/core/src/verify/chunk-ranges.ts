/** Runs of chunks in a report: a damaged file can have lost millions. @module */

/** Chunks one after another. */
export interface ChunkRange {
  readonly start: number;
  /** Not included. */
  readonly stop: number;
}

/** Collects chunks in ascending order as ranges. */
export class ChunkRanges {
  readonly #ranges: ChunkRange[] = [];

  get ranges(): readonly ChunkRange[] {
    return this.#ranges;
  }

  /** Adds `count` chunks from `start` on, which is past all that are there. */
  add(start: number, count: number): void {
    if (count === 0) return;
    const last = this.#ranges.at(-1);
    const stop = start + count;
    if (last?.stop === start) this.#ranges[this.#ranges.length - 1] = { start: last.start, stop };
    else this.#ranges.push({ start, stop });
  }
}
