/** Which items of an array are shown. @module */
import { product } from "../shape.js";

/** Items up to which all are shown, as NumPy does. */
const ALL_SHOWN = 1000;
/** Items at either end of a dimension of which not all are; fewer where there are many dimensions. */
const EDGE_LENGTHS: readonly number[] = [3, 2, 1];
/** Items and bytes that are read at most. */
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

/** What is shown of an array; `undefined` where even its corners are too many bytes. */
export function edgesOf(shape: readonly number[], itemsize: number): Edges | undefined {
  const itemCount = product(shape);
  const fits = (count: number): boolean => count <= MAX_ITEMS && count * itemsize <= MAX_BYTES;
  if (itemCount <= ALL_SHOWN && fits(itemCount)) return edgesOfLength(shape, Math.max(1, ...shape));
  return EDGE_LENGTHS.map((length) => edgesOfLength(shape, length)).find(({ positions }) =>
    fits(product(positions.map(({ length }) => length))),
  );
}
