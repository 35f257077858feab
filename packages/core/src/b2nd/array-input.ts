/** Values that callers hand over: nested arrays, typed arrays, buffers and scalars, as bytes of a dtype with a shape. @module */
import { ArgumentError } from "../errors.js";
import type { DType, DTypeArray } from "../values/dtype.js";
import { parseDType } from "../values/dtype.js";
import { bytesFromValues, dtypeOfArray } from "../values/dtype-values.js";
import { NDBuffer } from "../values/nd-buffer.js";

/** Nested lists of values, one level per dimension. */
export type NestedValues = readonly (number | bigint | boolean | NestedValues)[];

/**
 * Values to store. Typed arrays and lists hold values, which are converted to the array's dtype; an `ArrayBuffer` or `DataView` holds items
 * as stored; a single number, bigint or boolean fills everything.
 */
export type ArrayInput = number | bigint | boolean | NestedValues | ArrayBufferView | ArrayBuffer | NDBuffer;

/** Items as stored, with the shape that the input itself states (`undefined`: flat, the caller knows). */
export interface InputItems {
  readonly bytes: Uint8Array;
  readonly shape: readonly number[] | undefined;
}

function invalid(message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "data" });
}

/** Flattens nested lists, checking that they are rectangular. */
function flatten(values: NestedValues): { flat: (number | bigint | boolean)[]; shape: number[] } {
  const shape: number[] = [];
  let first: number | bigint | boolean | NestedValues | undefined = values;
  while (Array.isArray(first)) {
    shape.push(first.length);
    first = first[0];
  }
  const flat: (number | bigint | boolean)[] = [];
  const walk = (list: NestedValues, dim: number): void => {
    if (list.length !== shape[dim])
      throw invalid(`nested arrays are ragged: ${list.length} items in dimension ${dim}, expected ${shape[dim]}`);
    for (const value of list) {
      const nested = typeof value === "object";
      if (nested !== dim + 1 < shape.length)
        throw invalid(`nested arrays are ragged: a ${typeof value} in dimension ${dim}`);
      if (nested) walk(value as NestedValues, dim + 1);
      else flat.push(value as number | bigint | boolean);
    }
  };
  walk(values, 0);
  return { flat, shape };
}

/** The dtype that the input implies: a typed array's own; `"<f8"` for numbers, `"<i8"` for bigints, `"|b1"` for booleans. */
export function inferDType(input: ArrayInput): DType {
  if (input instanceof NDBuffer) return input.dtype;
  if (ArrayBuffer.isView(input)) {
    const name = dtypeOfArray(input);
    if (name === undefined) throw invalid("a DataView says nothing about its items: give a dtype");
    return parseDType(name);
  }
  if (input instanceof ArrayBuffer) throw invalid("an ArrayBuffer says nothing about its items: give a dtype");
  let first: number | bigint | boolean | NestedValues | undefined = input;
  while (Array.isArray(first)) first = first[0];
  if (typeof first === "bigint") return parseDType("<i8");
  return parseDType(typeof first === "boolean" ? "|b1" : "<f8");
}

/**
 * The input's items as bytes of `dtype`.
 *
 * @throws ArgumentError for ragged lists, values that do not fit, bytes that are not whole items.
 */
export function inputItems(input: ArrayInput, dtype: DType): InputItems {
  if (typeof input === "number" || typeof input === "bigint" || typeof input === "boolean") {
    return { bytes: bytesFromValues(dtype, [input]), shape: [] };
  }
  if (input instanceof NDBuffer) {
    if (input.dtype.str === dtype.str) return { bytes: input.bytes, shape: input.shape };
    return { bytes: bytesFromValues(dtype, input.data), shape: input.shape };
  }
  if (input instanceof ArrayBuffer || input instanceof DataView) {
    const bytes =
      input instanceof ArrayBuffer
        ? new Uint8Array(input)
        : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    if (bytes.byteLength % dtype.itemsize !== 0) {
      throw invalid(`${bytes.byteLength} bytes are not whole items of ${dtype.str} (${dtype.itemsize} bytes each)`);
    }
    return { bytes, shape: undefined };
  }
  if (ArrayBuffer.isView(input)) {
    const items = bytesFromValues(dtype, input as DTypeArray);
    if (items.byteLength % dtype.itemsize !== 0)
      throw invalid(`${input.byteLength} bytes are not whole items of ${dtype.str}`);
    return { bytes: items, shape: undefined };
  }
  const { flat, shape } = flatten(input as NestedValues);
  if (dtype.kind === "c") {
    // Complex items come as [re, im] pairs.
    if (shape[shape.length - 1] !== 2) throw invalid("complex values come as [re, im] pairs");
    return { bytes: bytesFromValues(dtype, flat), shape: shape.slice(0, -1) };
  }
  return { bytes: bytesFromValues(dtype, flat), shape };
}
