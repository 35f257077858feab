/** The dtype that a list of values implies. @module */

import { describeValue } from "../checks/describe-value.js";
import { ArgumentError } from "../errors.js";
import { itemPlace } from "../values/convert-items.js";
import { isComplexParts } from "../values/store-item.js";

type ValueKind = "boolean" | "number" | "bigint" | "string" | "date" | "complex";

function kindOf(value: unknown, where: () => string): ValueKind {
  const type = typeof value;
  if (type === "boolean" || type === "number" || type === "bigint" || type === "string") return type;
  if (value instanceof Date) return "date";
  if (isComplexParts(value)) return "complex";
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${where()}: expected a number, bigint, boolean, string, Date or { re, im }, found ${describeValue(value)}`,
    { parameter: "data", position: where(), found: describeValue(value) },
  );
}

/** Code points of the longest string among values, at least 1. */
export function longestString(values: readonly unknown[]): number {
  let most = 1;
  for (const value of values) if (typeof value === "string") most = Math.max(most, Array.from(value).length);
  return most;
}

/**
 * `<f8` for numbers, and for none; `<i8` for bigints, also among whole numbers, `<u8` where it must be; `|b1` for booleans; `<U` as
 * wide as the longest string; `<M8[ms]` for dates; `<c16` for complex values.
 *
 * @throws ArgumentError for anything else, and for a mixture of these.
 */
export function inferListDType(values: readonly unknown[], shape: readonly number[]): string {
  const kinds = new Set<ValueKind>();
  for (let i = 0; i < values.length; i++) kinds.add(kindOf(values[i], () => itemPlace(shape, i)));
  const only = (...allowed: ValueKind[]): boolean => [...kinds].every((kind) => allowed.includes(kind));
  if (kinds.size === 0 || only("number")) return "<f8";
  if (only("boolean")) return "|b1";
  if (only("string")) return `<U${longestString(values)}`;
  if (only("date")) return "<M8[ms]";
  if (only("complex", "number", "boolean", "bigint")) {
    if (kinds.has("complex")) return "<c16";
    if (!kinds.has("bigint")) return "<f8";
    if (!values.every((value) => typeof value !== "number" || Number.isSafeInteger(value))) return "<f8";
    return values.some((value) => typeof value === "bigint" && value > 2n ** 63n - 1n) ? "<u8" : "<i8";
  }
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `data mixes ${[...kinds].join(" and ")} values: give a dtype`, {
    parameter: "data",
    found: [...kinds].join(", "),
  });
}
