/** How tables look. @module */
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
