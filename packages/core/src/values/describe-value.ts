/** Naming a value that is refused. @module */

const SHOWN_CHARACTERS = 40;

/** A few words for any value, of a length that does not grow with it. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") {
    const shown = JSON.stringify(value.slice(0, SHOWN_CHARACTERS));
    return value.length > SHOWN_CHARACTERS ? `a string of ${value.length} characters, ${shown}...` : `string ${shown}`;
  }
  if (typeof value === "bigint") {
    const text = String(BigInt.asIntN(128, value)) === String(value) ? String(value) : "of more than 128 bits";
    return `bigint ${text}`;
  }
  if (typeof value === "number" || typeof value === "boolean") return `${typeof value} ${String(value)}`;
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const name = (Object.getPrototypeOf(value) as { constructor?: { name?: unknown } } | null)?.constructor?.name;
  if (ArrayBuffer.isView(value)) return `${String(name)} of ${value.byteLength} bytes`;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`
    : "an object";
}
