/** Changing an array's shape in place. @module */
import { ArgumentError } from "../errors.js";
import { checkAllocation } from "../super-chunk/check-allocation.js";
import { remapChunks } from "../super-chunk/edit-chunks.js";
import { changingStateOf } from "../super-chunk/super-chunk.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { product } from "../values/shape.js";
import { type ArrayInput, shapedItems } from "./array-input.js";
import { changing, replaceShape } from "./change-array.js";
import { ChunkGrid } from "./chunk-grid.js";
import type { DimIndex } from "./dim-index.js";
import type { NDArray } from "./nd-array.js";

/** Marks a chunk of the new grid that holds only zeros. */
const NEW_CHUNK = -1;

/** Chunks of an axis that go or come: `chunkStart` on, `removed` old ones or `added` new ones. */
interface AxisEdit {
  readonly axis: number;
  readonly chunkStart: number;
  readonly added: number;
  readonly removed: number;
}

/** Rebuilds the chunk index for a new shape; what the edit does not name keeps its place on the grid. */
function remap(array: NDArray, shape: readonly number[], edit?: AxisEdit): void {
  const old = array.grid;
  const grid = new ChunkGrid(shape, old.chunks, old.blocks);
  checkAllocation(array.schunk, grid.nchunks * Float64Array.BYTES_PER_ELEMENT, "index of the resized array");
  const sources = new Float64Array(grid.nchunks);
  const at = new Array<number>(grid.ndim).fill(0);
  for (let i = 0; i < grid.nchunks; i++) {
    let source = 0;
    for (let dim = 0; dim < at.length && source !== NEW_CHUNK; dim++) {
      let c = at[dim] as number;
      if (edit?.axis === dim && c >= edit.chunkStart) {
        if (c < edit.chunkStart + edit.added) c = NEW_CHUNK;
        else c += edit.removed - edit.added;
      }
      source =
        c < 0 || c >= (old.chunksPerDim[dim] as number) ? NEW_CHUNK : source + c * (old.chunkStrides[dim] as number);
    }
    sources[i] = source;
    for (let dim = at.length - 1; dim >= 0; dim--) {
      at[dim] = (at[dim] as number) + 1;
      if ((at[dim] as number) < (grid.chunksPerDim[dim] as number)) break;
      at[dim] = 0;
    }
  }
  remapChunks(changingStateOf(array.schunk), sources);
  replaceShape(array, shape);
}

function checkAxis(array: NDArray, axis: number): number {
  const at = axis < 0 ? axis + array.ndim : axis;
  if (!Number.isInteger(at) || at < 0 || at >= array.ndim) {
    throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `axis ${axis} of an array of ${array.ndim} dimensions`, {
      parameter: "axis",
      value: axis,
    });
  }
  return at;
}

function checkPosition(name: string, value: number, limit: number): void {
  if (!Number.isSafeInteger(value) || value < 0 || value > limit) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_OUT_OF_RANGE",
      `${name} is ${value}; expected an integer from 0 to ${limit}`,
      { parameter: name, value },
    );
  }
}

/** What {@link NDArray.resize} does. */
export function resize(array: NDArray, shape: readonly number[]): void {
  changing(array, "resize", () => changeShape(array, shape));
}

function changeShape(array: NDArray, shape: readonly number[]): void {
  if (shape.length !== array.ndim) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `shape has ${shape.length} dimensions; the array has ${array.ndim}`,
      { parameter: "shape" },
    );
  }
  shape.forEach((n, i) => {
    checkPosition(`shape[${i}]`, n, Number.MAX_SAFE_INTEGER);
    if (n > 0 && (array.chunks[i] === 0 || array.blocks[i] === 0)) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `dimension ${i} can't grow: its chunk shape is ${array.chunks[i]}; create the array with a chunks and blocks of at least 1 there`,
        { parameter: "shape" },
      );
    }
  });
  remap(array, shape);
}

function withAxis<T>(values: readonly T[], axis: number, value: T): T[] {
  return values.map((v, i) => (i === axis ? value : v));
}

/** The index of a slab: all of every dimension but `axis`. */
function slab(array: NDArray, axis: number, start: number, stop: number): DimIndex[] {
  return array.shape.map((_, i) => (i === axis ? { start, stop } : null));
}

/** The length along `axis` of data whose other dimensions are the array's; flat data, or one item of that axis, has one for others. */
export function rowsOf(array: NDArray, data: ArrayInput, axis: number): { length: number; buffer: NDBuffer } {
  const { bytes, shape } = shapedItems(data, array.dtype);
  const others = array.shape.filter((_, i) => i !== axis);
  const itemCount = bytes.byteLength / array.dtype.itemsize;
  const perLength = product(others);
  let length = perLength === 0 ? 0 : itemCount / perLength;
  let agrees = shape.length < 2 || (shape.length === others.length && shape.every((n, i) => n === others[i]));
  if (shape.length === array.ndim) {
    length = shape[axis] as number;
    agrees = shape.every((n, i) => i === axis || n === array.shape[i]);
  }
  const full = withAxis(array.shape, axis, length);
  if (!agrees || !Number.isInteger(length) || product(full) !== itemCount) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `data of shape (${shape.join(", ")}) can't join an array of shape (${array.shape.join(", ")}) along axis ${axis}`,
      { parameter: "data" },
    );
  }
  return { length, buffer: new NDBuffer(array.dtype, full, bytes) };
}

/** What {@link NDArray.append} does. */
export function append(array: NDArray, data: ArrayInput, axis: number): void {
  const dim = checkAxis(array, axis);
  changing(array, "append", () => insertItems(array, array.shape[dim] as number, data, dim));
}

/** What {@link NDArray.insert} does. */
export function insert(array: NDArray, start: number, data: ArrayInput, axis: number): void {
  const dim = checkAxis(array, axis);
  changing(array, "insert", () => insertItems(array, start, data, dim));
}

function insertItems(array: NDArray, start: number, data: ArrayInput, dim: number): void {
  const size = array.shape[dim] as number;
  checkPosition("start", start, size);
  const { length, buffer } = rowsOf(array, data, dim);
  if (length === 0) return;
  const chunk = array.chunks[dim] as number;
  if (start < size && start % chunk === 0 && length % chunk === 0) {
    remap(array, withAxis(array.shape, dim, size + length), {
      axis: dim,
      chunkStart: start / chunk,
      added: length / chunk,
      removed: 0,
    });
  } else {
    changeShape(array, withAxis(array.shape, dim, size + length));
    // From the end, so that no slab is overwritten before it has moved.
    for (let end = size; end > start; ) {
      const from = Math.max(start, end - chunk);
      array.set(slab(array, dim, from + length, end + length), array.get(slab(array, dim, from, end)));
      end = from;
    }
  }
  array.set(slab(array, dim, start, start + length), buffer);
}

/** What {@link NDArray.delete} does. */
export function deleteItems(array: NDArray, start: number, length: number, axis: number): void {
  const dim = checkAxis(array, axis);
  changing(array, "delete", () => removeItems(array, start, length, dim));
}

function removeItems(array: NDArray, start: number, length: number, dim: number): void {
  const size = array.shape[dim] as number;
  checkPosition("start", start, size);
  checkPosition("length", length, size - start);
  if (length === 0) return;
  const chunk = array.chunks[dim] as number;
  const shape = withAxis(array.shape, dim, size - length);
  if (start % chunk === 0 && length % chunk === 0) {
    remap(array, shape, { axis: dim, chunkStart: start / chunk, added: 0, removed: length / chunk });
    return;
  }
  for (let from = start + length; from < size; from += chunk) {
    const to = Math.min(size, from + chunk);
    array.set(slab(array, dim, from - length, to - length), array.get(slab(array, dim, from, to)));
  }
  changeShape(array, shape);
}
