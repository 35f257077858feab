/** New arrays from an existing one: what `copy`, `squeeze` and `expandDims` do. @module */
import { checkOptionNames } from "../checks/option-names.js";
import type { CParams } from "../chunk/cparams.js";
import { ArgumentError } from "../errors.js";
import { CHECKSUMS_NAME } from "../frame/chunk-checksums.js";
import { firstFailure } from "../frame/replace-file.js";
import { abandonCreated } from "../super-chunk/abandon-created.js";
import type { SChunk } from "../super-chunk/super-chunk.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { parseDType } from "../values/parse-dtype.js";
import { ARRAY_CREATE_NAMES, type ArrayCreateOptions, createArraySChunk } from "./array-schunk.js";
import type { NDArray } from "./nd-array.js";

/**
 * How to copy: a new place, another dtype, new shapes of chunks and blocks, new compression parameters; what is absent stays as it was,
 * metalayers, vlmetalayers and checksums too.
 */
export type ArrayCopyOptions = Omit<ArrayCreateOptions, "commit">;

/** Opens the array in a super-chunk that was made for it. */
export type OpenArray = (schunk: SChunk) => NDArray;

function inheritedCParams(array: NDArray): Partial<CParams> {
  const { blocksize: _, typesize: __, ...cparams } = array.schunk.cparams;
  return cparams;
}

/** Names and content of the user's metalayers, the array's own left out. */
function userMetalayers(array: NDArray): Record<string, Uint8Array> {
  const meta: Record<string, Uint8Array> = {};
  for (const name of array.schunk.meta.keys())
    if (name !== "b2nd" && name !== "caterva") meta[name] = array.schunk.meta.get(name);
  return meta;
}

/** A new array of that shape with what belongs to `model`, not committed yet. */
export function emptyLike(
  model: NDArray,
  shape: readonly number[],
  options: ArrayCopyOptions,
  open: OpenArray,
): NDArray {
  checkOptionNames<ArrayCopyOptions>(ARRAY_CREATE_NAMES, options);
  const { vlmeta } = model.schunk;
  const inherited = {
    cparams: { ...inheritedCParams(model), ...options.cparams },
    meta: options.meta ?? userMetalayers(model),
    checksum: options.checksum ?? vlmeta.has(CHECKSUMS_NAME),
  };
  const dtype = options.dtype === undefined ? model.dtype : parseDType(options.dtype);
  const schunk = createArraySChunk(shape, dtype, { ...options, ...inherited }, { kind: "zeros" }, false);
  try {
    // The checksums are those of other chunks; the copy makes its own.
    for (const name of vlmeta.keys()) if (name !== CHECKSUMS_NAME) schunk.vlmeta.set(name, vlmeta.get(name));
    return open(schunk);
  } catch (error) {
    throw firstFailure(error, () => abandonCreated(schunk));
  }
}

/**
 * A new array of that shape filled chunk by chunk of the new one, in one commit; `read` gives the items between two corners.
 */
function build(
  model: NDArray,
  shape: readonly number[],
  options: ArrayCopyOptions,
  open: OpenArray,
  read: (start: readonly number[], stop: readonly number[]) => NDBuffer,
): NDArray {
  const out = emptyLike(model, shape, options, open);
  try {
    const { grid } = out;
    const at = new Array<number>(grid.ndim).fill(0);
    for (let i = 0; i < grid.nchunks; i++) {
      const start = at.map((c, dim) => c * (grid.chunks[dim] as number));
      const stop = start.map((s, dim) => Math.min(grid.shape[dim] as number, s + (grid.chunks[dim] as number)));
      out.setSlice(start, stop, read(start, stop));
      for (let dim = at.length - 1; dim >= 0; dim--) {
        at[dim] = (at[dim] as number) + 1;
        if ((at[dim] as number) < (grid.chunksPerDim[dim] as number)) break;
        at[dim] = 0;
      }
    }
    out.commit();
    return out;
  } catch (error) {
    throw firstFailure(error, () => abandonCreated(out.schunk));
  }
}

/** What {@link NDArray.copy} does. */
export function copyArray(array: NDArray, options: ArrayCopyOptions, open: OpenArray): NDArray {
  const shapes = {
    chunks: options.chunks ?? array.chunks,
    blocks: options.blocks ?? (options.chunks ? undefined : array.blocks),
  };
  const read = (start: readonly number[], stop: readonly number[]): NDBuffer => array.getSlice(start, stop);
  return build(array, array.shape, { ...options, ...shapes }, open, read);
}

/** What {@link NDArray.squeeze} does. */
export function squeeze(
  array: NDArray,
  axes: readonly number[] | undefined,
  options: ArrayCopyOptions,
  open: OpenArray,
): NDArray {
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
  const shapes = { chunks: keep(array.chunks), blocks: keep(array.blocks) };
  return build(array, keep(array.shape), { ...shapes, ...options }, open, (start, stop) => {
    let next = 0;
    const index = array.shape.map((_, i) => {
      if (dropped.has(i)) return 0;
      const dim = next++;
      return { start: start[dim], stop: stop[dim] };
    });
    return array.get(index);
  });
}

/** What {@link NDArray.expandDims} does. */
export function expandDims(array: NDArray, axis: number, options: ArrayCopyOptions, open: OpenArray): NDArray {
  const at = axis < 0 ? axis + array.ndim + 1 : axis;
  if (!Number.isInteger(at) || at < 0 || at > array.ndim) {
    throw new ArgumentError("BLOSC2_ARGUMENT_OUT_OF_RANGE", `axis ${axis} for an array of ${array.ndim} dimensions`, {
      parameter: "axis",
      value: axis,
    });
  }
  const widen = (values: readonly number[]): number[] => [...values.slice(0, at), 1, ...values.slice(at)];
  const shapes = { chunks: widen(array.chunks), blocks: widen(array.blocks) };
  return build(array, widen(array.shape), { ...shapes, ...options }, open, (start, stop) => {
    const narrow = (values: readonly number[]): number[] => values.filter((_, i) => i !== at);
    const part = array.getSlice(narrow(start), narrow(stop));
    return new NDBuffer(part.dtype, widen(part.shape), part.bytes);
  });
}
