import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bitshuffle } from "../../src/filter/bitshuffle.js";
import { bytedelta, bytedeltaBuggy } from "../../src/filter/bytedelta.js";
import { delta } from "../../src/filter/delta.js";
import type { Filter, FilterContext } from "../../src/filter/filter.js";
import { intTrunc } from "../../src/filter/int-trunc.js";
import { ndcell } from "../../src/filter/ndcell.js";
import { ndmean } from "../../src/filter/ndmean.js";
import { shuffle } from "../../src/filter/shuffle.js";
import { truncPrec } from "../../src/filter/trunc-prec.js";
import { cellContextOf, contextOf, expectBytes, runFilter } from "./filter-run.js";
import { NAIVE_MODELS } from "./naive-models.js";

const TYPESIZES = [...Array.from({ length: 20 }, (_, i) => i + 1), 24, 131, 255];
const shifts = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }));

/** A block for a typesize: short, or long enough for several elements and a remainder of any length. */
function blockOf(typesize: number): fc.Arbitrary<Uint8Array> {
  return fc
    .record({
      items: fc.integer({ min: 0, max: 75 }),
      extra: fc.integer({ min: 0, max: typesize - 1 }),
      seed: fc.integer({ min: 1, max: 0x7fffffff }),
    })
    .map(({ items, extra, seed }) => noise(items * typesize + extra, seed));
}

function check(filter: Filter, data: Uint8Array, context: FilterContext, [from, to]: [number, number]): void {
  const expected = NAIVE_MODELS[filter.name](data, context);
  const filtered = runFilter(filter, "forward", data, context, from, to);
  expectBytes(filtered, expected);
  if (filter.backward !== undefined && filter !== ndmean) {
    expectBytes(runFilter(filter, "backward", filtered, context, to, from), data);
  }
}

describe.each([shuffle, bitshuffle, delta, bytedelta])("$name", (filter) => {
  it.each(TYPESIZES)("equals the model and is undone: typesize %i", (typesize) => {
    fc.assert(
      fc.property(blockOf(typesize), shifts, (data, shift) => check(filter, data, contextOf({ typesize }), shift)),
      { numRuns: 25 },
    );
  });

  it("handles blocks of many tiles and words", () => {
    for (const typesize of [1, 2, 3, 4, 8, 12, 16, 255]) {
      for (const length of [40_000, 65_536, 65_537, 99_999]) {
        const data = Uint8Array.from({ length }, (_, i) => (i * 31) ^ (i >> 7));
        check(filter, data, contextOf({ typesize }), [0, 0]);
      }
    }
  });
});

describe("elements that meta sizes", () => {
  it.each([shuffle, bytedelta])("$name takes meta for the element size", (filter) => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 255 }),
        fc.integer({ min: 1, max: 20 }),
        shifts,
        (data, meta, typesize, shift) => check(filter, data, contextOf({ typesize, meta }), shift),
      ),
    );
  });

  it("bytedelta with meta 0 takes the super-chunk's typesize, beyond 255 too", () => {
    const data = Uint8Array.from({ length: 1000 }, (_, i) => i * 7);
    check(bytedelta, data, contextOf({ typesize: 1, superChunkTypesize: 300 }), [0, 0]);
  });
});

describe("delta with a reference block", () => {
  it.each(TYPESIZES)("equals the model and is undone: typesize %i", (typesize) => {
    fc.assert(
      fc.property(blockOf(typesize), fc.integer({ min: 0, max: 9 }), shifts, (data, extra, shift) => {
        const reference = Uint8Array.from({ length: data.byteLength + extra }, (_, i) => (i * 57) ^ 0x35);
        check(delta, data, contextOf({ typesize, reference }), shift);
        const unaligned = new Uint8Array(reference.byteLength + 1);
        unaligned.set(reference, 1);
        check(delta, data, contextOf({ typesize, reference: unaligned.subarray(1) }), shift);
      }),
      { numRuns: 20 },
    );
  });

  it("refuses a reference shorter than the block", () => {
    const context = contextOf({ typesize: 4, reference: new Uint8Array(7) });
    expect(() => runFilter(delta, "backward", new Uint8Array(8), context)).toThrow(
      expect.objectContaining({ code: "BLOSC2_FILTER_FAILED" }),
    );
  });
});

describe.each([
  { filter: truncPrec, sizes: { 4: 23, 8: 52 } },
  { filter: intTrunc, sizes: { 1: 8, 2: 16, 4: 32, 8: 64 } },
])("$filter.name", ({ filter, sizes }) => {
  const sized = Object.entries(sizes).map(([typesize, bits]) => ({ typesize: Number(typesize), bits }));

  it.each(sized)("equals the model for every meta that keeps a bit: typesize $typesize", ({ typesize, bits }) => {
    for (let meta = 0; meta < 256; meta++) {
      const precision = meta > 127 ? meta - 256 : meta;
      const good = precision > 0 ? precision <= bits : precision < 0 && -precision < bits;
      const data = Uint8Array.from({ length: 37 }, (_, i) => 255 - i * meta);
      const context = contextOf({ typesize, meta });
      if (good) {
        for (const shift of [0, 1]) check(filter, data, context, [shift, 0]);
      } else {
        expect(() => runFilter(filter, "forward", data, context)).toThrow(
          expect.objectContaining({ code: "BLOSC2_FILTER_FAILED" }),
        );
      }
    }
  });

  it("equals the model on any length and alignment", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.constantFrom(...sized), shifts, (data, { typesize }, shift) =>
        check(filter, data, contextOf({ typesize, meta: 5 }), shift),
      ),
    );
  });

  it("refuses other typesizes", () => {
    expect(() => runFilter(filter, "forward", new Uint8Array(9), contextOf({ typesize: 3, meta: 5 }))).toThrow(
      expect.objectContaining({ code: "BLOSC2_FILTER_FAILED" }),
    );
  });

  it("is not undone", () => expect(filter.backward).toBeUndefined());
});

describe("cells", () => {
  const shapes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });

  it("ndcell equals the model and is undone", () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 2, 3, 8), (shape, side, typesize) => {
        const items = shape.reduce((product, length) => product * length, 1);
        fc.pre(side ** shape.length <= items);
        const data = Uint8Array.from({ length: items * typesize }, (_, i) => (i * 13) ^ (i >> 4));
        check(ndcell, data, cellContextOf(shape, typesize, side), [0, 0]);
      }),
    );
  });

  it("ndmean equals the model and restores the order", () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 4 }), fc.constantFrom(4, 8), (shape, side, typesize) => {
        fc.pre(shape[0] >= side);
        const items = shape.reduce((product, length) => product * length, 1);
        const values = Float64Array.from({ length: items }, (_, i) => Math.sin(i) * 100);
        const data = new Uint8Array((typesize === 4 ? Float32Array.from(values) : values).buffer);
        const context = cellContextOf(shape, typesize, side);
        check(ndmean, data, context, [0, 0]);
        const cells = NAIVE_MODELS.ndcell(data, context);
        expectBytes(runFilter(ndmean, "backward", cells, context), data);
      }),
    );
  });

  it.each([
    { why: "no geometry", filter: ndcell, bytes: 16, context: contextOf({ typesize: 4, meta: 1 }) },
    { why: "another block size", filter: ndcell, bytes: 20, context: cellContextOf([2, 2], 4, 1) },
    { why: "nine dimensions", filter: ndcell, bytes: 1, context: cellContextOf(Array(9).fill(1), 1, 1) },
    { why: "a side of 0", filter: ndcell, bytes: 16, context: cellContextOf([2, 2], 4, 0) },
    { why: "a side of 0", filter: ndmean, bytes: 16, context: cellContextOf([2, 2], 4, 0) },
    { why: "a side past 127", filter: ndmean, bytes: 16, context: cellContextOf([2, 2], 4, 128) },
    { why: "a cell larger than the block", filter: ndcell, bytes: 16, context: cellContextOf([2, 2], 4, 3) },
    { why: "a first side cut short", filter: ndmean, bytes: 128, context: cellContextOf([2, 8], 8, 4) },
    { why: "a negative side", filter: ndcell, bytes: 4, context: cellContextOf([-2, -2], 1, 1) },
  ])("$filter.name refuses $why", ({ filter, bytes, context }) => {
    for (const direction of ["forward", "backward"] as const) {
      expect(() => runFilter(filter, direction, new Uint8Array(bytes), context)).toThrow(
        expect.objectContaining({ code: "BLOSC2_FILTER_FAILED" }),
      );
    }
  });

  it("ndmean refuses items that are not floating-point numbers", () => {
    expect(() => runFilter(ndmean, "forward", new Uint8Array(8), cellContextOf([2, 2], 2, 2))).toThrow("4 or 8");
  });
});

describe("bytedelta_buggy", () => {
  it("only reads", () => expect(bytedeltaBuggy.forward).toBeUndefined());

  it("starts again from 0 after the last full group of 16 of each run", () => {
    // Two runs of 19 ones and a remainder of one byte.
    const data = new Uint8Array(39).fill(1);
    const run = [...Array.from({ length: 16 }, (_, i) => i + 1), 1, 2, 3];
    const expected = Uint8Array.from([...run, ...run, 1]);
    expectBytes(runFilter(bytedeltaBuggy, "backward", data, contextOf({ typesize: 2 })), expected);
  });

  it("equals bytedelta where runs are whole groups", () => {
    const data = Uint8Array.from({ length: 4 * 48 }, (_, i) => i * i);
    const context = contextOf({ typesize: 4 });
    const filtered = runFilter(bytedelta, "forward", data, context);
    expectBytes(runFilter(bytedeltaBuggy, "backward", filtered, context), data);
  });
});

describe("bitshuffle in chunks of version 2", () => {
  it("leaves a block alone whose element count is no multiple of 8", () => {
    const data = Uint8Array.from({ length: 4 * 9 }, (_, i) => i * 5);
    expectBytes(runFilter(bitshuffle, "backward", data, contextOf({ typesize: 4, chunkVersion: 2 })), data);
  });

  it("is the same as ever where it is", () => {
    const data = Uint8Array.from({ length: 4 * 16 + 3 }, (_, i) => i * 5);
    const filtered = runFilter(bitshuffle, "forward", data, contextOf({ typesize: 4 }));
    expectBytes(runFilter(bitshuffle, "backward", filtered, contextOf({ typesize: 4, chunkVersion: 2 })), data);
  });
});
