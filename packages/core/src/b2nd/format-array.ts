/** The values of an array in text, printed as NumPy is told to print them. @module */
import { checkOptionNames } from "../checks/option-names.js";
import { ArgumentError } from "../errors.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { edgeText } from "../values/text/buffer-text.js";
import { edgesOf } from "../values/text/edges.js";
import { type TextStyle, USUAL_STYLE } from "../values/text/text-style.js";
import type { ArrayReader } from "./array-reader.js";

/** NumPy's print options, with its defaults: precision 8, threshold 1000, edgeItems 3, lineWidth 75. */
export type FormatOptions = Partial<TextStyle>;

const LEAST: Readonly<Record<keyof TextStyle, number>> = { precision: 0, threshold: 0, edgeItems: 1, lineWidth: 1 };
/** More digits no double has that are its own, and `toFixed` gives no more. */
const MOST: Readonly<Partial<Record<keyof TextStyle, number>>> = { precision: 100, edgeItems: 1000 };

function styleOf(options: FormatOptions): TextStyle {
  checkOptionNames<FormatOptions>({ precision: true, threshold: true, edgeItems: true, lineWidth: true }, options);
  const pick = (name: keyof TextStyle): number => {
    const value = options[name] ?? USUAL_STYLE[name];
    const least = LEAST[name];
    const most = MOST[name] ?? Number.MAX_SAFE_INTEGER;
    if (!Number.isInteger(value) || value < least || value > most) {
      const expected = `an integer from ${least} to ${most}`;
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${name}: expected ${expected}, found ${value}`, {
        parameter: name,
        expected,
        found: value,
      });
    }
    return value;
  };
  return {
    precision: pick("precision"),
    threshold: pick("threshold"),
    edgeItems: pick("edgeItems"),
    lineWidth: pick("lineWidth"),
  };
}

/**
 * The values of an array, as `numpy.array2string` gives them: all of a small one, those at the edges of a large one, of which only
 * the blocks are read.
 *
 * @throws ArgumentError for bad options, and if even the corners of the array are too much to show; else as reading a slice does.
 * @example
 * ```ts
 * formatArray(asarray(Float64Array.of(1 / 3, 2)), { precision: 3 }); // [0.333 2.   ]
 * ```
 */
export function formatArray(array: ArrayReader | NDBuffer, options: FormatOptions = {}): string {
  const style = styleOf(options);
  const { shape, dtype } = array;
  const edges = edgesOf(shape, dtype.itemsize, style);
  if (edges === undefined) {
    const message = `an array of ${shape.length} dimensions with items of ${dtype.itemsize} bytes is too large to show its corners: take a slice`;
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "array" });
  }
  if (array instanceof NDBuffer) return edgeText(array, edges, style);
  const shown = array.get(edges.positions);
  const all = shown.shape.map((size) => Array.from({ length: size }, (_, i) => i));
  return edgeText(shown, { positions: all, cut: edges.cut }, style);
}
