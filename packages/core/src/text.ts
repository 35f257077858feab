/**
 * Arrays in text, as NumPy prints them, with its print options.
 *
 * @module
 */
export { type FormatOptions, formatArray } from "./b2nd/format-array.js";
