/** Numbers of all items of an array. @module */
import type { RemoteArray } from "@b2frame/remote";
import { chunkBounds } from "./chunk-map.js";
import { numbersOf } from "./numbers.js";
import type { ComplexPart, Statistics } from "./protocol.js";
import { spreadOf } from "./spread.js";
import type { Work } from "./work.js";

/** Items of the sample that the histogram is of. */
const SAMPLE_LENGTH = 200_000;

/** Extremes of 64-bit integers, which doubles can't hold. */
class ExactExtremes {
  min: bigint | undefined;
  max: bigint | undefined;

  add(values: BigInt64Array | BigUint64Array): void {
    for (const value of values) {
      if (this.min === undefined || value < this.min) this.min = value;
      if (this.max === undefined || value > this.max) this.max = value;
    }
  }
}

/** Sums that stay exact enough: each chunk's mean and squares are joined to those before. */
class Sums {
  finite = 0;
  nans = 0;
  infinities = 0;
  zeros = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  mean = 0;
  #squares = 0;

  add(values: ArrayLike<number>): void {
    let finite = 0;
    let mean = 0;
    let squares = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      if (value - value !== 0) {
        if (Number.isNaN(value)) this.nans++;
        else this.infinities++;
        if (value < this.min) this.min = value;
        if (value > this.max) this.max = value;
        continue;
      }
      if (value === 0) this.zeros++;
      if (value < this.min) this.min = value;
      if (value > this.max) this.max = value;
      finite++;
      const apart = value - mean;
      mean += apart / finite;
      squares += apart * (value - mean);
    }
    const all = this.finite + finite;
    if (all === 0) return;
    const apart = mean - this.mean;
    this.mean += (apart * finite) / all;
    this.#squares += squares + (apart * apart * this.finite * finite) / all;
    this.finite = all;
  }

  get std(): number {
    return Math.sqrt(this.#squares / this.finite);
  }
}

/** Reads all chunks, one after another. @throws as `RemoteArray.get` */
export async function computeStatistics(array: RemoteArray, part: ComplexPart, work: Work): Promise<Statistics> {
  const began = performance.now();
  const count = array.shape.reduce((product, n) => product * n, 1);
  const sums = new Sums();
  const exact = new ExactExtremes();
  const step = Math.max(1, Math.ceil(count / SAMPLE_LENGTH));
  const sample = new Float64Array(Math.ceil(count / step));
  let sampled = 0;
  let seen = 0;
  const chunkCount = count === 0 ? 0 : array.nchunks;
  for (let i = 0; i < chunkCount; i++) {
    const { start, stop } = chunkBounds(array, i);
    const index = start.map((s, dim) => ({ start: s, stop: stop[dim] }));
    const drawn = numbersOf(await array.get(index, { signal: work.signal }), part);
    sums.add(drawn.values);
    if (drawn.exact !== undefined) exact.add(drawn.exact);
    for (let k = (step - (seen % step)) % step; k < drawn.values.length; k += step) {
      if (sampled < sample.length) sample[sampled++] = drawn.values[k] as number;
    }
    seen += drawn.values.length;
    await work.breathe(i + 1, chunkCount);
  }
  const { finite, nans, infinities, zeros, min, max, mean, std } = sums;
  const extreme = (value: number): string => (finite + infinities === 0 ? "none" : String(value));
  return {
    count,
    finite,
    nans,
    infinities,
    zeros,
    min: exact.min === undefined ? extreme(min) : String(exact.min),
    max: exact.max === undefined ? extreme(max) : String(exact.max),
    mean: finite === 0 ? Number.NaN : mean,
    std: finite === 0 ? Number.NaN : std,
    sample: spreadOf(sample.subarray(0, sampled)),
    sampled,
    milliseconds: performance.now() - began,
  };
}
