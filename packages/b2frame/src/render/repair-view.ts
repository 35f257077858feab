/** What a repair came to, for people. @module */
import type { IndexSource, RepairReport } from "@b2frame/core";
import pc from "picocolors";
import { printable } from "./printable.js";
import { formatCount } from "./quantities.js";

const SOURCES: Readonly<Record<IndexSource, string>> = {
  committed: "in the order of the last commit",
  found: "in the order of an index found in the file",
  walked: "in the order in which they lie in the file",
};

/** Ranges that are shown; `--json` has them all. */
const SHOWN_RANGES = 8;

function zerosText(zeroed: RepairReport["zeroedChunks"]): string {
  if (zeroed.length === 0) return "";
  const count = zeroed.reduce((sum, { start, stop }) => sum + stop - start, 0);
  const shown = zeroed
    .slice(0, SHOWN_RANGES)
    .map(({ start, stop }) => (stop - start === 1 ? start : `${start}-${stop - 1}`));
  const more = zeroed.length > SHOWN_RANGES ? ", ..." : "";
  return `; ${formatCount(count, "chunk")} of zeros in their place: ${shown.join(", ")}${more}`;
}

/** A line for what was saved, and one for each thing that was not. */
export function renderRepair(report: RepairReport): string {
  const { outPath, indexSource, chunksRecovered, chunksLost, zeroedChunks, uncommittedChunks, ignoredChunks } = report;
  const saved = `${formatCount(chunksRecovered, "chunk")} saved, ${SOURCES[indexSource]}`;
  const lines = [`${pc.bold(printable(outPath))}  ${saved}`];
  if (uncommittedChunks > 0) lines.push(`${uncommittedChunks} of them had not been committed`);
  if (chunksLost > 0) {
    lines.push(pc.red(`${formatCount(chunksLost, "chunk")} lost${zerosText(zeroedChunks)}`));
  }
  if (!report.lastCommitKept && indexSource === "found") {
    lines.push(pc.yellow("the index of the last commit is lost; what it changed may be lost, too"));
  }
  if (ignoredChunks > 0) lines.push(`${formatCount(ignoredChunks, "superseded chunk")} left out`);
  if (!report.headerKept) lines.push(pc.yellow("the header is lost; its fields are made up from the chunks"));
  if (!report.metalayersKept)
    lines.push(pc.yellow("the metalayers are lost, and with them the array that they describe"));
  if (report.vlmetalayersLost > 0) lines.push(pc.red(`${formatCount(report.vlmetalayersLost, "vlmetalayer")} lost`));
  return `${lines.join("\n      ")}\n`;
}
