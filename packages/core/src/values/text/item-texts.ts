/** Items as NumPy prints them, those of a kind in one width. @module */
import type { DType, DTypeField } from "../dtype.js";
import { itemValue } from "../item-value.js";
import { product } from "../shape.js";
import { complexTexts, floatTexts } from "./float-text.js";
import { byteStringText, bytesText, stringText } from "./string-text.js";
import { timeTexts } from "./time-text.js";

function padded(texts: readonly string[]): string[] {
  const width = texts.reduce((most, { length }) => Math.max(most, length), 0);
  return texts.map((text) => text.padStart(width));
}

/** Bytes of items of 16 bytes are no numbers here. */
function isNumber({ kind, itemsize }: DType): boolean {
  return (kind === "f" && itemsize <= 8) || (kind === "c" && itemsize <= 16);
}

/** A field of all items: that of a sub-array as a list in brackets. */
function fieldTexts(
  { dtype, offset, shape }: DTypeField,
  view: DataView,
  positions: readonly number[],
  precision: number,
): string[] {
  if (shape.length === 0) {
    return itemTexts(
      dtype,
      view,
      positions.map((at) => at + offset),
      precision,
    );
  }
  const count = product(shape);
  const all = positions.flatMap((at) => Array.from({ length: count }, (_, i) => at + offset + i * dtype.itemsize));
  const texts = itemTexts(dtype, view, all, precision);
  return positions.map((_, i) => nested(texts.slice(i * count, (i + 1) * count), shape));
}

function nested(texts: readonly string[], shape: readonly number[]): string {
  const [size = 0, ...inner] = shape;
  const step = texts.length / Math.max(1, size);
  const parts = Array.from({ length: size }, (_, i) =>
    inner.length === 0 ? (texts[i] as string) : nested(texts.slice(i * step, (i + 1) * step), inner),
  );
  return `[${parts.join(", ")}]`;
}

function structTexts(
  fields: readonly DTypeField[],
  view: DataView,
  positions: readonly number[],
  precision: number,
): string[] {
  const columns = fields.map((field) => fieldTexts(field, view, positions, precision));
  return positions.map((_, i) => {
    const parts = columns.map((column) => column[i] as string);
    return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(", ")})`;
  });
}

/**
 * The items that begin at some positions of a view.
 *
 * @param precision most digits after the point.
 * @throws ArgumentError for a string of what is no Unicode
 */
export function itemTexts(dtype: DType, view: DataView, positions: readonly number[], precision: number): string[] {
  const { kind, itemsize, fields, str } = dtype;
  if (fields !== undefined) return structTexts(fields, view, positions, precision);
  const values = positions.map((at) => itemValue(dtype, view, at));
  if (kind === "b") return padded(values.map((value) => (value === true ? "True" : "False")));
  if (kind === "i" || kind === "u") return padded(values.map(String));
  if (kind === "M" || kind === "m") return timeTexts(values as bigint[], str);
  if (kind === "f" && isNumber(dtype)) return floatTexts(values as number[], itemsize, precision);
  if (kind === "c" && isNumber(dtype)) return complexTexts(values as [number, number][], itemsize, precision);
  if (kind === "S") return (values as string[]).map(byteStringText);
  if (kind === "U") return (values as string[]).map(stringText);
  return (values as Uint8Array[]).map(bytesText);
}
