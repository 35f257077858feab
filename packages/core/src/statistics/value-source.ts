/** Where values come from: arrays of any numbers, taken in slabs of finite doubles. @module */
import { ArgumentError } from "../errors.js";
import type { DTypeArray } from "../values/dtype.js";
import type { NDBuffer } from "../values/nd-buffer.js";

/** Numbers to be counted in. */
export type StatisticsValues = DTypeArray;

/** Values that are taken at once: few enough to stay in the processor's nearest cache. */
export const SLAB_LENGTH = 4096;

const TWO_32 = 2 ** 32;
const MAX_REAL_BYTES = 8;
const MAX_COMPLEX_BYTES = 16;

/** Finite values, and what else was found among those that were taken. */
export class Slab {
  readonly values: Float64Array = new Float64Array(SLAB_LENGTH);
  /** How many there are. */
  length = 0;
  sum = 0;
  nans = 0;
  infinities = 0;
  /** Of all that are not NaN. */
  min = 0;
  max = 0;

  /** Takes numbers. */
  take(from: Exclude<StatisticsValues, BigInt64Array | BigUint64Array>, start: number, stop: number): void {
    const { values } = this;
    const length = stop - start;
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    let sum = 0;
    for (let i = 0; i < length; i++) {
      const value = from[start + i] as number;
      values[i] = value;
      if (value < min) min = value;
      if (value > max) max = value;
      sum += value;
    }
    this.length = length;
    this.sum = sum;
    this.nans = 0;
    this.infinities = 0;
    this.min = min;
    this.max = max;
    // NaN and infinities show in the sum; so does an overflow, in which nothing is left out.
    if (!Number.isFinite(sum)) this.#leaveOutNonFinite();
  }

  #leaveOutNonFinite(): void {
    const { values } = this;
    let kept = 0;
    this.sum = 0;
    for (let i = 0; i < this.length; i++) {
      const value = values[i] as number;
      if (Number.isNaN(value)) this.nans++;
      else if (!Number.isFinite(value)) this.infinities++;
      else {
        values[kept++] = value;
        this.sum += value;
      }
    }
    this.length = kept;
  }
}

/** 64-bit integers as pairs of words, without a BigInt for each. */
export class WideIntegers {
  readonly #isSigned: boolean;
  readonly #isTime: boolean;
  #minHigh = Number.POSITIVE_INFINITY;
  #minLow = 0;
  #maxHigh = Number.NEGATIVE_INFINITY;
  #maxLow = 0;

  /** @param isTime whether the lowest integer stands for no time. */
  constructor(isSigned: boolean, isTime: boolean) {
    this.#isSigned = isSigned;
    this.#isTime = isTime;
  }

  /** Takes integers, as the doubles that are nearest to them. */
  take(slab: Slab, from: BigInt64Array | BigUint64Array, start: number, stop: number): void {
    const { buffer, byteOffset, length } = from;
    const low = new Uint32Array(buffer, byteOffset, 2 * length);
    const high = this.#isSigned ? new Int32Array(buffer, byteOffset, 2 * length) : low;
    const { values } = slab;
    let taken = 0;
    slab.nans = 0;
    slab.infinities = 0;
    slab.min = Number.POSITIVE_INFINITY;
    slab.max = Number.NEGATIVE_INFINITY;
    slab.sum = 0;
    for (let i = start; i < stop; i++) {
      const h = high[2 * i + 1] as number;
      const l = low[2 * i] as number;
      if (this.#isTime && h === -(2 ** 31) && l === 0) {
        slab.nans++;
        continue;
      }
      if (h < this.#minHigh || (h === this.#minHigh && l < this.#minLow)) {
        this.#minHigh = h;
        this.#minLow = l;
      }
      if (h > this.#maxHigh || (h === this.#maxHigh && l > this.#maxLow)) {
        this.#maxHigh = h;
        this.#maxLow = l;
      }
      const value = h * TWO_32 + l;
      if (value < slab.min) slab.min = value;
      if (value > slab.max) slab.max = value;
      values[taken++] = value;
      slab.sum += value;
    }
    slab.length = taken;
  }

  /** The lowest and the highest of all that were taken; none of none. */
  get extremes(): readonly [min: bigint, max: bigint] | undefined {
    if (this.#minHigh > this.#maxHigh) return undefined;
    const exact = (high: number, low: number): bigint => (BigInt(high) << 32n) + BigInt(low);
    return [exact(this.#minHigh, this.#minLow), exact(this.#maxHigh, this.#maxLow)];
  }
}

/** Magnitudes of pairs of real and imaginary parts. */
function magnitudes(pairs: ArrayLike<number>): Float64Array {
  const out = new Float64Array(pairs.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = Math.hypot(pairs[2 * i] as number, pairs[2 * i + 1] as number);
  return out;
}

/**
 * The values of a slice as statistics count them: numbers as they are, bools as 0 and 1, times as their counts of units, complex numbers by
 * their magnitude.
 *
 * @throws ArgumentError for strings, bytes, structured types, and floats of 16 bytes.
 */
export function statisticsValues({ dtype, data }: NDBuffer): StatisticsValues {
  const { kind, itemsize, str } = dtype;
  if (kind === "c" && itemsize <= MAX_COMPLEX_BYTES && itemsize > 4) return magnitudes(data as Float64Array);
  if (!"biufMm".includes(kind) || itemsize > MAX_REAL_BYTES) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `items of type ${str} are no numbers to be counted`, {
      parameter: "dtype",
    });
  }
  return data;
}
