/** Items of a dtype as JavaScript values. @module */
import { getFloat16 } from "@petamoriken/float16";
import { ArgumentError } from "../errors.js";
import type { DType, DTypeField } from "./dtype.js";

/** One item as a JavaScript value; see {@link NDBuffer.get}. */
export type ItemValue =
  | number
  | bigint
  | boolean
  | string
  | Uint8Array
  | readonly [number, number]
  | { readonly [field: string]: ItemValue | NestedArray };

/** Nested JavaScript arrays of item values. */
export type NestedArray = (ItemValue | NestedArray)[];

function bytesAt(view: DataView, at: number, length: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + at, length);
}

function floatAt(view: DataView, at: number, itemsize: number, little: boolean): number {
  if (itemsize === 8) return view.getFloat64(at, little);
  return itemsize === 4 ? view.getFloat32(at, little) : getFloat16(view, at, little);
}

function integerAt(view: DataView, at: number, kind: string, itemsize: number, little: boolean): number | bigint {
  if (kind === "u") {
    if (itemsize === 8) return view.getBigUint64(at, little);
    return itemsize === 4
      ? view.getUint32(at, little)
      : itemsize === 2
        ? view.getUint16(at, little)
        : view.getUint8(at);
  }
  if (itemsize === 8) return view.getBigInt64(at, little);
  return itemsize === 4 ? view.getInt32(at, little) : itemsize === 2 ? view.getInt16(at, little) : view.getInt8(at);
}

/** NumPy's S holds bytes; latin-1 keeps each of them as one character. */
function byteStringAt(view: DataView, at: number, itemsize: number): string {
  let text = "";
  for (let i = 0; i < itemsize; i++) text += String.fromCharCode(view.getUint8(at + i));
  return text.replace(/\0+$/, "");
}

function unicodeAt(view: DataView, at: number, itemsize: number, little: boolean): string {
  let text = "";
  for (let i = 0; i < itemsize; i += 4) {
    const point = view.getUint32(at + i, little);
    if (point > 0x10ffff) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `the item at byte ${at} holds ${point}, which is no Unicode code point`,
        { parameter: "index", position: at, found: point },
      );
    }
    text += String.fromCodePoint(point);
  }
  return text.replace(/\0+$/, "");
}

/** Items from byte `at` on as nested arrays of a shape; no dimensions give an array of the one item. */
export function nestedItems(dtype: DType, view: DataView, at: number, shape: readonly number[]): NestedArray {
  let next = at;
  const level = (dim: number): NestedArray => {
    const out: NestedArray = [];
    const size = shape[dim] ?? 1;
    for (let i = 0; i < size; i++) {
      if (dim < shape.length - 1) out.push(level(dim + 1));
      else {
        out.push(itemValue(dtype, view, next));
        next += dtype.itemsize;
      }
    }
    return out;
  };
  return level(0);
}

function fieldValue(field: DTypeField, view: DataView, at: number): ItemValue | NestedArray {
  const { dtype, offset, shape } = field;
  return shape.length === 0 ? itemValue(dtype, view, at + offset) : nestedItems(dtype, view, at + offset, shape);
}

/** The item at byte `at`. @throws ArgumentError for a string of what is no Unicode */
export function itemValue(dtype: DType, view: DataView, at: number): ItemValue {
  const { kind, itemsize, fields } = dtype;
  const little = dtype.byteOrder !== "big";
  if (fields !== undefined) return Object.fromEntries(fields.map((f) => [f.name, fieldValue(f, view, at)]));
  if (kind === "b") return view.getUint8(at) !== 0;
  if (kind === "i" || kind === "u") return integerAt(view, at, kind, itemsize, little);
  if (kind === "M" || kind === "m") return view.getBigInt64(at, little);
  if (kind === "f" && itemsize <= 8) return floatAt(view, at, itemsize, little);
  if (kind === "c" && itemsize <= 16) {
    const half = itemsize / 2;
    return [floatAt(view, at, half, little), floatAt(view, at + half, half, little)];
  }
  if (kind === "S") return byteStringAt(view, at, itemsize);
  if (kind === "U") return unicodeAt(view, at, itemsize, little);
  return bytesAt(view, at, itemsize).slice();
}
