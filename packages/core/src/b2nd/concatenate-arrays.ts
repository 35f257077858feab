/** One array from several. @module */
import { ArgumentError } from "../errors.js";
import { firstFailure } from "../frame/replace-file.js";
import { abandonCreated } from "../super-chunk/abandon-created.js";
import { descriptionOf } from "./array-reader.js";
import { type ArrayCopyOptions, emptyLike } from "./copy-array.js";
import { arrayOwning, type NDArray } from "./nd-array.js";

/**
 * Joins arrays of one dtype along `axis`; their other dimensions must agree. Layout, parameters, metadata and whether there are checksums
 * are the first one's.
 *
 * @throws ArgumentError for arrays that can't be joined
 */
export function concatenate(arrays: readonly NDArray[], axis = 0, options: ArrayCopyOptions = {}): NDArray {
  const join = (): NDArray => joined(arrays, axis, options);
  return arrays.reduce<() => NDArray>(
    (inner, array) => () => descriptionOf(array).reading("concatenate", inner),
    join,
  )();
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
  const { chunks, blocks } = first;
  const out = emptyLike(first, shape, { chunks, blocks, ...options }, arrayOwning);
  try {
    let offset = 0;
    const step = first.chunks[dim] as number;
    for (const array of arrays) {
      const length = array.shape[dim] as number;
      for (let from = 0; from < length; from += step) {
        const to = Math.min(length, from + step);
        const along = (start: number, stop: number) => shape.map((_, i) => (i === dim ? { start, stop } : null));
        out.set(along(offset + from, offset + to), array.get(along(from, to)));
      }
      offset += length;
    }
    out.commit();
    return out;
  } catch (error) {
    throw firstFailure(error, () => abandonCreated(out.schunk));
  }
}
