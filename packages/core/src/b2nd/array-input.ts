/** Values that callers hand over: nested arrays, typed arrays, buffers, arrays and scalars, as bytes of a dtype with a shape. @module */

import { describeValue } from "../checks/describe-value.js";
import { ArgumentError } from "../errors.js";
import { convertItems, storeItems } from "../values/convert-items.js";
import type { DType } from "../values/dtype.js";
import { bytesInPlace, dtypeOfArray } from "../values/dtype-values.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { parseDType } from "../values/parse-dtype.js";
import { type ComplexParts, isComplexParts, type StructValue } from "../values/store-item.js";
import { ArrayReader } from "./array-reader.js";
import { inferListDType, longestString } from "./infer-dtype.js";

/**
 * One value: a number, bigint or boolean; a string for `S` and `U`; a `Date` for `M8` with a unit; `{ re, im }` for complex; an object
 * with all fields for structured types; a `Uint8Array` with the item's bytes for `S`, `V` and structured types.
 */
export type ScalarInput = number | bigint | boolean | string | Date | ComplexParts | StructValue | Uint8Array;

/** Nested lists of values, one level per dimension. Complex values may come as `[re, im]`. */
export type NestedValues = readonly (ScalarInput | ArrayBufferView | NestedValues)[];

/**
 * Values to store. Arrays, buffers, typed arrays and lists hold values, which are converted to the array's dtype or refused; an
 * `ArrayBuffer`, `SharedArrayBuffer` or `DataView` holds items as stored; a single value fills everything.
 */
export type ArrayInput =
  | ScalarInput
  | NestedValues
  | ArrayBufferView
  | ArrayBuffer
  | SharedArrayBuffer
  | NDBuffer
  | ArrayReader;

/** Items as stored, with the shape that the input itself states (`undefined`: flat, the caller knows). */
export interface InputItems {
  readonly bytes: Uint8Array;
  readonly shape: readonly number[] | undefined;
  /** The shape that a list has if its innermost pairs are taken for two real values each, rather than for one complex. */
  readonly shapeOfReals?: readonly number[] | undefined;
}

function invalid(message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "data" });
}

function isBuffer(input: unknown): input is ArrayBuffer | SharedArrayBuffer {
  return (
    input instanceof ArrayBuffer || (typeof SharedArrayBuffer === "function" && input instanceof SharedArrayBuffer)
  );
}

/** Whether items of the dtype may be given as bytes: those of which `NDBuffer.data` gives bytes. */
function takesBytes(dtype: DType): boolean {
  const isExtended = (dtype.kind === "f" && dtype.itemsize > 8) || (dtype.kind === "c" && dtype.itemsize > 16);
  return isExtended || "SUV".includes(dtype.kind);
}

/** A list's content if this is one level of nested lists; typed arrays are lists but where their bytes are an item. */
function asList(value: unknown, bytesAreItems: boolean): ArrayLike<unknown> | undefined {
  if (Array.isArray(value)) return value;
  if (!ArrayBuffer.isView(value) || dtypeOfArray(value) === undefined) return undefined;
  return bytesAreItems && value instanceof Uint8Array ? undefined : (value as unknown as ArrayLike<unknown>);
}

/** Flattens nested lists, checking that they are rectangular. */
export function flattenList(values: ArrayLike<unknown>, bytesAreItems: boolean): { flat: unknown[]; shape: number[] } {
  const shape: number[] = [];
  for (let first: ArrayLike<unknown> | undefined = values; first !== undefined; ) {
    shape.push(first.length);
    first = asList(first[0], bytesAreItems);
  }
  const flat: unknown[] = [];
  const walk = (list: ArrayLike<unknown>, dim: number, where: string): void => {
    if (list.length !== shape[dim])
      throw invalid(`nested arrays are ragged: ${list.length} items in ${where}, expected ${shape[dim]}`);
    for (let i = 0; i < list.length; i++) {
      const nested = asList(list[i], bytesAreItems);
      if ((nested !== undefined) !== dim + 1 < shape.length)
        throw invalid(`nested arrays are ragged: ${describeValue(list[i])} at ${where}[${i}]`);
      if (nested !== undefined) walk(nested, dim + 1, `${where}[${i}]`);
      else flat.push(list[i]);
    }
  };
  walk(values, 0, "data");
  return { flat, shape };
}

/** The dtype that the input implies, as NumPy finds it; `"<f8"` for numbers, which JavaScript has no integers among. @throws ArgumentError */
export function inferDType(input: ArrayInput): DType {
  if (input instanceof NDBuffer || input instanceof ArrayReader) return input.dtype;
  if (isBuffer(input)) throw invalid("an ArrayBuffer says nothing about its items: give a dtype");
  if (ArrayBuffer.isView(input)) {
    const name = dtypeOfArray(input);
    if (name === undefined) throw invalid("a DataView says nothing about its items: give a dtype");
    return parseDType(name);
  }
  const { flat, shape } = Array.isArray(input) ? flattenList(input, false) : { flat: [input], shape: [] };
  return parseDType(inferListDType(flat, shape));
}

/** The dtype for the input under a caller's name for it: `"str"` and `"bytes"` are as wide as the longest string. */
export function dtypeFor(input: ArrayInput, name: string | undefined): DType {
  if (name === undefined) return inferDType(input);
  const dtype = parseDType(name);
  if (dtype.itemsize > 0 || (dtype.kind !== "U" && dtype.kind !== "S")) return dtype;
  if (input instanceof NDBuffer || input instanceof ArrayReader) {
    const width = input.dtype.kind === "U" ? input.dtype.itemsize / 4 : input.dtype.itemsize;
    return parseDType(`${dtype.kind}${width}`);
  }
  return parseDType(`${dtype.kind}${longestString(Array.isArray(input) ? flattenList(input, false).flat : [input])}`);
}

function storedBytes(input: ArrayBuffer | SharedArrayBuffer | ArrayBufferView, dtype: DType): InputItems {
  const bytes = isBuffer(input)
    ? new Uint8Array(input)
    : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (dtype.itemsize === 0 || bytes.byteLength % dtype.itemsize !== 0) {
    throw invalid(`${bytes.byteLength} bytes are not whole items of ${dtype.str} (${dtype.itemsize} bytes each)`);
  }
  return { bytes, shape: undefined };
}

function typedArrayItems(input: ArrayBufferView, from: string, dtype: DType): InputItems {
  if (takesBytes(dtype)) {
    if (input instanceof Uint8Array) return storedBytes(input, dtype);
    throw invalid(`${describeValue(input)} for dtype ${dtype.str}: expected a Uint8Array of whole items, or a list`);
  }
  const isFloats = from === "<f4" || from === "<f8" || from === "<f2";
  if (dtype.kind === "c" && !isFloats) {
    throw invalid(`${describeValue(input)} for dtype ${dtype.str}: expected floats, real and imaginary parts in turn`);
  }
  const elements = dtype.kind === "c" ? parseDType(`${dtype.str.charAt(0)}f${dtype.itemsize / 2}`) : dtype;
  const inPlace = bytesInPlace(elements, input);
  const values = input as unknown as ArrayLike<unknown>;
  const bytes = inPlace ?? storeItems(elements, values, [values.length]);
  if (bytes.byteLength % dtype.itemsize !== 0)
    throw invalid(`${values.length} floats for dtype ${dtype.str}: expected real and imaginary parts in turn`);
  return { bytes, shape: undefined };
}

function listItems(input: readonly unknown[], dtype: DType): InputItems {
  const { flat, shape } = flattenList(input, takesBytes(dtype));
  const last = shape.length - 1;
  const arePairs = dtype.kind === "c" && shape[last] === 2 && flat.every((v) => !isComplexParts(v));
  if (!arePairs) return { bytes: storeItems(dtype, flat, shape), shape };
  const parts = parseDType(`${dtype.str.charAt(0)}f${dtype.itemsize / 2}`);
  return { bytes: storeItems(parts, flat, shape), shape: shape.slice(0, -1), shapeOfReals: shape };
}

/**
 * The input's items as bytes of `dtype`.
 *
 * @throws ArgumentError for ragged lists, values that do not fit and kinds that don't go together, bytes that are not whole items.
 */
export function inputItems(input: ArrayInput, dtype: DType): InputItems {
  if (input instanceof ArrayReader) return inputItems(input.get(), dtype);
  if (input instanceof NDBuffer) return { bytes: convertItems(input, dtype), shape: input.shape };
  if (isBuffer(input)) return storedBytes(input, dtype);
  if (ArrayBuffer.isView(input)) {
    const from = dtypeOfArray(input);
    return from === undefined ? storedBytes(input, dtype) : typedArrayItems(input, from, dtype);
  }
  if (Array.isArray(input)) return listItems(input, dtype);
  return { bytes: storeItems(dtype, [input], []), shape: [] };
}

/** Like {@link inputItems}; a flat input has the one dimension. @throws also where a list of two numbers may be one complex value or two */
export function shapedItems(input: ArrayInput, dtype: DType): { bytes: Uint8Array; shape: readonly number[] } {
  const { bytes, shape, shapeOfReals } = inputItems(input, dtype);
  if (shapeOfReals?.length === 1) {
    throw invalid("a list of two numbers may be one complex value or two: give { re, im }, or a list of [re, im]");
  }
  return { bytes, shape: shape ?? [bytes.byteLength / Math.max(1, dtype.itemsize)] };
}
