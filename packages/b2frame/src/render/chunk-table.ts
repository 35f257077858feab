/** Chunks as lines of a table, page by page. @module */
import type { ChunkInfo } from "@b2frame/core";
import pc from "picocolors";
import { formatRatio } from "./quantities.js";

const HEADINGS = ["chunk", "position", "nbytes", "cbytes", "ratio", "special"] as const;

/**
 * Widths are fixed beforehand, so that the pages of a list of any length are one table. (A table library lays out all rows at
 * once, which takes a minute for 100,000 chunks.)
 */
export class ChunkTable {
  readonly #widths: readonly number[];

  /** @param bounds what no chunk's numbers exceed; chunks of a `chunksize` that is not positive have any size. */
  constructor(bounds: { readonly nchunks: number; readonly chunksize: number; readonly cbytes: number }) {
    const digits = (value: number): number => String(Math.max(0, value)).length;
    const nbytes = bounds.chunksize > 0 ? digits(bounds.chunksize) : 10;
    // The ratio of a special chunk can have nine characters.
    const wanted = [digits(bounds.nchunks), digits(bounds.cbytes) + 1, nbytes, digits(bounds.cbytes), 9];
    this.#widths = HEADINGS.map((heading, i) => Math.max(heading.length, wanted[i] ?? 0));
  }

  #line(cells: readonly string[]): string {
    const last = cells.length - 1;
    const padded = cells.map((cell, i) => (i === last ? cell : cell.padStart(this.#widths[i] ?? 0)));
    return padded.join("  ").trimEnd();
  }

  /** The line above. */
  head(): string {
    return `${pc.dim(this.#line(HEADINGS))}\n`;
  }

  /** A page. */
  rows(chunks: readonly ChunkInfo[]): string {
    const lines = chunks.map(({ index, position, nbytes, cbytes, cratio, special }) => {
      const place = position === undefined ? "-" : String(position);
      return this.#line([`${index}`, place, `${nbytes}`, `${cbytes}`, formatRatio(cratio), special ?? ""]);
    });
    return `${lines.join("\n")}\n`;
  }
}
