/**
 * Counts of values in bins whose width is a power of two. When a value lies outside, neighbouring bins are put together, which is exact:
 * the bins depend only on the lowest and highest value, never on the order in which values or parts of them came.
 *
 * @module
 */

/** Most bins. */
const BIN_COUNT = 1024;
const BIN_BITS = 10;
/** The narrowest bins of normal numbers. */
const MIN_EXPONENT = -1022;
const MANTISSA_BITS = 52;

const MAX_PLAIN = 2 ** 30;

/** What {@link DyadicHistogram.add} finds out beside the counts. */
export interface DistanceSums {
  zeros: number;
  /** Sum of the values' distances from the mean, and of their squares. */
  drift: number;
  squares: number;
}

/** Bin `i` holds values from `(first + i) * 2 ** exponent` up to, but without, those of the next. */
export interface BinCounts {
  readonly exponent: number;
  readonly first: number;
  readonly counts: readonly number[];
}

const bits = new DataView(new ArrayBuffer(8));

/** The power of two that is just not above a positive value; of values below the normal ones the least. */
function exponentOf(value: number): number {
  bits.setFloat64(0, value);
  return ((bits.getUint16(0) >> 4) & 0x7ff) - 1023;
}

/** In which bin a value lies, counted from the one that begins at 0. A negative value that scaling takes to 0 lies below it all the same. */
function binOf(value: number, scale: number): number {
  const scaled = value * scale;
  return scaled === 0 && value < 0 ? -1 : Math.floor(scaled);
}

/** How narrow bins of values from `min` to `max` can be. */
function narrowest(min: number, max: number): number {
  // Halved first: what reaches from one end of the doubles to the other is no double.
  const range = max / 2 - min / 2;
  const byRange = range > 0 ? exponentOf(range) + 1 - BIN_BITS - 1 : MIN_EXPONENT;
  const bySize = exponentOf(Math.max(Math.abs(min), Math.abs(max))) - MANTISSA_BITS;
  let exponent = Math.max(MIN_EXPONENT, byRange, bySize);
  while (binOf(max, 2 ** -exponent) - binOf(min, 2 ** -exponent) >= BIN_COUNT) exponent++;
  return exponent;
}

/** See the module. */
export class DyadicHistogram {
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #exponent = MIN_EXPONENT;
  #first = 0;
  #counts = new Float64Array(BIN_COUNT);

  /** The bins as they are, from the lowest value's to the highest's. */
  get bins(): BinCounts {
    const { length } = this.#used();
    return { exponent: this.#exponent, first: this.#first, counts: Array.from(this.#counts.subarray(0, length)) };
  }

  /** The lowest and the highest value; none of none. */
  get range(): readonly [min: number, max: number] | undefined {
    return this.#min > this.#max ? undefined : [this.#min, this.#max];
  }

  #used(): Float64Array {
    if (this.#min > this.#max) return this.#counts.subarray(0, 0);
    return this.#counts.subarray(0, binOf(this.#max, 2 ** -this.#exponent) - this.#first + 1);
  }

  /** Makes room for values from `min` to `max`. */
  cover(min: number, max: number): void {
    if (min >= this.#min && max <= this.#max) return;
    const used = this.#used();
    this.#min = Math.min(min, this.#min);
    this.#max = Math.max(max, this.#max);
    const exponent = narrowest(this.#min, this.#max);
    const first = binOf(this.#min, 2 ** -exponent);
    const counts = new Float64Array(BIN_COUNT);
    this.#addInto(counts, first, exponent, this.#exponent, this.#first, used);
    this.#exponent = exponent;
    this.#first = first;
    this.#counts = counts;
  }

  #addInto(
    counts: Float64Array,
    first: number,
    exponent: number,
    fromExponent: number,
    fromFirst: number,
    from: ArrayLike<number>,
  ): void {
    const narrower = 2 ** (fromExponent - exponent);
    for (let i = 0; i < from.length; i++) {
      if (from[i] === 0) continue;
      const bin = binOf(fromFirst + i, narrower) - first;
      counts[bin] = (counts[bin] as number) + (from[i] as number);
    }
  }

  /** Counts values, of which the lowest and the highest are covered, and sums up how far they are from `mean`. */
  add(values: Float64Array, length: number, mean: number, sums: DistanceSums): void {
    // Nothing is scaled to 0, and all bins are numbered by small integers: one fast loop does all.
    if (this.#exponent <= 0 && Math.abs(this.#first) < MAX_PLAIN) {
      this.#addPlain(values, length, mean, sums);
      return;
    }
    const counts = this.#counts;
    const scale = 2 ** -this.#exponent;
    const first = this.#first;
    for (let i = 0; i < length; i++) {
      const bin = binOf(values[i] as number, scale) - first;
      counts[bin] = (counts[bin] as number) + 1;
    }
    sums.zeros = 0;
    sums.drift = 0;
    sums.squares = 0;
    for (let i = 0; i < length; i++) {
      const apart = (values[i] as number) - mean;
      if (values[i] === 0) sums.zeros++;
      sums.drift += apart;
      sums.squares += apart * apart;
    }
  }

  #addPlain(values: Float64Array, length: number, mean: number, sums: DistanceSums): void {
    const counts = this.#counts;
    const scale = 2 ** -this.#exponent;
    const first = this.#first | 0;
    let zeros = 0;
    let drift = 0;
    let squares = 0;
    for (let i = 0; i < length; i++) {
      const value = values[i] as number;
      if (value === 0) zeros++;
      const apart = value - mean;
      drift += apart;
      squares += apart * apart;
      const bin = ((Math.floor(value * scale) | 0) - first) | 0;
      counts[bin] = (counts[bin] as number) + 1;
    }
    sums.zeros = zeros;
    sums.drift = drift;
    sums.squares = squares;
  }

  /** Adds other counts, of values of which the lowest and the highest are known. */
  join({ exponent, first, counts }: BinCounts, [min, max]: readonly [min: number, max: number]): void {
    this.cover(min, max);
    this.#addInto(this.#counts, this.#first, this.#exponent, exponent, first, counts);
  }
}

/** Whether bins are those that values from `min` to `max` have. */
export function areBinsOf({ exponent, first, counts }: BinCounts, min: number, max: number): boolean {
  if (min > max || exponent !== narrowest(min, max) || first !== binOf(min, 2 ** -exponent)) return false;
  return first + counts.length - 1 === binOf(max, 2 ** -exponent);
}

/** The same counts in at most `most` bins: neighbours put together. */
export function coarser({ exponent, first, counts }: BinCounts, most: number): BinCounts {
  let wider = 0;
  const place = (i: number): number => Math.floor((first + i) / 2 ** wider);
  while (counts.length > 0 && place(counts.length - 1) - place(0) >= most) wider++;
  const joined = new Array<number>(counts.length === 0 ? 0 : place(counts.length - 1) - place(0) + 1).fill(0);
  for (const [i, count] of counts.entries())
    joined[place(i) - place(0)] = (joined[place(i) - place(0)] as number) + count;
  return { exponent: exponent + wider, first: counts.length === 0 ? 0 : place(0), counts: joined };
}
