/** Numbers of all items of an array. @module */
import { StatisticsRun } from "@b2frame/core/stats";
import type { RemoteArray } from "@b2frame/remote";
import { chunkBounds } from "./chunk-map.js";
import { numbersOf } from "./numbers.js";
import type { ComplexPart, Statistics } from "./protocol.js";
import { spreadOf } from "./spread.js";
import type { Work } from "./work.js";

/** Items of the sample that the histogram is of. */
const SAMPLE_LENGTH = 200_000;

/** Reads all chunks, one after another. @throws as `RemoteArray.get` */
export async function computeStatistics(array: RemoteArray, part: ComplexPart, work: Work): Promise<Statistics> {
  const began = performance.now();
  const count = array.shape.reduce((product, n) => product * n, 1);
  const run = new StatisticsRun({ times: "Mm".includes(array.dtype.kind) });
  const step = Math.max(1, Math.ceil(count / SAMPLE_LENGTH));
  const sample = new Float64Array(Math.ceil(count / step));
  let sampled = 0;
  let seen = 0;
  const chunkCount = count === 0 ? 0 : array.nchunks;
  for (let i = 0; i < chunkCount; i++) {
    const { start, stop } = chunkBounds(array, i);
    const index = start.map((s, dim) => ({ start: s, stop: stop[dim] }));
    const drawn = numbersOf(await array.get(index, { signal: work.signal }), part);
    run.add(drawn.exact ?? drawn.values);
    for (let k = (step - (seen % step)) % step; k < drawn.values.length; k += step) {
      if (sampled < sample.length) sample[sampled++] = drawn.values[k] as number;
    }
    seen += drawn.values.length;
    await work.breathe(i + 1, chunkCount);
  }
  const { finite, nans, infinities, zeros, min, max, mean, std } = run.result();
  return {
    count,
    finite,
    nans,
    infinities,
    zeros,
    min: String(min ?? "none"),
    max: String(max ?? "none"),
    mean,
    std,
    sample: spreadOf(sample.subarray(0, sampled)),
    sampled,
    milliseconds: performance.now() - began,
  };
}
