/** How tables look, and that they fit. @module */
import { stripVTControlCharacters } from "node:util";
import type { TableConstructorOptions } from "cli-table3";

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
} as const;

/** Columns with two spaces between them and no lines. */
export const BORDERLESS: TableConstructorOptions = {
  chars: NO_LINES,
  style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
};

/** A column is not made narrower than that. */
const NARROWEST = 6;
const GAP = 2;

/**
 * Widths of columns, so that rows fit: the widest one gives way first, and what does not fit in it is cut with an ellipsis.
 *
 * @param width columns of the terminal; undefined if lines may be of any length.
 */
export function fittingWidths(rows: readonly (readonly string[])[], width: number | undefined): number[] {
  const count = Math.max(0, ...rows.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(1, ...rows.map((row) => stripVTControlCharacters(row[i] ?? "").length)),
  );
  if (width === undefined) return widths;
  let over = widths.reduce((sum, each) => sum + each, GAP * (count - 1)) - width;
  for (; over > 0; over--) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}
