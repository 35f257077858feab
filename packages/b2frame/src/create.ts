/** Making super-chunks and arrays, in memory or at a path. @module */
import * as core from "@b2frame/core";
import { chooseBackend, type IoOption } from "./io-choice.js";

/** How to make a super-chunk at a path; see `SChunk.create`. */
export interface CreateOptions extends Omit<core.SChunkCreateOptions, "urlpath" | "backend">, IoOption {}

/** How to make an array: in memory, or at `urlpath` through the backend `io`. */
export interface CreateArrayOptions extends Omit<core.ArrayCreateOptions, "backend">, IoOption {}

/** How to copy an array: what {@link CreateArrayOptions} says, but for the dtype. What is absent stays as it was. */
export interface CopyArrayOptions extends Omit<core.ArrayCopyOptions, "backend">, IoOption {}

/** With the backend that core asks for, if there is a path. */
function withBackend<T extends IoOption & { readonly urlpath?: string | undefined }>(
  options: T,
): Omit<T, "io"> & { readonly backend: core.IoBackend | undefined } {
  const { io, ...rest } = options;
  return { ...rest, backend: options.urlpath === undefined ? undefined : chooseBackend(io) };
}

/**
 * Makes a super-chunk at a path; `SChunk.create()` makes one in memory.
 *
 * @throws ArgumentError; IoError, `BLOSC2_IO_EXISTS` with mode `"x"`; UnsupportedError for a codec or filter that is not
 * registered, and for a sparse frame through `"mmap"`.
 * @example
 * ```ts
 * import { create } from "b2frame";
 *
 * using out = create("t.b2frame", { typesize: 8, chunksize: 1 << 20, cparams: { codec: "zstd", clevel: 5 } });
 * out.appendData(new Float64Array(131072));
 * ```
 */
export function create(path: string, options: CreateOptions = {}): core.SChunk {
  return core.SChunk.create(withBackend({ ...options, urlpath: path }));
}

/** An array of zeros. Takes no space for its chunks until they are written to. @throws as {@link asarray} */
export function zeros(shape: readonly number[], options: CreateArrayOptions = {}): core.NDArray {
  return core.zeros(shape, withBackend(options));
}

/** An array to be written to; reads as zeros until then. @throws as {@link asarray} */
export function empty(shape: readonly number[], options: CreateArrayOptions = {}): core.NDArray {
  return core.empty(shape, withBackend(options));
}

/**
 * An array whose items are marked as uninitialised; they read as zeros here, as anything elsewhere.
 *
 * @throws as {@link asarray}
 */
export function uninit(shape: readonly number[], options: CreateArrayOptions = {}): core.NDArray {
  return core.uninit(shape, withBackend(options));
}

/** An array of NaN; dtype float32 or float64. @throws as {@link asarray} */
export function nans(shape: readonly number[], options: CreateArrayOptions = {}): core.NDArray {
  return core.nans(shape, withBackend(options));
}

/**
 * An array with one value everywhere.
 *
 * @param value may be the item's bytes, for dtypes without a number.
 * @throws as {@link asarray}
 */
export function full(
  shape: readonly number[],
  value: number | bigint | boolean | Uint8Array,
  options: CreateArrayOptions = {},
): core.NDArray {
  return core.full(shape, value, withBackend(options));
}

/**
 * Stores values as a new array.
 *
 * @param input Nested arrays state their shape; typed arrays are flat unless `options.shape` says otherwise.
 * @throws ArgumentError for shapes or values that don't fit; IoError; UnsupportedError.
 * @example
 * ```ts
 * import { asarray } from "b2frame";
 *
 * using a = asarray(new Float32Array(6), { shape: [2, 3], urlpath: "a.b2nd" });
 * ```
 */
export function asarray(
  input: core.ArrayInput,
  options: CreateArrayOptions & { readonly shape?: readonly number[] | undefined } = {},
): core.NDArray {
  return core.asarray(input, withBackend(options));
}

/**
 * Copies an array, chunk by chunk of the new one. vlmetalayers come along.
 *
 * @throws as {@link asarray}; FormatError or CodecError when a chunk can't be read.
 */
export function copyArray(array: core.NDArray, options: CopyArrayOptions = {}): core.NDArray {
  return core.copyArray(array, withBackend(options));
}

/** Copies an array without its dimensions of length 1, or without those in `axes`. @throws as {@link copyArray} */
export function squeeze(array: core.NDArray, axes?: readonly number[], options: CopyArrayOptions = {}): core.NDArray {
  return core.squeeze(array, axes, withBackend(options));
}

/** Copies an array with a new dimension of length 1 before dimension `axis`. @throws as {@link copyArray} */
export function expandDims(array: core.NDArray, axis: number, options: CopyArrayOptions = {}): core.NDArray {
  return core.expandDims(array, axis, withBackend(options));
}

/**
 * Joins arrays of one dtype along `axis`; their other dimensions must agree. Layout and parameters are the first one's.
 *
 * @throws as {@link copyArray}
 */
export function concatenate(arrays: readonly core.NDArray[], axis = 0, options: CopyArrayOptions = {}): core.NDArray {
  return core.concatenate(arrays, axis, withBackend(options));
}
