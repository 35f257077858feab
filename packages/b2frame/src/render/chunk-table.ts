/** Chunks as lines of a table, page by page. @module */
import type { ChunkInfo } from "@b2frame/core";
import Table from "cli-table3";
import pc from "picocolors";
import { formatRatio } from "./quantities.js";
import { BORDERLESS } from "./table-style.js";

const HEADINGS = ["chunk", "position", "nbytes", "cbytes", "ratio", "special"] as const;

/** Widths are fixed beforehand, so that the pages of a long list are one table. */
export class ChunkTable {
  readonly #widths: readonly number[];

  /** @param bounds what no chunk's numbers exceed. */
  constructor(bounds: { readonly nchunks: number; readonly chunksize: number; readonly cbytes: number }) {
    const digits = (value: number): number => String(Math.max(0, value)).length;
    // Chunks of any size have at most ten digits; the ratio of a special chunk can have nine.
    const wanted = [
      digits(bounds.nchunks),
      digits(bounds.cbytes) + 1,
      digits(bounds.chunksize) + 1,
      digits(bounds.cbytes),
      9,
      7,
    ];
    if (bounds.chunksize <= 0) wanted[2] = 10;
    this.#widths = HEADINGS.map((heading, i) => Math.max(heading.length, wanted[i] ?? 0));
  }

  #table(rows: readonly (readonly string[])[]): string {
    const table = new Table({
      ...BORDERLESS,
      colWidths: [...this.#widths],
      colAligns: ["right", "right", "right", "right", "right", "left"],
    });
    table.push(...rows.map((row) => [...row]));
    return `${table.toString().replace(/ +$/gm, "")}\n`;
  }

  /** The line above. */
  head(): string {
    return this.#table([HEADINGS.map((heading) => pc.dim(heading))]);
  }

  /** A page. */
  rows(chunks: readonly ChunkInfo[]): string {
    return this.#table(
      chunks.map(({ index, position, nbytes, cbytes, cratio, special }) => [
        String(index),
        position === undefined ? "-" : String(position),
        String(nbytes),
        String(cbytes),
        formatRatio(cratio),
        special ?? "",
      ]),
    );
  }
}
