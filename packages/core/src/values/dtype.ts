/**
 * Item types in NumPy notation, as the b2nd metalayer stores them (`"<f8"`, `"|S5"`, `"[('a', '<i4'), ('b', '<f8')]"`).
 *
 * @module
 */
import { ArgumentError } from "../errors.js";
import { type PythonLiteral, parsePythonLiteral } from "./python-literal.js";

/** NumPy's kind letters: bool, signed, unsigned, float, complex, bytes, unicode, void (structured too), datetime, timedelta. */
export type DTypeKind = "b" | "i" | "u" | "f" | "c" | "S" | "U" | "V" | "M" | "m";

/** A field of a structured type. */
export interface DTypeField {
  readonly name: string;
  readonly dtype: DType;
  /** Bytes from the start of the item. */
  readonly offset: number;
  /** Shape of a subarray field; empty for a plain one. */
  readonly shape: readonly number[];
}

/** An item type. */
export interface DType {
  /** NumPy's spelling, with byte order: `"<i4"`, `"|u1"`. */
  readonly str: string;
  readonly kind: DTypeKind;
  /** Bytes per item. */
  readonly itemsize: number;
  readonly byteOrder: "little" | "big" | "none";
  /** Fields of a structured type, in order. */
  readonly fields: readonly DTypeField[] | undefined;
}

/** Arrays in which values of a dtype are handed out; see `NDBuffer.data`. */
export type DTypeArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

const NAMES: Readonly<Record<string, string>> = {
  bool: "|b1",
  int8: "|i1",
  uint8: "|u1",
  int16: "<i2",
  uint16: "<u2",
  int32: "<i4",
  uint32: "<u4",
  int64: "<i8",
  uint64: "<u8",
  float16: "<f2",
  float32: "<f4",
  float64: "<f8",
  complex64: "<c8",
  complex128: "<c16",
};

/** One-letter codes of NumPy (and of Python's `struct`) that may stand in a metalayer. */
const LETTERS: Readonly<Record<string, string>> = {
  "?": "b1",
  b: "i1",
  B: "u1",
  h: "i2",
  H: "u2",
  i: "i4",
  I: "u4",
  l: "i8",
  L: "u8",
  q: "i8",
  Q: "u8",
  e: "f2",
  f: "f4",
  d: "f8",
  F: "c8",
  D: "c16",
};

const SIZES: Readonly<Record<string, readonly number[]>> = {
  b: [1],
  i: [1, 2, 4, 8],
  u: [1, 2, 4, 8],
  f: [2, 4, 8, 12, 16],
  c: [8, 16, 24, 32],
  M: [8],
  m: [8],
};

/** The largest item that the format can hold: one item must fit a block. */
const MAX_ITEMSIZE = 536866816;

function invalid(text: string, why: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `dtype ${JSON.stringify(text.slice(0, 80))}: ${why}`, {
    parameter: "dtype",
    value: text.slice(0, 80),
  });
}

/**
 * Parses a dtype in NumPy's spelling; names such as `"float32"` work as well.
 *
 * @throws ArgumentError `BLOSC2_ARGUMENT_INVALID` for anything that NumPy would not accept.
 * @example
 * ```ts
 * parseDType("<f8").itemsize; // 8
 * ```
 */
export function parseDType(text: string): DType {
  const trimmed = text.trim();
  if (trimmed.startsWith("[") || trimmed.startsWith("{")) return structured(text, parsePythonLiteral(trimmed));
  return scalar(trimmed);
}

function scalar(text: string): DType {
  const spelled = NAMES[text] ?? text;
  const match = /^([<>|=]?)(?:([a-zA-Z?])(\d*))(\[[^\]]{1,32}\])?$/.exec(spelled);
  if (match === null) throw invalid(text, "not a NumPy dtype");
  const order = match[1] ?? "";
  let kind = match[2] ?? "";
  let digits = match[3] ?? "";
  const unit = match[4] ?? "";
  if (kind === "a") kind = "S";
  const letter = digits === "" && unit === "" ? LETTERS[kind] : undefined;
  if (letter !== undefined) {
    kind = letter.charAt(0);
    digits = letter.slice(1);
  }
  if (!"biufcSUVMm".includes(kind)) throw invalid(text, `unknown kind "${kind}"`);
  if (unit !== "" && kind !== "M" && kind !== "m") throw invalid(text, "only datetimes take a unit");
  const count = Number(digits === "" ? (kind === "M" || kind === "m" ? "8" : "0") : digits);
  const allowed = SIZES[kind];
  if (allowed !== undefined && !allowed.includes(count)) throw invalid(text, `kind "${kind}" has no size ${count}`);
  const itemsize = kind === "U" ? count * 4 : count;
  if (itemsize > MAX_ITEMSIZE) throw invalid(text, `items of ${itemsize} bytes; at most ${MAX_ITEMSIZE}`);
  const swaps = itemsize > 1 && kind !== "S" && kind !== "V";
  const byteOrder = !swaps ? "none" : order === ">" ? "big" : "little";
  const mark = byteOrder === "none" ? "|" : byteOrder === "big" ? ">" : "<";
  return { str: `${mark}${kind}${count}${unit}`, kind: kind as DTypeKind, itemsize, byteOrder, fields: undefined };
}

function structured(text: string, literal: PythonLiteral): DType {
  if (Array.isArray(literal)) {
    const fields: DTypeField[] = [];
    let offset = 0;
    for (const entry of literal) {
      if (!Array.isArray(entry) || entry.length < 2 || entry.length > 3)
        throw invalid(text, "a field is (name, format[, shape])");
      const field = makeField(text, entry[0], entry[1], entry[2], offset);
      // NumPy writes padding as fields with an empty name.
      if (field.name !== "") fields.push(field);
      offset += field.dtype.itemsize * field.shape.reduce((a, b) => a * b, 1);
    }
    return finishStructured(text, fields, offset);
  }
  if (literal instanceof Map) {
    const names = literal.get("names");
    const formats = literal.get("formats");
    const offsets = literal.get("offsets");
    if (!Array.isArray(names) || !Array.isArray(formats) || names.length !== formats.length) {
      throw invalid(text, "names and formats of the same length");
    }
    const fields: DTypeField[] = [];
    let end = 0;
    for (let i = 0; i < names.length; i++) {
      const given = Array.isArray(offsets) ? offsets[i] : end;
      if (typeof given !== "number" || given < 0) throw invalid(text, "offsets are numbers from 0");
      const field = makeField(text, names[i], formats[i], undefined, given);
      fields.push(field);
      end = Math.max(end, given + field.dtype.itemsize * field.shape.reduce((a, b) => a * b, 1));
    }
    const itemsize = literal.get("itemsize") ?? end;
    if (typeof itemsize !== "number" || itemsize < end) throw invalid(text, `itemsize at least ${end}`);
    return finishStructured(text, fields, itemsize);
  }
  throw invalid(text, "a structured dtype is a list of fields or a dict");
}

function makeField(
  text: string,
  name: PythonLiteral | undefined,
  format: PythonLiteral | undefined,
  shape: PythonLiteral | undefined,
  offset: number,
): DTypeField {
  // A field may be named ("title", "name"); the name proper comes last.
  const plain = Array.isArray(name) ? name[name.length - 1] : name;
  if (typeof plain !== "string") throw invalid(text, "a field name is a string");
  let dims: PythonLiteral[] = [];
  if (typeof shape === "number") dims = [shape];
  else if (Array.isArray(shape)) dims = shape;
  let base = format;
  if (Array.isArray(format) && format.length === 2 && typeof format[0] === "string" && !Array.isArray(format[0])) {
    base = format[0];
    dims = Array.isArray(format[1]) ? format[1] : [format[1] as PythonLiteral];
  }
  if (base === undefined || base === null) throw invalid(text, `field "${plain}" has no format`);
  const sizes = dims.map((d) => {
    if (typeof d !== "number" || d < 0) throw invalid(text, `field "${plain}": a subarray shape is of numbers from 0`);
    return d;
  });
  const dtype = typeof base === "string" ? parseDType(base) : structured(text, base);
  return { name: plain, dtype, offset, shape: sizes };
}

function finishStructured(text: string, fields: readonly DTypeField[], itemsize: number): DType {
  if (itemsize > MAX_ITEMSIZE || itemsize < 1) throw invalid(text, `items of ${itemsize} bytes; 1 to ${MAX_ITEMSIZE}`);
  return { str: text.trim(), kind: "V", itemsize, byteOrder: "none", fields };
}
