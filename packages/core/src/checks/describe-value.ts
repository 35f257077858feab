/** Naming a value in a message, in few words whatever it is. @module */

/** Most characters of a text that are shown. */
const MAX_SHOWN = 60;

function short(text: string): string {
  return JSON.stringify(text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`);
}

/** The name of an object's class, if it has a sane one. */
function className(value: object): string | undefined {
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && /^[A-Za-z_$][\w$]{0,60}$/.test(name) ? name : undefined;
}

function describeObject(value: object): string {
  const name = className(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value)) return `${name ?? "a view"} of ${value.byteLength} bytes`;
  if (value instanceof Date) return "a Date";
  return name === undefined || name === "Object" ? "an object" : `an object of class ${name}`;
}

/**
 * What a value is, for an error: short texts and numbers as they are, of all else the kind and the size. Never throws, and never
 * shows all of something large.
 *
 * @example
 * ```ts
 * describeValue(new Uint8Array(50_000_000)); // "Uint8Array of 50000000 bytes"
 * ```
 */
export function describeValue(value: unknown): string {
  if (typeof value === "string")
    return value.length <= MAX_SHOWN ? short(value) : `${short(value)} (${value.length} characters)`;
  if (typeof value === "bigint") return short(`${value}n`).slice(1, -1);
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol") return "a symbol";
  return typeof value === "object" && value !== null ? describeObject(value) : String(value);
}
