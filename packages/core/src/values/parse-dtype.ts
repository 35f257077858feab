/** Parsing item types in NumPy notation. @module */

import { describeValue } from "../checks/describe-value.js";
import { ArgumentError } from "../errors.js";
import { parseDatetimeUnit, spellDatetimeUnit } from "./datetime-units.js";
import type { DType, DTypeField, DTypeKind } from "./dtype.js";
import { DTYPE_LETTERS, DTYPE_NAMES } from "./dtype-names.js";
import { type PythonLiteral, parsePythonLiteral } from "./python-literal.js";
import { product } from "./shape.js";
import { spellStructured } from "./spell-dtype.js";

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
 * Parses a dtype in NumPy's spelling; names such as `"float32"`, `"int"` or `"datetime64[ns]"` work as well.
 *
 * @throws ArgumentError `BLOSC2_ARGUMENT_INVALID` for anything that NumPy would not accept, and for objects.
 * @example
 * ```ts
 * parseDType("<f8").itemsize; // 8
 * ```
 */
export function parseDType(text: string): DType {
  if (typeof text !== "string") {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `dtype: expected a string such as "<f4" or "float32", found ${describeValue(text)}`,
      { parameter: "dtype" },
    );
  }
  const trimmed = text.trim();
  if (trimmed.startsWith("[") || trimmed.startsWith("{")) {
    return { ...structured(text, parsePythonLiteral(trimmed)), str: trimmed };
  }
  return scalar(trimmed);
}

/** The dtype that a literal stands for: a string, or the list or dict of a structured type. @throws as {@link parseDType} */
export function dtypeFromLiteral(literal: PythonLiteral): DType {
  return typeof literal === "string" ? parseDType(literal) : structured("(literal)", literal);
}

function scalar(text: string): DType {
  const named = text.replace(/^(datetime|timedelta)64(?=\[|$)/, (_, kind) => (kind === "datetime" ? "M8" : "m8"));
  const spelled = Object.hasOwn(DTYPE_NAMES, named) ? (DTYPE_NAMES[named] as string) : named;
  const match = /^([<>|=]?)(?:([a-zA-Z?])(\d*))(\[[^\]]{1,32}\])?$/.exec(spelled);
  if (match === null) throw invalid(text, "not a NumPy dtype");
  const order = match[1] ?? "";
  let kind = match[2] ?? "";
  let digits = match[3] ?? "";
  const unit = parseDatetimeUnit(match[4] ?? "");
  if (kind === "a") kind = "S";
  const letter = digits === "" && match[4] === undefined ? DTYPE_LETTERS[kind] : undefined;
  if (letter !== undefined) {
    kind = letter.charAt(0);
    digits = letter.slice(1);
  }
  if (!"biufcSUVMm".includes(kind)) throw invalid(text, `unknown kind "${kind}"`);
  const isTime = kind === "M" || kind === "m";
  if (match[4] !== undefined && !isTime) throw invalid(text, "only datetimes take a unit");
  if (unit === null) throw invalid(text, `"${match[4]}" is no unit of time`);
  const count = Number(digits === "" ? (isTime ? "8" : "0") : digits);
  const allowed = SIZES[kind];
  if (allowed !== undefined && !allowed.includes(count)) throw invalid(text, `kind "${kind}" has no size ${count}`);
  const itemsize = kind === "U" ? count * 4 : count;
  if (itemsize > MAX_ITEMSIZE) throw invalid(text, `items of ${itemsize} bytes; at most ${MAX_ITEMSIZE}`);
  const swaps = itemsize > 1 && kind !== "S" && kind !== "V";
  const byteOrder = !swaps ? "none" : order === ">" ? "big" : "little";
  const mark = byteOrder === "none" ? (kind === "U" ? "<" : "|") : byteOrder === "big" ? ">" : "<";
  const str = `${mark}${kind}${count}${spellDatetimeUnit(unit)}`;
  return { str, kind: kind as DTypeKind, itemsize, byteOrder, fields: undefined };
}

function structured(text: string, literal: PythonLiteral): DType {
  const fields: DTypeField[] = [];
  let end = 0;
  const add = (field: DTypeField): void => {
    if (fields.some((other) => other.name === field.name)) throw invalid(text, `two fields "${field.name}"`);
    fields.push(field);
    end = Math.max(end, field.offset + field.dtype.itemsize * product(field.shape));
  };
  if (Array.isArray(literal)) {
    literal.forEach((entry, i) => {
      if (!Array.isArray(entry) || entry.length < 2 || entry.length > 3)
        throw invalid(text, "a field is (name, format[, shape])");
      const field = makeField(text, entry, i, end);
      // NumPy writes padding as void fields with an empty name.
      if (entry[0] !== "" || field.dtype.kind !== "V") add(field);
      else end += field.dtype.itemsize * product(field.shape);
    });
    return finishStructured(text, fields, end);
  }
  if (!(literal instanceof Map)) throw invalid(text, "a structured dtype is a list of fields or a dict");
  const names = literal.get("names");
  const formats = literal.get("formats");
  const offsets = literal.get("offsets");
  if (!Array.isArray(names) || !Array.isArray(formats) || names.length !== formats.length) {
    throw invalid(text, "names and formats of the same length");
  }
  names.forEach((name, i) => {
    const offset = Array.isArray(offsets) ? offsets[i] : end;
    if (typeof offset !== "number" || offset < 0) throw invalid(text, "offsets are numbers from 0");
    add(makeField(text, [name, formats[i] ?? null], i, offset));
  });
  const itemsize = literal.get("itemsize") ?? end;
  if (typeof itemsize !== "number" || itemsize < end) throw invalid(text, `itemsize at least ${end}`);
  return finishStructured(text, fields, itemsize);
}

/** The dimensions that a literal states, `undefined` if it is no shape. */
function shapeOf(literal: PythonLiteral | undefined): number[] | undefined {
  const dims = Array.isArray(literal) ? literal : [literal];
  return dims.every((n): n is number => typeof n === "number" && n >= 0) ? dims : undefined;
}

function makeField(
  text: string,
  [name, format, shape]: readonly (PythonLiteral | undefined)[],
  position: number,
  offset: number,
): DTypeField {
  // A field may be named ("title", "name"); the name proper comes last.
  const plain = Array.isArray(name) ? name[name.length - 1] : name;
  if (typeof plain !== "string") throw invalid(text, "a field name is a string");
  const dims = shape === undefined ? [] : shapeOf(shape);
  if (dims === undefined) throw invalid(text, `field "${plain}": a subarray shape is of numbers from 0`);
  let base = format;
  for (;;) {
    // (format, shape), where the format may be a list of fields itself.
    const inner: number[] | undefined = Array.isArray(base) && base.length === 2 ? shapeOf(base[1]) : undefined;
    if (inner === undefined) break;
    dims.push(...inner);
    base = (base as PythonLiteral[])[0];
  }
  if (base === undefined || base === null) throw invalid(text, `field "${plain}" has no format`);
  const dtype = typeof base === "string" ? parseDType(base) : structured(text, base);
  return { name: plain === "" ? `f${position}` : plain, dtype, offset, shape: dims };
}

function finishStructured(text: string, fields: readonly DTypeField[], itemsize: number): DType {
  if (itemsize > MAX_ITEMSIZE || itemsize < 1) throw invalid(text, `items of ${itemsize} bytes; 1 to ${MAX_ITEMSIZE}`);
  return { str: spellStructured(fields, itemsize), kind: "V", itemsize, byteOrder: "none", fields };
}
