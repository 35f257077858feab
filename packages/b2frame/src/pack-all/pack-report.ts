/** What packing a folder came to. @module */
import { printable } from "../render/printable.js";
import { formatBytes, formatCount, formatRatio, formatSeconds } from "../render/quantities.js";

/** A file that could not be packed. */
export interface FailedFile {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** In numbers, and with the name of each file. */
export interface PackReport {
  readonly folder: string;
  readonly out: string;
  readonly dryRun: boolean;
  /** Packed, or to be packed; with the bytes of the items and of the compressed chunks. */
  readonly packed: readonly { readonly path: string; readonly nbytes: number; readonly cbytes?: number }[];
  /** Packed by an earlier run. */
  readonly unchanged: readonly string[];
  readonly failed: readonly FailedFile[];
  /** Files of other kinds. */
  readonly others: number;
  readonly nbytes: number;
  readonly cbytes: number;
  readonly seconds: number;
}

/** A few lines for people. */
export function renderPackReport({ dryRun, packed, unchanged, failed, others, ...sums }: PackReport): string {
  const { nbytes, cbytes, seconds } = sums;
  const lines: string[] = [];
  if (dryRun) {
    for (const { path } of packed) lines.push(printable(path));
    lines.push(`${formatCount(packed.length, "file")} to pack, ${formatBytes(nbytes)}`);
  } else {
    const ratio =
      cbytes === 0 ? "" : `, ${formatBytes(nbytes)} → ${formatBytes(cbytes)} ${formatRatio(nbytes / cbytes)}`;
    lines.push(`${formatCount(packed.length, "file")} packed${ratio}, ${formatSeconds(seconds)}`);
  }
  if (unchanged.length > 0) lines.push(`${formatCount(unchanged.length, "file")} packed before`);
  if (others > 0) lines.push(`${formatCount(others, "file")} of other kinds left out`);
  if (failed.length > 0) lines.push(`${formatCount(failed.length, "file")} failed:`);
  for (const { path, message } of failed) lines.push(`  ${printable(path)}: ${printable(message)}`);
  return `${lines.join("\n")}\n`;
}
