/** Random numbers that a seed reproduces. @module */

/** A xorshift generator; the same seed gives the same numbers everywhere. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    // An avalanche step, so that neighbouring seeds differ in all bits; xorshift must not start at 0.
    let state = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
    state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
    this.#state = (state ^ (state >>> 16)) | 0 || 1;
  }

  /** 32 random bits, as an unsigned number. */
  bits(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return state >>> 0;
  }

  /** An integer, `low` and `high` included. */
  integer(low: number, high: number): number {
    return low + (this.bits() % (high - low + 1));
  }

  /** True once in `n` times. */
  oneIn(n: number): boolean {
    return this.bits() % n === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** An integer from `low` to `high` whose logarithm is evenly spread. */
  magnitude(low: number, high: number): number {
    const exponent = (this.bits() / 2 ** 32) * Math.log(high / low);
    return Math.min(high, Math.floor(low * Math.exp(exponent)));
  }

  /** The numbers 0 to `length - 1` in random order. */
  permutation(length: number): number[] {
    const order = Array.from({ length }, (_, index) => index);
    for (let last = length - 1; last > 0; last -= 1) {
      const other = this.integer(0, last);
      [order[last], order[other]] = [order[other] as number, order[last] as number];
    }
    return order;
  }
}
