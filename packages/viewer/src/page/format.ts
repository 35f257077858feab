/** Numbers as text for people. @module */

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
const STEP = 1024;

/** Bytes with a unit. */
export function bytesText(bytes: number): string {
  if (bytes === 1) return "1 byte";
  let value = bytes;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit++;
  }
  return `${unit === 0 ? countText(value) : value.toFixed(value < 10 ? 2 : 1)} ${UNITS[unit]}`;
}

/** A whole number with separators. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}

/** A number in few characters: six figures, as many as tell neighbouring colours apart. */
export function numberText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e9 ? String(value) : String(Number(value.toPrecision(6)));
}

/** A share of a whole. */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${((100 * part) / whole).toFixed(part * 100 < whole ? 2 : 1)} %`;
}
