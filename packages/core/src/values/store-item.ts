/** Storing single JavaScript values as items of a dtype, with NumPy's `same_kind` rules: what would lose its meaning is refused. @module */
import { setFloat16 } from "@petamoriken/float16";
import { describeValue } from "../checks/describe-value.js";
import { ArgumentError } from "../errors.js";
import { convertTime, NOT_A_TIME, parseDatetimeUnit } from "./datetime-units.js";
import type { DType, DTypeField } from "./dtype.js";
import { cOrderStrides, product } from "./shape.js";

/** A complex value as an object; {@link Complex} is one. */
export interface ComplexParts {
  readonly re: number;
  readonly im: number;
}

/** An item of a structured type: its fields by name. */
export interface StructValue {
  readonly [field: string]: unknown;
}

/** Stores `value` at byte `at` of `view`; `where` names it in errors. */
export type ItemStorer = (view: DataView, at: number, value: unknown, where: () => string) => void;

const INTEGER_LIMITS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  i1: [-128n, 127n],
  u1: [0n, 255n],
  i2: [-32768n, 32767n],
  u2: [0n, 65535n],
  i4: [-2147483648n, 2147483647n],
  u4: [0n, 4294967295n],
  i8: [-(2n ** 63n), 2n ** 63n - 1n],
  u8: [0n, 2n ** 64n - 1n],
};
const INT64 = INTEGER_LIMITS.i8 as readonly [bigint, bigint];
const MILLISECONDS = { count: 1n, code: "ms" };

/** The error for a value that a dtype does not take. */
export function refusedValue(where: string, dtype: DType, expected: string, found: unknown): ArgumentError {
  const described = describeValue(found);
  return new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${where}: expected ${expected} for dtype ${dtype.str.slice(0, 80)}, found ${described}`,
    { parameter: "data", position: where, expected, found: described, dtype: dtype.str },
  );
}

/** Whether a value is `{ re, im }`. */
export function isComplexParts(value: unknown): value is ComplexParts {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { re?: unknown }).re === "number" &&
    typeof (value as { im?: unknown }).im === "number"
  );
}

function isReal(value: unknown): value is number | bigint | boolean {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
}

function storeBool(dtype: DType): ItemStorer {
  return (view, at, value, where) => {
    if (isComplexParts(value)) view.setUint8(at, value.re !== 0 || value.im !== 0 ? 1 : 0);
    else if (!isReal(value)) throw refusedValue(where(), dtype, "a boolean or number", value);
    // Not a number is true, as everything but zero.
    else view.setUint8(at, typeof value === "number" ? Number(value !== 0) : Number(Boolean(value)));
  };
}

function storeInteger(dtype: DType, limits: readonly [bigint, bigint]): ItemStorer {
  const little = dtype.byteOrder !== "big";
  const { itemsize } = dtype;
  const expected = `an integer from ${limits[0]} to ${limits[1]}`;
  const [least, most] = [Number(limits[0]), Number(limits[1])];
  return (view, at, value, where) => {
    if (!isReal(value)) throw refusedValue(where(), dtype, expected, value);
    if (itemsize === 8) {
      if (typeof value === "number" && !Number.isInteger(value)) throw refusedValue(where(), dtype, expected, value);
      const integer = BigInt(value);
      if (integer < limits[0] || integer > limits[1]) throw refusedValue(where(), dtype, expected, value);
      view.setBigUint64(at, BigInt.asUintN(64, integer), little);
      return;
    }
    const integer = Number(value);
    if (!Number.isInteger(integer) || integer < least || integer > most)
      throw refusedValue(where(), dtype, expected, value);
    if (itemsize === 4) view.setUint32(at, integer, little);
    else if (itemsize === 2) view.setUint16(at, integer, little);
    else view.setUint8(at, integer);
  };
}

function setFloat(view: DataView, at: number, itemsize: number, value: number, little: boolean): void {
  if (itemsize === 8) view.setFloat64(at, value, little);
  else if (itemsize === 4) view.setFloat32(at, value, little);
  else setFloat16(view, at, value, little);
}

/** A real value as a float; a bigint too large for one is refused, as in Python. */
function toFloat(dtype: DType, value: unknown, where: () => string, expected: string): number {
  if (!isReal(value)) throw refusedValue(where(), dtype, expected, value);
  const float = Number(value);
  if (typeof value === "bigint" && !Number.isFinite(float)) throw refusedValue(where(), dtype, expected, value);
  return float;
}

function storeFloat(dtype: DType): ItemStorer {
  const little = dtype.byteOrder !== "big";
  return (view, at, value, where) =>
    setFloat(view, at, dtype.itemsize, toFloat(dtype, value, where, "a number"), little);
}

function storeComplex(dtype: DType): ItemStorer {
  const little = dtype.byteOrder !== "big";
  const half = dtype.itemsize / 2;
  const expected = "a number, [re, im] or { re, im }";
  return (view, at, value, where) => {
    let re: unknown = value;
    let im: unknown = 0;
    if (isComplexParts(value)) ({ re, im } = value);
    else if (Array.isArray(value)) {
      if (value.length !== 2) throw refusedValue(where(), dtype, expected, value);
      [re, im] = value;
    }
    setFloat(view, at, half, toFloat(dtype, re, where, expected), little);
    setFloat(view, at + half, half, toFloat(dtype, im, where, expected), little);
  };
}

function storeTime(dtype: DType): ItemStorer {
  const little = dtype.byteOrder !== "big";
  const unit = parseDatetimeUnit(dtype.str.slice(3)) ?? undefined;
  const takesDates = dtype.kind === "M" && unit !== undefined;
  const expected = `${takesDates ? "a Date or " : ""}an integer of 64 bits`;
  return (view, at, value, where) => {
    let count: bigint;
    if (value instanceof Date && takesDates) {
      const time = value.getTime();
      count = Number.isNaN(time) ? NOT_A_TIME : convertTime(BigInt(time), MILLISECONDS, unit);
    } else if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) {
      count = BigInt(value);
    } else throw refusedValue(where(), dtype, expected, value);
    if (count < INT64[0] || count > INT64[1]) throw refusedValue(where(), dtype, expected, value);
    view.setBigInt64(at, count, little);
  };
}

/** Clears the item, then stores bytes in front of it. */
function storeBytes(view: DataView, at: number, itemsize: number, bytes: Uint8Array): void {
  const item = new Uint8Array(view.buffer, view.byteOffset + at, itemsize);
  item.fill(0);
  item.set(bytes);
}

function storeByteString(dtype: DType): ItemStorer {
  const { itemsize } = dtype;
  const expected = `an ASCII string or Uint8Array of at most ${itemsize} bytes`;
  return (view, at, value, where) => {
    let bytes: Uint8Array;
    if (value instanceof Uint8Array) bytes = value;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
    else if (typeof value === "string" && /^[\x00-\x7f]*$/.test(value)) {
      bytes = Uint8Array.from(value, (c) => c.charCodeAt(0));
    } else throw refusedValue(where(), dtype, expected, value);
    if (bytes.byteLength > itemsize) throw refusedValue(where(), dtype, expected, value);
    storeBytes(view, at, itemsize, bytes);
  };
}

function storeUnicode(dtype: DType): ItemStorer {
  const most = dtype.itemsize / 4;
  const little = dtype.byteOrder !== "big";
  const expected = `a string of at most ${most} code points`;
  return (view, at, value, where) => {
    if (typeof value !== "string") throw refusedValue(where(), dtype, expected, value);
    let points = 0;
    for (const c of value) {
      if (points === most) throw refusedValue(where(), dtype, expected, value);
      view.setUint32(at + 4 * points, c.codePointAt(0) as number, little);
      points += 1;
    }
    for (; points < most; points++) view.setUint32(at + 4 * points, 0, little);
  };
}

/** Items that are only known as bytes: raw void and extended-precision floats. */
function storeRaw(dtype: DType): ItemStorer {
  const expected = `a Uint8Array of ${dtype.itemsize} bytes`;
  return (view, at, value, where) => {
    if (!(value instanceof Uint8Array) || value.byteLength !== dtype.itemsize)
      throw refusedValue(where(), dtype, expected, value);
    storeBytes(view, at, dtype.itemsize, value);
  };
}

/** The item at a position of a subarray's nested lists. */
function nestedItem(
  value: unknown,
  index: readonly number[],
  shape: readonly number[],
): { found: unknown; ok: boolean } {
  let found = value;
  for (let dim = 0; dim < index.length; dim++) {
    if (!Array.isArray(found) || found.length !== shape[dim]) return { found, ok: false };
    found = found[index[dim] as number];
  }
  return { found, ok: true };
}

function storeField({ name, dtype, offset, shape }: DTypeField): ItemStorer {
  const store = itemStorer(dtype);
  if (shape.length === 0)
    return (view, at, value, where) => store(view, at + offset, value, () => `${where()}.${name}`);
  const strides = cOrderStrides(shape);
  return (view, at, value, where) => {
    for (let i = 0; i < product(shape); i++) {
      const index = shape.map((n, dim) => Math.floor(i / (strides[dim] as number)) % n);
      const { found, ok } = nestedItem(value, index, shape);
      const place = (): string => `${where()}.${name}[${index.join("][")}]`;
      if (!ok) throw refusedValue(place(), dtype, `nested lists of shape (${shape.join(", ")})`, found);
      store(view, at + offset + i * dtype.itemsize, found, place);
    }
  };
}

function storeStruct(dtype: DType, fields: readonly DTypeField[]): ItemStorer {
  const names = fields.map(({ name }) => name);
  const storers = fields.map(storeField);
  const raw = storeRaw(dtype);
  const expected = `an object with the fields ${names.join(", ")}`;
  return (view, at, value, where) => {
    if (value instanceof Uint8Array) return raw(view, at, value, where);
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
    if (!isRecord || value instanceof Date) throw refusedValue(where(), dtype, expected, value);
    for (const key of Object.keys(value)) {
      if (!names.includes(key)) throw refusedValue(`${where()}.${key}`, dtype, expected, (value as StructValue)[key]);
    }
    new Uint8Array(view.buffer, view.byteOffset + at, dtype.itemsize).fill(0);
    storers.forEach((store, i) => {
      const name = names[i] as string;
      if (!Object.hasOwn(value, name)) throw refusedValue(`${where()}.${name}`, dtype, expected, undefined);
      store(view, at, (value as StructValue)[name], where);
    });
  };
}

/** How to store one item of a dtype. Values that do not fit are refused with an ArgumentError. */
export function itemStorer(dtype: DType): ItemStorer {
  const { kind, itemsize } = dtype;
  if (dtype.fields !== undefined) return storeStruct(dtype, dtype.fields);
  const limits = INTEGER_LIMITS[`${kind}${itemsize}`];
  if (limits !== undefined) return storeInteger(dtype, limits);
  if (kind === "b") return storeBool(dtype);
  if (kind === "f" && itemsize <= 8) return storeFloat(dtype);
  if (kind === "c" && itemsize <= 16) return storeComplex(dtype);
  if (kind === "M" || kind === "m") return storeTime(dtype);
  if (kind === "S") return storeByteString(dtype);
  if (kind === "U") return storeUnicode(dtype);
  return storeRaw(dtype);
}
