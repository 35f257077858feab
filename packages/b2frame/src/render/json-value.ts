/** What msgpack can hold, as JSON can. @module */

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/**
 * A decoded msgpack value as a JSON value: byte strings become `{ "base64": ... }`, 64-bit integers past 2^53 and numbers that are
 * none become strings, times ISO strings, extensions `{ "ext": type, "base64": ... }`.
 */
export function jsonValue(value: unknown): unknown {
  if (typeof value === "bigint") {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value === undefined || value === null || typeof value !== "object") return value ?? null;
  if (value instanceof Uint8Array) return { base64: base64(value) };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(jsonValue);
  if ("type" in value && "data" in value && value.data instanceof Uint8Array) {
    return { ext: value.type, base64: base64(value.data) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, content]) => [key, jsonValue(content)]));
}
