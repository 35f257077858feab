/** Numbers of all items, chunk by chunk, and of runs of chunks that were counted apart. @module */
import { ArgumentError } from "../errors.js";
import { type BinCounts, type DistanceSums, DyadicHistogram } from "./dyadic-histogram.js";
import { type MomentNode, MomentTree, meanOf } from "./moment-tree.js";
import { type PartialStatistics, readPartial } from "./partial-statistics.js";
import { SLAB_LENGTH, Slab, type StatisticsValues, WideIntegers } from "./value-source.js";

/** Of 1. */
const HALF_ULP = 2 ** -53;

/** What is known of all values. */
export interface Statistics {
  /** All of them; `finite + nans + infinities`. */
  readonly count: number;
  readonly finite: number;
  /** NaN, and times that are none. */
  readonly nans: number;
  readonly infinities: number;
  readonly zeros: number;
  /** Of all but NaN; exact bigints of 64-bit integers; undefined if there are none. */
  readonly min: number | bigint | undefined;
  readonly max: number | bigint | undefined;
  /** Of the finite values; NaN if there are none. */
  readonly mean: number;
  /** Standard deviation of the finite values, by their count: NumPy's, with `ddof` 0. */
  readonly std: number;
  /** Of the finite values, in up to 1,024 bins whose width is a power of two; see `coarser` for fewer. */
  readonly histogram: BinCounts;
}

/** What {@link StatisticsRun} is told. */
export interface StatisticsOptions {
  /** Number of the first chunk: not 0 for a part of the chunks; default 0. */
  readonly first?: number;
  /** Whether 64-bit integers are times, of which the lowest is none; default false. */
  readonly times?: boolean;
}

/** Extremes that are compared as they are given out. */
type Extremes = readonly [min: number | bigint, max: number | bigint];

function wider(a: Extremes | undefined, b: Extremes | undefined): Extremes | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const lowest = b[0] < a[0] ? b : a;
  const highest = b[1] > a[1] ? b : a;
  return [lowest[0], highest[1]];
}

/**
 * Statistics of a run of chunks, that are added in order. Runs that follow one another can be joined: with the same chunks, the result is the
 * same to the last bit, whoever counted which of them, for sums are taken in an order that depends on the numbers of the chunks only.
 *
 * @example
 * ```ts
 * import { StatisticsRun, statisticsValues } from "@b2frame/core/stats";
 *
 * const run = new StatisticsRun();
 * for (const { items } of array.iterChunks()) run.add(statisticsValues(items));
 * console.log(run.result().mean);
 * ```
 */
export class StatisticsRun {
  readonly #times: boolean;
  readonly #slab = new Slab();
  readonly #slabs = new MomentTree();
  readonly #chunks: MomentTree;
  readonly #sums: DistanceSums = { zeros: 0, drift: 0, squares: 0 };
  readonly #histogram = new DyadicHistogram();
  #wide: WideIntegers | undefined;
  /** Of what other runs brought, and of numbers. */
  #extremes: Extremes | undefined;
  #nans = 0;
  #infinities = 0;
  #zeros = 0;

  constructor({ first = 0, times = false }: StatisticsOptions = {}) {
    this.#chunks = new MomentTree(first);
    this.#times = times;
  }

  /** Number of the first chunk. */
  get first(): number {
    return this.#chunks.first;
  }

  /** Number of the chunk that comes next. */
  get stop(): number {
    return this.#chunks.stop;
  }

  /** Adds the chunk that comes next. */
  add(values: StatisticsValues): void {
    const slab = this.#slab;
    const isWide = values instanceof BigInt64Array || values instanceof BigUint64Array;
    if (isWide) this.#wide ??= new WideIntegers(values instanceof BigInt64Array, this.#times);
    this.#slabs.clear();
    for (let start = 0; start < values.length; start += SLAB_LENGTH) {
      const stop = Math.min(values.length, start + SLAB_LENGTH);
      if (isWide) (this.#wide as WideIntegers).take(slab, values, start, stop);
      else {
        slab.take(values, start, stop);
        // -0 is given out as 0.
        if (slab.min <= slab.max) this.#extremes = wider(this.#extremes, [slab.min + 0, slab.max + 0]);
      }
      this.#nans += slab.nans;
      this.#infinities += slab.infinities;
      this.#slabs.push(this.#count(slab));
    }
    this.#chunks.push({ ...this.#slabs.total(), level: 0 });
  }

  #count({ values, length, sum, min, max, infinities }: Slab): MomentNode {
    if (length === 0) return { level: 0, count: 0, sum: 0, sumRest: 0, squares: 0 };
    let lowest = min;
    let highest = max;
    if (infinities > 0) {
      const finite = values.subarray(0, length);
      lowest = finite.reduce((least, value) => Math.min(least, value));
      highest = finite.reduce((most, value) => Math.max(most, value));
    }
    this.#histogram.cover(lowest, highest);
    this.#histogram.add(values, length, sum / length, this.#sums);
    const { zeros, drift, squares } = this.#sums;
    this.#zeros += zeros;
    // What summing lost shows as a mean distance that is not 0. Less than the distances' own rounding says nothing: sums of integers are exact.
    const noise = length * HALF_ULP * Math.max(Math.abs(lowest), Math.abs(highest));
    return {
      level: 0,
      count: length,
      sum,
      sumRest: Math.abs(drift) > noise && Number.isFinite(drift) ? drift : 0,
      squares: Math.max(0, squares - (drift * drift) / length),
    };
  }

  /** What can be kept, sent and read again: see {@link StatisticsRun.from}. */
  partial(): PartialStatistics {
    const [min, max] = wider(this.#extremes, this.#wide?.extremes) ?? [];
    return {
      first: this.first,
      stop: this.stop,
      nans: this.#nans,
      infinities: this.#infinities,
      zeros: this.#zeros,
      ...(min === undefined || max === undefined ? {} : { min: String(min), max: String(max) }),
      ...(typeof min === "bigint" ? { exact: true } : {}),
      nodes: this.#chunks.nodes.map(({ level, count, sum, sumRest, squares }) =>
        [level, count, sum, sumRest, squares].map(String),
      ),
      ...(this.#histogram.range === undefined
        ? {}
        : { range: this.#histogram.range.map(String), histogram: this.#histogram.bins }),
    };
  }

  /** The run that gave a {@link PartialStatistics}, which may have been JSON since. @throws ArgumentError if it is none */
  static from(partial: unknown): StatisticsRun {
    const { first } = readPartial(partial);
    const run = new StatisticsRun({ first });
    run.join(partial);
    return run;
  }

  /**
   * Adds what was counted apart of the chunks that come next.
   *
   * @throws ArgumentError if it is none, or does not begin where this run ends.
   */
  join(partial: unknown): void {
    const { first, nans, infinities, zeros, extremes, nodes, range, histogram } = readPartial(partial);
    if (first !== this.stop) {
      const message = `these statistics begin at chunk ${first}; those before end at chunk ${this.stop}`;
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, {
        parameter: "first",
        expected: this.stop,
        found: first,
      });
    }
    this.#nans += nans;
    this.#infinities += infinities;
    this.#zeros += zeros;
    this.#extremes = wider(this.#extremes, extremes);
    for (const node of nodes) this.#chunks.push(node);
    if (range !== undefined && histogram !== undefined) this.#histogram.join(histogram, range);
  }

  /** What all chunks so far came to. */
  result(): Statistics {
    const moments = this.#chunks.total();
    const { count: finite, squares } = moments;
    const [min, max] = wider(this.#extremes, this.#wide?.extremes) ?? [];
    return {
      count: finite + this.#nans + this.#infinities,
      finite,
      nans: this.#nans,
      infinities: this.#infinities,
      zeros: this.#zeros,
      min,
      max,
      mean: meanOf(moments),
      std: Math.sqrt(squares / finite),
      histogram: this.#histogram.bins,
    };
  }
}
