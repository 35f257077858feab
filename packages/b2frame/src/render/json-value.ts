/** What msgpack can hold, as JSON can. @module */
import { Complex, EmbeddedFrame, MsgpackExtension, NDBuffer, ObjectBuffer } from "@b2frame/core";

/** Items of an array that are written out; the bytes of more. */
const SHOWN_ITEMS = 1000;

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function jsonArray(value: NDBuffer): unknown {
  const { dtype, shape, itemCount, bytes } = value;
  const facts = { dtype: dtype.str, shape };
  if (itemCount > SHOWN_ITEMS) return { ...facts, base64: base64(bytes) };
  const items = value.toNestedArray().map(jsonValue);
  return { ...facts, values: shape.length === 0 ? items[0] : items };
}

function jsonObject(value: object): unknown {
  if (value instanceof NDBuffer) return jsonArray(value);
  if (value instanceof Uint8Array) return { base64: base64(value) };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return Array.from(value, jsonValue);
  if (value instanceof Set) return { set: Array.from(value, jsonValue) };
  if (value instanceof Map) return { map: Array.from(value, ([key, content]) => [jsonValue(key), jsonValue(content)]) };
  if (value instanceof Complex) return { re: jsonValue(value.re), im: jsonValue(value.im) };
  if (value instanceof EmbeddedFrame) return { cframe: base64(value.bytes) };
  if (value instanceof ObjectBuffer) return { shape: value.shape, values: value.values.map(jsonValue) };
  if (value instanceof MsgpackExtension) return { ext: value.type, base64: base64(value.data) };
  return Object.fromEntries(Object.entries(value).map(([key, content]) => [key, jsonValue(content)]));
}

/**
 * A decoded msgpack value as a JSON value: byte strings become `{ "base64": ... }`, 64-bit integers past 2^53 and numbers that are
 * none become strings, times ISO strings, tuples lists, sets `{ "set": [...] }`, maps with keys that are no strings
 * `{ "map": [[key, value], ...] }`, complex numbers `{ "re", "im" }`, NumPy arrays `{ "dtype", "shape", "values" }` (`"base64"` past
 * 1,000 items), frames `{ "cframe": base64 }`, other extensions `{ "ext": type, "base64": ... }`.
 */
export function jsonValue(value: unknown): unknown {
  if (typeof value === "bigint") {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "object" && value !== null ? jsonObject(value) : (value ?? null);
}
