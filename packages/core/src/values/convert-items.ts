/** Items of one dtype as items of another, by NumPy's `same_kind` rules. @module */
import { ArgumentError } from "../errors.js";
import { convertTime, NOT_A_TIME, parseDatetimeUnit, spansConvert } from "./datetime-units.js";
import { type DType, type DTypeField, sameLayout } from "./dtype.js";
import { bytesInPlace } from "./dtype-values.js";
import { itemValue } from "./item-value.js";
import { NDBuffer } from "./nd-buffer.js";
import { product } from "./shape.js";
import { itemStorer } from "./store-item.js";

/** The kinds whose values each kind takes. Integers out of range, floats that are not whole and strings too long are found one by one. */
const TAKES: Readonly<Record<string, string>> = {
  b: "biufc",
  i: "biuf",
  u: "biuf",
  f: "biuf",
  c: "biufc",
  S: "SU",
  U: "SU",
  V: "",
  M: "iuM",
  m: "ium",
};

function notConvertible(from: DType, to: DType, why: string): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `data of dtype ${from.str.slice(0, 80)} can't be converted to ${to.str.slice(0, 80)}: ${why}`,
    { parameter: "data", expected: to.str, found: from.str },
  );
}

/** Names an item by its place in C order. */
export function itemPlace(shape: readonly number[], at: number): string {
  let rest = at;
  let text = "";
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    const size = shape[dim] as number;
    text = `[${rest % size}]${text}`;
    rest = Math.floor(rest / size);
  }
  return `data${text}`;
}

/** Values in C order of `shape` as bytes of `dtype`. @throws ArgumentError naming the value that does not fit */
export function storeItems(dtype: DType, values: ArrayLike<unknown>, shape: readonly number[]): Uint8Array {
  const out = new Uint8Array(values.length * dtype.itemsize);
  const view = new DataView(out.buffer);
  const store = itemStorer(dtype);
  let at = 0;
  const where = (): string => itemPlace(shape, at);
  for (; at < values.length; at++) store(view, at * dtype.itemsize, values[at], where);
  return out;
}

function convertTimes(buffer: NDBuffer, dtype: DType): Uint8Array {
  const from = parseDatetimeUnit(buffer.dtype.str.slice(3)) ?? undefined;
  const to = parseDatetimeUnit(dtype.str.slice(3)) ?? undefined;
  const counts = Array.from(buffer.data as BigInt64Array);
  const sameUnit = from?.code === to?.code && from?.count === to?.count;
  if (sameUnit) return storeItems(dtype, counts, buffer.shape);
  if (from === undefined || to === undefined) {
    if (counts.every((count) => count === NOT_A_TIME)) return storeItems(dtype, counts, buffer.shape);
    throw notConvertible(buffer.dtype, dtype, "only one of them has a unit");
  }
  if (dtype.kind === "m" && !spansConvert(from, to)) {
    throw notConvertible(buffer.dtype, dtype, "years and months have no fixed number of days");
  }
  const converted = counts.map((count) => convertTime(count, from, to));
  return storeItems(dtype, converted, buffer.shape);
}

/** The items of a field, side by side. */
function gatherField(buffer: NDBuffer, field: DTypeField): NDBuffer {
  const length = field.dtype.itemsize * product(field.shape);
  const { itemsize } = buffer.dtype;
  const bytes = new Uint8Array(buffer.itemCount * length);
  for (let i = 0; i < buffer.itemCount; i++) {
    const at = i * itemsize + field.offset;
    bytes.set(buffer.bytes.subarray(at, at + length), i * length);
  }
  return new NDBuffer(field.dtype, [buffer.itemCount, ...field.shape], bytes);
}

function convertStructs(buffer: NDBuffer, dtype: DType, fields: readonly DTypeField[]): Uint8Array {
  const given = buffer.dtype.fields ?? [];
  const agree =
    given.length === fields.length &&
    given.every((field, i) => field.name === fields[i]?.name && String(field.shape) === String(fields[i]?.shape));
  // NumPy goes by position there, which is a trap where names differ.
  if (!agree) throw notConvertible(buffer.dtype, dtype, "their fields differ in name, order or shape");
  const out = new Uint8Array(buffer.itemCount * dtype.itemsize);
  fields.forEach((field, f) => {
    const converted = convertItems(gatherField(buffer, given[f] as DTypeField), field.dtype);
    const length = field.dtype.itemsize * product(field.shape);
    for (let i = 0; i < buffer.itemCount; i++) {
      out.set(converted.subarray(i * length, (i + 1) * length), i * dtype.itemsize + field.offset);
    }
  });
  return out;
}

/**
 * The items of a buffer as bytes of another dtype; the buffer's own where nothing has to be converted.
 *
 * @throws ArgumentError for kinds that do not go together, and for values that do not fit.
 */
export function convertItems(buffer: NDBuffer, dtype: DType): Uint8Array {
  const from = buffer.dtype;
  if (sameLayout(from, dtype)) return buffer.bytes;
  if (dtype.fields !== undefined && from.fields !== undefined) return convertStructs(buffer, dtype, dtype.fields);
  const isExtended = (t: DType): boolean =>
    (t.kind === "f" && t.itemsize > 8) || (t.kind === "c" && t.itemsize > 16) || t.fields !== undefined;
  if (isExtended(from) || isExtended(dtype) || TAKES[dtype.kind]?.includes(from.kind) !== true) {
    throw notConvertible(from, dtype, "these kinds do not go together");
  }
  if (from.kind === "M" || from.kind === "m") return convertTimes(buffer, dtype);
  if (from.kind === "c" || from.kind === "S" || from.kind === "U") {
    const view = new DataView(buffer.bytes.buffer, buffer.bytes.byteOffset, buffer.bytes.byteLength);
    const values = Array.from({ length: buffer.itemCount }, (_, i) => itemValue(from, view, i * from.itemsize));
    return storeItems(dtype, values, buffer.shape);
  }
  if (dtype.kind === "c") return storeItems(dtype, buffer.data, buffer.shape);
  return bytesInPlace(dtype, buffer.data) ?? storeItems(dtype, buffer.data, buffer.shape);
}
