/** Sizes, ratios and times for people. @module */

const UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** `1.25 MiB`; plain bytes below 1 KiB. */
export function formatBytes(byteLength: number): string {
  if (byteLength < 1024) return `${byteLength} B`;
  let value = byteLength;
  let unit = -1;
  do {
    value /= 1024;
    unit++;
  } while (value >= 1023.995 && unit < UNITS.length - 1);
  return `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)} ${UNITS[unit]}`;
}

/** `4.21x`; large ones without decimals. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(ratio < 99.995 ? 2 : 0)}x`;
}

/** `0.42 s`, or `12 ms`. */
export function formatSeconds(seconds: number): string {
  return seconds < 0.1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(2)} s`;
}

/** `(2, 24, 96)`, as NumPy writes shapes. */
export function formatShape(shape: readonly number[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

/** `1 chunk`, `2 chunks`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
