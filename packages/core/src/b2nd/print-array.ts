/** An array in text, as NumPy prints one. @module */
import { showing } from "../checks/showing.js";
import { showBuffersBy } from "../values/nd-buffer.js";
import { bufferText, edgeText } from "../values/text/buffer-text.js";
import { edgesOf } from "../values/text/edges.js";
import type { ArrayReader } from "./array-reader.js";
import { describeArray } from "./describe-array.js";

// Whoever has arrays to print has what prints their values; programs that only read do without it.
showBuffersBy(bufferText);

/** The line for an array and, unless it is closed, its values: of a large one those at the edges, of which only the blocks are read. */
export function printArray(array: ArrayReader): string {
  const { shape, dtype } = array;
  const line = describeArray("NDArray", array);
  const edges = edgesOf(shape, dtype.itemsize);
  if (edges === undefined) return line;
  const values = showing(() => {
    const shown = array.get(edges.positions);
    const all = shown.shape.map((size) => Array.from({ length: size }, (_, i) => i));
    return edgeText(shown, { positions: all, cut: edges.cut });
  });
  return values === "closed" ? line : `${line}\n${values}`;
}
