/** New arrays from existing ones. @module */

import type { CParams } from "../chunk/cparams.js";
import { ArgumentError } from "../errors.js";
import { firstFailure } from "../frame/replace-file.js";
import { abandonCreated } from "../super-chunk/abandon-created.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { type ArrayCreateOptions, zeros } from "./create-array.js";
import type { NDArray } from "./nd-array.js";

/** How to copy: a new place, new shapes of chunks and blocks, new compression parameters; what is absent stays as it was. */
export type ArrayCopyOptions = Omit<ArrayCreateOptions, "dtype" | "commit">;

function inherited(array: NDArray): Partial<CParams> {
  const { blocksize: _, typesize: __, ...cparams } = array.schunk.cparams;
  return cparams;
}

/** Names and content of the user's metalayers, the array's own left out. */
function userMetalayers(array: NDArray): Record<string, Uint8Array> {
  const meta: Record<string, Uint8Array> = {};
  for (const name of array.schunk.meta.names)
    if (name !== "b2nd" && name !== "caterva") meta[name] = array.schunk.meta.get(name);
  return meta;
}

/**
 * A new array of that shape filled chunk by chunk of the new one, in one commit; `read` gives the items between two corners, `finish`
 * adds what else belongs to it.
 */
function build(
  model: NDArray,
  shape: readonly number[],
  options: ArrayCopyOptions,
  read: (start: readonly number[], stop: readonly number[]) => NDBuffer,
  finish?: (out: NDArray) => void,
): NDArray {
  const out = zeros(shape, {
    ...options,
    commit: false,
    dtype: model.dtype.str,
    cparams: { ...inherited(model), ...options.cparams },
    meta: options.meta ?? userMetalayers(model),
  });
  try {
    const { grid } = out;
    const at = new Array<number>(grid.ndim).fill(0);
    for (let i = 0; i < grid.nchunks; i++) {
      const start = at.map((c, dim) => c * (grid.chunkShape[dim] as number));
      const stop = start.map((s, dim) => Math.min(grid.shape[dim] as number, s + (grid.chunkShape[dim] as number)));
      out.setSlice(start, stop, read(start, stop));
      for (let dim = at.length - 1; dim >= 0; dim--) {
        at[dim] = (at[dim] as number) + 1;
        if ((at[dim] as number) < (grid.chunksPerDim[dim] as number)) break;
        at[dim] = 0;
      }
    }
    finish?.(out);
    out.flush();
    return out;
  } catch (error) {
    throw firstFailure(error, () => abandonCreated(out.schunk));
  }
}

/**
 * Copies an array, chunk by chunk of the new one. vlmetalayers come along.
 *
 * @example
 * ```ts
 * using dense = copyArray(array, { urlpath: "out.b2nd", backend: stdio(), cparams: { codec: "zstd", clevel: 9 } });
 * ```
 */
export function copyArray(array: NDArray, options: ArrayCopyOptions = {}): NDArray {
  return array.reading("copyArray", () => copied(array, options));
}

function copied(array: NDArray, options: ArrayCopyOptions): NDArray {
  const shapes = {
    chunkShape: options.chunkShape ?? array.chunkShape,
    blockShape: options.blockShape ?? (options.chunkShape ? undefined : array.blockShape),
  };
  const read = (start: readonly number[], stop: readonly number[]): NDBuffer => array.getSlice(start, stop);
  return build(array, array.shape, { ...options, ...shapes }, read, (out) => copyVlMetalayers(array, out));
}

function copyVlMetalayers(from: NDArray, to: NDArray): void {
  for (const name of from.schunk.vlmeta.names) to.schunk.vlmeta.set(name, from.schunk.vlmeta.get(name));
}

/** Copies an array without its dimensions of length 1, or without those in `axes`. */
export function squeeze(array: NDArray, axes?: readonly number[], options: ArrayCopyOptions = {}): NDArray {
  return array.reading("squeeze", () => squeezed(array, axes, options));
}

function squeezed(array: NDArray, axes: readonly number[] | undefined, options: ArrayCopyOptions): NDArray {
  const dropped = new Set(
    (axes ?? array.shape.flatMap((n, i) => (n === 1 ? [i] : []))).map((a) => (a < 0 ? a + array.ndim : a)),
  );
  for (const axis of dropped) {
    if (array.shape[axis] !== 1) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `axis ${axis} has length ${array.shape[axis]}; only 1 can be squeezed`,
        { parameter: "axes" },
      );
    }
  }
  const keep = <T>(values: readonly T[]): T[] => values.filter((_, i) => !dropped.has(i));
  const shapes = { chunkShape: keep(array.chunkShape), blockShape: keep(array.blockShape) };
  return build(array, keep(array.shape), { ...shapes, ...options }, (start, stop) => {
    let next = 0;
    const index = array.shape.map((_, i) => {
      if (dropped.has(i)) return 0;
      const dim = next++;
      return { start: start[dim], stop: stop[dim] };
    });
    return array.get(index);
  });
}

/** Copies an array with a new dimension of length 1 before dimension `axis`. */
export function expandDims(array: NDArray, axis: number, options: ArrayCopyOptions = {}): NDArray {
  return array.reading("expandDims", () => expanded(array, axis, options));
}

function expanded(array: NDArray, axis: number, options: ArrayCopyOptions): NDArray {
  const at = axis < 0 ? axis + array.ndim + 1 : axis;
  if (!Number.isInteger(at) || at < 0 || at > array.ndim) {
    throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `axis ${axis} for an array of ${array.ndim} dimensions`, {
      parameter: "axis",
      value: axis,
    });
  }
  const widen = (values: readonly number[]): number[] => [...values.slice(0, at), 1, ...values.slice(at)];
  const shapes = { chunkShape: widen(array.chunkShape), blockShape: widen(array.blockShape) };
  return build(array, widen(array.shape), { ...shapes, ...options }, (start, stop) => {
    const narrow = (values: readonly number[]): number[] => values.filter((_, i) => i !== at);
    const part = array.getSlice(narrow(start), narrow(stop));
    return new NDBuffer(part.dtype, widen(part.shape), part.bytes);
  });
}

/** Joins arrays of one dtype along `axis`; their other dimensions must agree. Layout and parameters are the first one's. */
export function concatenate(arrays: readonly NDArray[], axis = 0, options: ArrayCopyOptions = {}): NDArray {
  const join = (): NDArray => joined(arrays, axis, options);
  return arrays.reduce<() => NDArray>((inner, array) => () => array.reading("concatenate", inner), join)();
}

function joined(arrays: readonly NDArray[], axis: number, options: ArrayCopyOptions): NDArray {
  const first = arrays[0];
  if (first === undefined)
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "concatenate needs at least one array", { parameter: "arrays" });
  const dim = axis < 0 ? axis + first.ndim : axis;
  for (const array of arrays) {
    const agrees = array.ndim === first.ndim && array.shape.every((n, i) => i === dim || n === first.shape[i]);
    if (!agrees || array.dtype.str !== first.dtype.str || !Number.isInteger(dim) || dim < 0 || dim >= first.ndim) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `arrays (${first.shape.join(", ")}) ${first.dtype.str} and (${array.shape.join(", ")}) ${array.dtype.str} can't be joined along axis ${axis}`,
        { parameter: "arrays" },
      );
    }
  }
  const total = arrays.reduce((sum, array) => sum + (array.shape[dim] as number), 0);
  const shape = first.shape.map((n, i) => (i === dim ? total : n));
  const out = zeros(shape, {
    chunkShape: first.chunkShape,
    blockShape: first.blockShape,
    ...options,
    commit: false,
    dtype: first.dtype.str,
    cparams: { ...inherited(first), ...options.cparams },
    meta: options.meta ?? userMetalayers(first),
  });
  try {
    let offset = 0;
    const step = first.chunkShape[dim] as number;
    for (const array of arrays) {
      const length = array.shape[dim] as number;
      for (let from = 0; from < length; from += step) {
        const to = Math.min(length, from + step);
        const along = (start: number, stop: number) => shape.map((_, i) => (i === dim ? { start, stop } : null));
        out.set(along(offset + from, offset + to), array.get(along(from, to)));
      }
      offset += length;
    }
    out.flush();
    return out;
  } catch (error) {
    throw firstFailure(error, () => abandonCreated(out.schunk));
  }
}
