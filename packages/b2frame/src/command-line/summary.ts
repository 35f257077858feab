/** What a command says when it has written a frame. @module */
import { NDArray, type SChunk } from "@b2frame/core";
import pc from "picocolors";
import { printable } from "../render/printable.js";
import { formatBytes, formatCount, formatRatio, formatSeconds } from "../render/quantities.js";
import type { ReportOptions } from "./common-options.js";
import { writeJson } from "./standard-output.js";
import { DASH } from "./stream-paths.js";

/** Facts about the frame that was written. */
export interface FrameSummary {
  readonly path: string;
  readonly nbytes: number;
  readonly cbytes: number;
  readonly nchunks: number;
  /** Bytes given back by `compact`. */
  readonly reclaimed?: number;
}

/** The numbers of an open frame; of an array without the padding of edge chunks. */
export function factsOf(file: NDArray | SChunk): Omit<FrameSummary, "path"> {
  const { cbytes, nchunks } = file instanceof NDArray ? file.schunk : file;
  return { nbytes: file.nbytes, cbytes, nchunks };
}

const colours = pc.createColors(pc.isColorSupported && process.stderr.isTTY === true);

/** Says it as JSON on standard output if asked to, else in one line on standard error if that is a terminal. */
export async function summarise(summary: FrameSummary, started: number, options: ReportOptions): Promise<void> {
  const { path, nbytes, cbytes, nchunks, reclaimed } = summary;
  const seconds = (performance.now() - started) / 1000;
  const cratio = cbytes === 0 ? 0 : nbytes / cbytes;
  if (options.json === true) {
    const freed = reclaimed === undefined ? {} : { reclaimed };
    await writeJson({ path, nbytes, cbytes, cratio, nchunks, ...freed, seconds: Number(seconds.toFixed(6)) });
  } else if (options.quiet !== true && process.stderr.isTTY === true) {
    const facts = `${formatBytes(nbytes)} → ${formatBytes(cbytes)}  ${colours.bold(formatRatio(cratio))}`;
    const freed = reclaimed === undefined ? "" : `${formatBytes(reclaimed)} given back, `;
    const rest = `${freed}${formatCount(nchunks, "chunk")}, ${formatSeconds(seconds)}`;
    process.stderr.write(`${printable(path === DASH ? "standard output" : path)}  ${facts}  ${colours.dim(rest)}\n`);
  }
}
