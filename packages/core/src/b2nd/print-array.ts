/** An array in text, as NumPy prints one. @module */
import { showing } from "../checks/showing.js";
import { showBuffersBy } from "../values/nd-buffer.js";
import { bufferText } from "../values/text/buffer-text.js";
import { edgesOf } from "../values/text/edges.js";
import type { ArrayReader } from "./array-reader.js";
import { describeArray } from "./describe-array.js";
import { formatArray } from "./format-array.js";

// Whoever has arrays to print has what prints their values; programs that only read do without it.
showBuffersBy(bufferText);

/** The line for an array and, unless it is closed, its values: of a large one those at the edges, of which only the blocks are read. */
export function printArray(array: ArrayReader): string {
  const { shape, dtype } = array;
  const line = describeArray("NDArray", array);
  if (edgesOf(shape, dtype.itemsize) === undefined) return line;
  const values = showing(() => formatArray(array));
  return values === "closed" ? line : `${line}\n${values}`;
}
