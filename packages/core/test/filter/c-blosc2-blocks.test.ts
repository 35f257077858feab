import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FilterContext } from "../../src/filter/filter.js";
import { defaultFilters } from "../../src/filter/filter-registry.js";
import { cellContextOf, contextOf, expectBytes, lcgBytes, runFilter } from "./filter-run.js";

interface BlockCase {
  readonly filter: string;
  readonly id: number;
  readonly typesize: number;
  readonly meta: number;
  readonly seed: number;
  readonly nbytes: number;
  readonly blocksize: number;
  readonly block: number;
  readonly defined: number;
  readonly sha256: string;
}

interface CellCase {
  readonly filter: string;
  readonly id: number;
  readonly dtype: "f4" | "f8" | "u1" | "u2";
  readonly typesize: number;
  readonly meta: number;
  readonly seed: number;
  readonly blocks: readonly number[];
  readonly sha256: string;
  readonly decoded: string;
}

interface DirectCase {
  readonly filter: string;
  readonly typesize: number;
  readonly lengths: readonly number[];
  readonly sha256: string;
}

const fixtures: { blocks: BlockCase[]; cells: CellCase[]; direct: DirectCase[] } = JSON.parse(
  readFileSync(new URL("../../../../fixtures/filter/blocks.json", import.meta.url), "utf8"),
);

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The bytes of an array of the fixtures' generator. */
function cellItems({ dtype, blocks: blockShape, seed }: CellCase): Uint8Array {
  const count = blockShape.reduce((product, length) => product * length, 1);
  const numbers = Array.from(lcgBytes(count, seed), (byte) => (byte & 0x15) - 9 + Math.floor(byte / 128));
  const whole = numbers.map((value) => ((value % 50) + 50) % 50);
  const items = {
    f4: () => Float32Array.from(numbers, (value) => value / 4),
    f8: () => Float64Array.from(numbers, (value) => value / 4),
    u1: () => Uint8Array.from(whole),
    u2: () => Uint16Array.from(whole),
  }[dtype]();
  return new Uint8Array(items.buffer);
}

describe("blocks filtered by C-Blosc2", () => {
  it.each(fixtures.blocks)("$filter typesize $typesize meta $meta block $block", (fixture) => {
    const data = lcgBytes(fixture.nbytes, fixture.seed);
    const start = fixture.block * fixture.blocksize;
    const block = data.slice(start, start + fixture.blocksize);
    const context: FilterContext = contextOf({
      typesize: fixture.typesize,
      meta: fixture.meta,
      blockIndex: fixture.block,
      reference: fixture.block === 0 ? undefined : data.slice(0, fixture.blocksize),
    });
    const filter = defaultFilters.byId(fixture.id);
    expect(filter.name).toBe(fixture.filter);
    const filtered = runFilter(filter, "forward", block, context);
    expect(sha256(filtered.subarray(0, fixture.defined))).toBe(fixture.sha256);
    // What the library leaves undefined is written through.
    expectBytes(filtered.subarray(fixture.defined), block.subarray(fixture.defined));
  });

  it.each(fixtures.cells)("$filter $dtype $blocks side $meta", (fixture) => {
    const filter = defaultFilters.byId(fixture.id);
    expect(filter.name).toBe(fixture.filter);
    const context = cellContextOf(fixture.blocks, fixture.typesize, fixture.meta);
    const filtered = runFilter(filter, "forward", cellItems(fixture), context);
    expect(sha256(filtered)).toBe(fixture.sha256);
    expect(sha256(runFilter(filter, "backward", filtered, context))).toBe(fixture.decoded);
  });

  it.each(fixtures.direct)("$filter typesize $typesize over many lengths", ({ filter, typesize, lengths, sha256 }) => {
    const hash = createHash("sha256");
    for (const length of lengths) {
      hash.update(
        runFilter(defaultFilters.byName(filter), "forward", lcgBytes(length, typesize), contextOf({ typesize })),
      );
    }
    expect(hash.digest("hex")).toBe(sha256);
  });
});

describe("the published filter files of Blosc 2.20", () => {
  // int32 0..999999; the files themselves are 4 MB each, so their digests stand for them.
  const input = new Uint8Array(Int32Array.from({ length: 1_000_000 }, (_, i) => i).buffer);

  it.each([
    { filter: "shuffle", expected: "40e1351bba9155c3d765d66b5b4d25cb104aa2ad4b844b0a5d20af40cab2b920" },
    { filter: "bitshuffle", expected: "a1bba6ced356ddca157010f340b8b5a39a5cd43a77b7c99cd1cb8896e853169d" },
  ])("$filter-2.20.0", ({ filter, expected }) => {
    expect(sha256(input)).toBe("02e21fa3c89fa7d7b61826918a8bd35d3127827b4ef3f3ee47ade5e64e3c2a80");
    const filtered = runFilter(defaultFilters.byName(filter), "forward", input, contextOf({ typesize: 4 }));
    expect(sha256(filtered)).toBe(expected);
    const restored = runFilter(defaultFilters.byName(filter), "backward", filtered, contextOf({ typesize: 4 }));
    expect(sha256(restored)).toBe(sha256(input));
  });
});
