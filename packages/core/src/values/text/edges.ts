/** Which items of an array are shown. @module */
import { product } from "../shape.js";
import { type TextStyle, USUAL_STYLE } from "./text-style.js";

/** Items and bytes that are read at most, unless more are asked for. */
const MAX_ITEMS = 10_000;
const MAX_BYTES = 1 << 20;

/** Positions along each dimension, and whether there are others in their middle. */
export interface Edges {
  readonly positions: readonly (readonly number[])[];
  readonly cut: readonly boolean[];
}

function edgesOfLength(shape: readonly number[], length: number): Edges {
  const cut = shape.map((size) => size > 2 * length);
  const positions = shape.map((size, dim) => {
    const shown = cut[dim] === true ? 2 * length : size;
    return Array.from({ length: shown }, (_, i) => (cut[dim] === true && i >= length ? size - shown + i : i));
  });
  return { positions, cut };
}

/** What is shown of an array: fewer items at its edges where there are many dimensions; `undefined` where even its corners are too many bytes. */
export function edgesOf(
  shape: readonly number[],
  itemsize: number,
  { threshold, edgeItems }: TextStyle = USUAL_STYLE,
): Edges | undefined {
  const itemCount = product(shape);
  const asked = threshold > USUAL_STYLE.threshold ? threshold : 0;
  const fits = (count: number): boolean =>
    count <= Math.max(MAX_ITEMS, asked) && count * itemsize <= Math.max(MAX_BYTES, asked * itemsize);
  if (itemCount <= threshold && fits(itemCount)) return edgesOfLength(shape, Math.max(1, ...shape));
  const lengths = Array.from({ length: edgeItems }, (_, i) => edgeItems - i);
  return lengths
    .map((length) => edgesOfLength(shape, length))
    .find(({ positions }) => fits(product(positions.map(({ length }) => length))));
}
