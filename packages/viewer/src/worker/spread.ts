/** How the values of a slice are spread. @module */
import type { Numbers, Spread } from "./protocol.js";

const BIN_COUNT = 96;
/** As many values tell the percentiles closely enough; all are looked at for the extremes. */
const SAMPLE_LENGTH = 16_384;
const LOW_PERCENTILE = 0.01;
const HIGH_PERCENTILE = 0.99;

function sortedSample(values: Numbers, finite: number): Float64Array {
  const step = Math.max(1, Math.ceil(values.length / SAMPLE_LENGTH));
  const sample = new Float64Array(Math.ceil(values.length / step));
  let count = 0;
  for (let i = 0; i < values.length; i += step) {
    const value = values[i] as number;
    if (Number.isFinite(value)) sample[count++] = value;
  }
  return finite === 0 ? new Float64Array(0) : sample.subarray(0, count).sort();
}

/** Looks at all values; NaN and infinities are counted apart. */
export function spreadOf(values: Numbers): Spread {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let nans = 0;
  let infinities = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value - value !== 0) {
      if (Number.isNaN(value)) nans++;
      else infinities++;
      continue;
    }
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const finite = values.length - nans - infinities;
  const bins = new Array<number>(BIN_COUNT).fill(0);
  if (finite === 0) return { min: 0, max: 0, low: 0, high: 0, nans, infinities, finite, bins };
  // Halved first: the width of what reaches from one end of the doubles to the other is no double.
  const scale = max > min ? BIN_COUNT / 2 / (max / 2 - min / 2) : 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value - value !== 0) continue;
    const bin = Math.min(BIN_COUNT - 1, Math.trunc((value / 2 - min / 2) * scale * 2));
    bins[bin] = (bins[bin] as number) + 1;
  }
  const sorted = sortedSample(values, finite);
  const last = sorted.length - 1;
  const low = sorted[Math.round(last * LOW_PERCENTILE)] ?? min;
  const high = sorted[Math.round(last * HIGH_PERCENTILE)] ?? max;
  return { min, max, low: low < high ? low : min, high: low < high ? high : max, nans, infinities, finite, bins };
}
