import { stripVTControlCharacters } from "node:util";
import type { ChunkInfo } from "@b2frame/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderChunkStrip } from "../../src/render/chunk-strip.js";
import { fittingWidths } from "../../src/render/table-style.js";

describe("columns", () => {
  it("fit any width that leaves each six characters, and none is cut that need not be", () => {
    const rows = fc.array(fc.array(fc.string({ maxLength: 40 }), { minLength: 3, maxLength: 3 }), { minLength: 1 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 22, max: 140 }), (texts, width) => {
        const wanted = fittingWidths(texts, undefined);
        const given = fittingWidths(texts, width);
        const total = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each, 4);
        expect(total(given)).toBe(Math.min(total(wanted), width));
        // Only what is widest gives way.
        const widest = Math.max(...given);
        for (const [i, each] of given.entries())
          if (each < (wanted[i] as number)) expect(each).toBeGreaterThanOrEqual(widest - 1);
      }),
    );
  });
});

describe("the strip of chunks", () => {
  const chunk = (index: number, cratio: number, special?: ChunkInfo["special"]): ChunkInfo =>
    ({
      index,
      nbytes: 800,
      cbytes: special === undefined ? 800 / cratio : 32,
      cratio,
      special,
      position: 0,
    }) as ChunkInfo;

  it("has the height of what is left of the bytes, and a dot where there is nothing", () => {
    const chunks = [chunk(0, 1), chunk(1, 2), chunk(2, 8), chunk(3, 100, "zeros"), chunk(4, 100)];
    const [, strip, note] = stripVTControlCharacters(renderChunkStrip(chunks, 5, 100)).split("\n");
    expect(strip).toBe("█▄▁·▁");
    expect(note).toMatch(/a chunk each; ratios 1.00x to 100x; · takes no room: 1 chunk$/);
  });

  it("of many chunks puts neighbours together, and stays within four lines", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => chunk(i, 2));
    const lines = stripVTControlCharacters(renderChunkStrip(many, many.length, 60))
      .split("\n")
      .slice(1);
    expect(lines.slice(0, 4).every((line) => line.length <= 60 && /^▄+$/.test(line))).toBe(true);
    expect(lines[4]).toMatch(/42 chunks each/);
    expect(renderChunkStrip([], 0, 80)).toBe("");
  });
});
