/** The values of a buffer, as NumPy prints an array: all of a small one, the edges of a large one. @module */
import { plainLine, showing, tupleText } from "../../checks/showing.js";
import { type ItemValue, itemValue } from "../item-value.js";
import type { NDBuffer } from "../nd-buffer.js";
import { arrayText } from "./array-text.js";
import { type Edges, edgesOf } from "./edges.js";
import { itemTexts } from "./item-texts.js";
import { type TextStyle, USUAL_STYLE } from "./text-style.js";

/** A number as Python writes it. */
function scalarText(value: ItemValue): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? `${value}.0` : String(value);
  if (!Array.isArray(value)) return undefined;
  const [re, im] = value as [number, number];
  return `(${re}${im < 0 ? "" : "+"}${im}j)`;
}

/** The items of a buffer at some positions of each dimension. */
export function edgeText(
  { dtype, strides, bytes }: NDBuffer,
  { positions, cut }: Edges,
  { precision, lineWidth }: TextStyle = USUAL_STYLE,
): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (positions.length === 0) {
    const isReal = dtype.kind === "f" || dtype.kind === "c";
    return (
      (isReal ? scalarText(itemValue(dtype, view, 0)) : undefined) ??
      (itemTexts(dtype, view, [0], precision)[0] as string)
    );
  }
  const shown = positions.map(({ length }) => length);
  if (shown.includes(0)) return "[]";
  let offsets = [0];
  positions.forEach((along, dim) => {
    const stride = (strides[dim] as number) * dtype.itemsize;
    offsets = offsets.flatMap((offset) => along.map((position) => offset + position * stride));
  });
  return arrayText(itemTexts(dtype, view, offsets, precision), shown, cut, lineWidth);
}

/** A buffer with its values. */
export function bufferText(buffer: NDBuffer): string {
  const { dtype, shape } = buffer;
  const edges = edgesOf(shape, dtype.itemsize);
  const line = `NDBuffer ${tupleText(shape)} ${plainLine(dtype.str)}`;
  return edges === undefined ? line : `${line}\n${showing(() => edgeText(buffer, edges))}`;
}
