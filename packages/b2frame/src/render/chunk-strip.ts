/** The ratio of all chunks as a strip: a character for each, or for some that lie side by side. @module */
import type { ChunkInfo } from "@b2frame/core";
import pc from "picocolors";
import { filled } from "../help/filled.js";
import { formatCount, formatRatio } from "./quantities.js";

/** By how much is left of the bytes, from an eighth to all. */
const HEIGHTS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
/** Chunks that hold one value, and take no room. */
const SPECIAL = "·";
const MAX_LINES = 4;

/** Chunks that share a character. */
interface Cell {
  nbytes: number;
  /** Of those that are not special. */
  cbytes: number;
  stored: number;
}

/** @param width columns of the terminal */
export function renderChunkStrip(chunks: Iterable<ChunkInfo>, nchunks: number, width: number): string {
  if (nchunks === 0) return "";
  const perCell = Math.ceil(nchunks / (width * MAX_LINES));
  const cells = Array.from({ length: Math.ceil(nchunks / perCell) }, (): Cell => ({ nbytes: 0, cbytes: 0, stored: 0 }));
  let best = 0;
  let worst = Number.POSITIVE_INFINITY;
  let special = 0;
  for (const chunk of chunks) {
    const cell = cells[Math.floor(chunk.index / perCell)] as Cell;
    if (chunk.special !== undefined) {
      special++;
      continue;
    }
    cell.nbytes += chunk.nbytes;
    cell.cbytes += chunk.cbytes;
    cell.stored++;
    best = Math.max(best, chunk.cratio);
    worst = Math.min(worst, chunk.cratio);
  }
  const marks = cells.map(({ nbytes, cbytes, stored }) => {
    if (stored === 0) return SPECIAL;
    const eighths = Math.ceil((8 * cbytes) / Math.max(1, nbytes));
    return HEIGHTS[Math.max(1, Math.min(8, eighths)) - 1] as string;
  });
  const lines = Array.from({ length: Math.ceil(marks.length / width) }, (_, i) =>
    pc.cyan(marks.slice(i * width, (i + 1) * width).join("")),
  );
  const each = perCell === 1 ? "a chunk each" : `${formatCount(perCell, "chunk")} each`;
  const range = best === 0 ? "" : `; ratios ${formatRatio(worst)} to ${formatRatio(best)}`;
  const empty = special === 0 ? "" : `; ${SPECIAL} takes no room: ${formatCount(special, "chunk")}`;
  const note = filled(`what is left of the bytes, ${each}${range}${empty}`, width);
  return `\n${lines.join("\n")}\n${pc.dim(note.trimEnd())}\n`;
}
