/** A plane of an array as a picture. @module */
import { ArgumentError, type NDBuffer } from "@b2frame/core";
import { statisticsValues } from "@b2frame/core/stats";
import {
  type ColourMapName,
  colourIndexer,
  colourTable,
  type Numbers,
  type ScaleName,
  spreadOf,
} from "@b2frame/viewer/paint";
import { formatShape } from "../render/quantities.js";

/** How values become colours. */
export interface PlotStyle {
  readonly map: ColourMapName;
  readonly scale: ScaleName;
  readonly invert: boolean;
  /** Values of the first and the last colour; by default the 1st and the 99th percentile. */
  readonly range: readonly [low: number, high: number] | undefined;
}

/** Four bytes a pixel, from the upper left. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const OPAQUE = 255;
/** More pixels in a direction no program reads. */
const MOST_PIXELS = 65_535;

function numbersOf(plane: NDBuffer): Numbers {
  const values = statisticsValues(plane);
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) return Float64Array.from(values, Number);
  return values;
}

function colours(values: Numbers, { map, scale, invert, range }: PlotStyle): Uint8Array {
  const spread = spreadOf(values);
  const [low, high] = range ?? [spread.low, spread.high];
  const table = colourTable(map);
  const indexOf = colourIndexer(scale, low, high);
  const pixels = new Uint8Array(4 * values.length);
  for (let i = 0; i < values.length; i++) {
    const index = indexOf(values[i] as number);
    // NaN, and what has no logarithm, stays see-through.
    if (index < 0) continue;
    const from = 3 * (invert ? OPAQUE - index : index);
    pixels[4 * i] = table[from] as number;
    pixels[4 * i + 1] = table[from + 1] as number;
    pixels[4 * i + 2] = table[from + 2] as number;
    pixels[4 * i + 3] = OPAQUE;
  }
  return pixels;
}

/** Bytes that are red, green, blue and perhaps alpha already. */
function channels(bytes: Uint8Array, count: number): Uint8Array {
  if (count === 4) return bytes;
  const pixels = new Uint8Array((bytes.length / 3) * 4).fill(OPAQUE);
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) pixels.set(bytes.subarray(from, from + 3), to);
  return pixels;
}

/**
 * Paints two dimensions of numbers; of bytes also three, of which the last is red, green, blue and perhaps alpha.
 *
 * @throws ArgumentError for other dimensions, for items that are no numbers, and for pictures that no program reads.
 */
export function paintPlane(plane: NDBuffer, style: PlotStyle): Picture {
  const { shape, dtype } = plane;
  const [height = 0, width = 0, depth] = shape;
  const isColour = shape.length === 3 && dtype.str === "|u1" && (depth === 3 || depth === 4);
  if (shape.length !== 2 && !isColour) {
    const message = `a picture has two dimensions; the index leaves ${formatShape(shape)}. Give an integer for each of the others: --index 12,:,:`;
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "index" });
  }
  if (Math.min(height, width) === 0 || Math.max(height, width) > MOST_PIXELS) {
    const message = `a picture of ${width} x ${height} pixels can't be made; from 1 to ${MOST_PIXELS} are possible. A step takes fewer: --index ::4,::4`;
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "index" });
  }
  const pixels = isColour ? channels(plane.bytes, depth as number) : colours(numbersOf(plane), style);
  return { width, height, pixels };
}
