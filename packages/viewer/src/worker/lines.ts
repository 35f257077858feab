/** Curves: of few items as they are, of many the lowest and highest of each stretch. @module */
import type { RemoteArray } from "@b2frame/remote";
import { numbersOf } from "./numbers.js";
import { arrayAt, trafficOf } from "./open-frames.js";
import type { ComplexPart, DimPart, Line, LineRequest } from "./protocol.js";
import type { Work } from "./work.js";

/** Items of a stretch of the finest kept level. */
const STRETCH = 1024;
/** Items that are read at once while levels are made. */
const PIECE = 2 ** 21;
/** A window of at most so many items is read as it is. */
const DIRECT = 2 ** 21;

/** Lowest and highest value of each stretch of {@link STRETCH} items along a dimension. */
interface Level {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Levels by array, and what of it they are of. */
const levels = new WeakMap<RemoteArray, Map<string, Level>>();

/** Extremes of `values` from `from` to `to`; NaN where there is nothing finite. */
function extremes(values: ArrayLike<number>, from: number, to: number): readonly [low: number, high: number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = from; i < to; i++) {
    const value = values[i] as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [Number.NaN, Number.NaN];
}

async function read(request: LineRequest, start: number, stop: number, signal: AbortSignal) {
  const index = request.index.map((part, dim): DimPart => (dim === request.dim ? { start, stop, step: 1 } : part));
  return numbersOf(
    await arrayAt(request.frame).get(
      index.map((p) => (typeof p === "number" ? p : { ...p })),
      { signal },
    ),
    request.part,
  ).values;
}

function levelKey(index: readonly DimPart[], dim: number, part: ComplexPart): string {
  return `${part} ${index.map((each, i) => (i === dim ? ":" : each)).join()}`;
}

/** Reads all of the dimension once. */
async function makeLevel(request: LineRequest, length: number, work: Work): Promise<Level> {
  const low = new Float64Array(Math.ceil(length / STRETCH));
  const high = new Float64Array(low.length);
  for (let start = 0; start < length; start += PIECE) {
    const values = await read(request, start, Math.min(length, start + PIECE), work.signal);
    for (let from = 0; from < values.length; from += STRETCH) {
      const [lowest, highest] = extremes(values, from, Math.min(values.length, from + STRETCH));
      low[(start + from) / STRETCH] = lowest;
      high[(start + from) / STRETCH] = highest;
    }
    await work.breathe(Math.min(length, start + PIECE), length);
  }
  return { low, high };
}

async function levelOf(request: LineRequest, work: Work): Promise<Level> {
  const array = arrayAt(request.frame);
  const known = levels.get(array) ?? new Map<string, Level>();
  levels.set(array, known);
  const key = levelKey(request.index, request.dim, request.part);
  const level = known.get(key) ?? (await makeLevel(request, array.shape[request.dim] ?? 1, work));
  // One at a time: the levels of a slice are not worth much when another one is looked at.
  known.clear();
  known.set(key, level);
  return level;
}

/** Puts stretches of `unit` items together to about `width` points. */
function join(
  low: ArrayLike<number>,
  high: ArrayLike<number>,
  from: number,
  to: number,
  unit: number,
  width: number,
): Omit<Line, "traffic"> {
  const step = Math.max(1, Math.ceil((to - from) / width));
  const count = Math.ceil((to - from) / step);
  const out = { x: new Float64Array(count), low: new Float64Array(count), high: new Float64Array(count) };
  for (let i = 0; i < count; i++) {
    const first = from + i * step;
    const end = Math.min(to, first + step);
    out.x[i] = first * unit;
    out.low[i] = extremes(low, first, end)[0];
    out.high[i] = extremes(high, first, end)[1];
  }
  return { ...out, step: step * unit };
}

/** A curve of a window. @throws as `RemoteArray.get` */
export async function readLine(request: LineRequest, work: Work): Promise<Line> {
  const { frame, start, stop, width } = request;
  const traffic = (): Line["traffic"] => trafficOf(arrayAt(frame));
  if (stop - start <= DIRECT) {
    const values = await read(request, start, stop, work.signal);
    const line = join(values, values, 0, values.length, 1, width);
    for (let i = 0; i < line.x.length; i++) line.x[i] = (line.x[i] as number) + start;
    return { ...line, traffic: traffic() };
  }
  const { low, high } = await levelOf(request, work);
  const line = join(low, high, Math.floor(start / STRETCH), Math.ceil(stop / STRETCH), STRETCH, width);
  return { ...line, traffic: traffic() };
}
