/** Numbers of all items, for people. @module */
import { type DType, NDBuffer } from "@b2frame/core";
import { type BinCounts, coarser, type Statistics } from "@b2frame/core/stats";
import pc from "picocolors";
import { barText } from "./bars.js";
import { printable } from "./printable.js";
import { formatBytes, formatCount, formatShape } from "./quantities.js";

/** What was counted. */
export interface CountedFrame {
  readonly path: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly nchunks: number;
  readonly statistics: Statistics;
}

const LEAST_BAR = 10;

/** A share of all, as far as two digits tell it. */
function percent(part: number, all: number): string {
  const share = (100 * part) / all;
  if (part === 0 || part === all) return `${share} %`;
  if (share < 0.01) return "< 0.01 %";
  return share > 99.99 ? "> 99.99 %" : `${share.toPrecision(share < 1 ? 1 : share < 10 ? 2 : 3)} %`;
}

/** A value of a type: a time as NumPy writes it, anything else as a number. */
function valueText(value: number | bigint, dtype: DType): string {
  if (dtype.kind !== "M" || typeof value !== "bigint") return String(value);
  const bytes = new Uint8Array(new BigInt64Array([value]).buffer);
  const text = String(new NDBuffer(dtype, [1], dtype.byteOrder === "big" ? bytes.reverse() : bytes));
  return text.slice(text.indexOf("\n") + 1).replace(/^\['|'\]$/g, "");
}

/** Bins, a line for each: where it begins and ends, how many values it holds, and a bar. */
function histogramLines({ exponent, first, counts }: BinCounts, width: number): string[] {
  const binWidth = 2 ** exponent;
  const starts = counts.map((_, i) => String((first + i) * binWidth));
  const ends = counts.map((_, i) => String((first + i + 1) * binWidth));
  const [startWidth, endWidth, countWidth] = [starts, ends, counts.map(String)].map((texts) =>
    Math.max(...texts.map(({ length }) => length)),
  ) as [number, number, number];
  const most = Math.max(...counts);
  const room = Math.max(LEAST_BAR, width - startWidth - endWidth - countWidth - 8);
  return counts.map((count, i) => {
    const range = `${(starts[i] as string).padStart(startWidth)} .. ${(ends[i] as string).padStart(endWidth)}`;
    return `${pc.dim(range)}  ${String(count).padStart(countWidth)}  ${pc.cyan(barText(count / most, room))}`.trimEnd();
  });
}

/** @param bins most lines of the histogram. @param width columns that it may take */
export function renderStats(
  { path, dtype, shape, nchunks, statistics }: CountedFrame,
  bins: number,
  width: number,
): string {
  const { count, finite, nans, infinities, zeros, min, max, mean, std, histogram } = statistics;
  const what = `${formatShape(shape)} ${printable(dtype.str)}, ${formatBytes(count * dtype.itemsize)} in ${formatCount(nchunks, "chunk")}`;
  const rows: [string, string][] = [["items", String(count)]];
  if (min !== undefined && max !== undefined) {
    rows.push(["min", valueText(min, dtype)], ["max", valueText(max, dtype)]);
  }
  if (finite > 0) rows.push(["mean", String(mean)], ["std", String(std)]);
  rows.push(["zeros", `${zeros}${count > 0 ? pc.dim(`  ${percent(zeros, count)}`) : ""}`]);
  if (nans > 0)
    rows.push([
      dtype.kind === "M" || dtype.kind === "m" ? "no time" : "NaN",
      `${nans}${pc.dim(`  ${percent(nans, count)}`)}`,
    ]);
  if (infinities > 0) rows.push(["infinite", `${infinities}${pc.dim(`  ${percent(infinities, count)}`)}`]);
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `${pc.dim(name.padEnd(nameWidth))}  ${text}`);
  // Of one value there is nothing to draw.
  const bars =
    histogram.counts.length < 2 || bins === 0 ? [] : ["", ...histogramLines(coarser(histogram, bins), width)];
  const note = dtype.kind === "c" ? [pc.dim("of the magnitudes of complex numbers")] : [];
  return `${[`${pc.bold(printable(path))}  ${what}`, ...note, ...lines, ...bars].join("\n")}\n`;
}
