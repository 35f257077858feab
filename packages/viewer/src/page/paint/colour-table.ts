/** Colour maps. @module */
import { COLOUR_BYTES } from "./colour-bytes.js";

export type ColourMapName = keyof typeof COLOUR_BYTES;

/** In the order of the menu. */
export const COLOUR_MAPS: readonly ColourMapName[] = Object.keys(COLOUR_BYTES) as ColourMapName[];

const COUNT = 256;

/** The 256 colours of a map, three bytes each. */
export function colourTable(name: ColourMapName): Uint8Array {
  return Uint8Array.from(atob(COLOUR_BYTES[name]), (char) => char.charCodeAt(0));
}

/** What a value between the ends of the range is drawn as: an index into the table, by one of three scales. */
export type ScaleName = "linear" | "log" | "symlog";

export const SCALES: readonly ScaleName[] = ["linear", "log", "symlog"];

/** Below that part of the largest magnitude, a symmetric logarithm is linear. */
const LINEAR_PART = 1e-3;

/** Gives what a scale makes of values; `NaN` where it is not defined. */
export function scaleFunction(scale: ScaleName, low: number, high: number): (value: number) => number {
  if (scale === "log") return (value) => (value > 0 ? Math.log(value) : Number.NaN);
  if (scale === "symlog") {
    const unit = Math.max(Math.abs(low), Math.abs(high)) * LINEAR_PART || 1;
    return (value) => Math.sign(value) * Math.log1p(Math.abs(value) / unit);
  }
  return (value) => value;
}

/** Gives the index of a value's colour, 0 to 255; -1 for NaN, and for what has no logarithm. */
export function colourIndexer(scale: ScaleName, low: number, high: number): (value: number) => number {
  const scaled = scaleFunction(scale, low, high);
  const lowest = scaled(scale === "log" && low <= 0 ? Math.max(high, 1) * LINEAR_PART : low);
  const highest = scaled(high);
  // Halved, so that ends far apart do not overflow.
  const half = highest / 2 - lowest / 2;
  return (value) => {
    if (Number.isNaN(value)) return -1;
    const at = scaled(value);
    if (Number.isNaN(at)) return -1;
    if (half <= 0) return at > highest ? COUNT - 1 : 0;
    const part = (at / 2 - lowest / 2) / half;
    return part <= 0 ? 0 : part >= 1 ? COUNT - 1 : Math.floor(part * COUNT);
  };
}
