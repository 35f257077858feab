import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrayFromCframe, asarray, type DimIndex, nans, zeros } from "../../src/index.js";
import { combinations, slicePositions } from "./naive-array.js";

const ENGINES = ["kernels", "portable"] as const;

/** Bytes that differ from place to place. */
function content(byteLength: number, seed = 0): Uint8Array {
  return Uint8Array.from({ length: byteLength }, (_, i) => (i * 37 + (i >> 8) * 11 + (i >> 16) + seed) & 0xff);
}

/** Where in C order the items at the product of positions lie. */
function places(shape: readonly number[], positions: readonly number[][]): number[] {
  return combinations(positions).map((at) => at.reduce((flat, n, dim) => flat * (shape[dim] as number) + n, 0));
}

function take(bytes: Uint8Array, itemsize: number, at: readonly number[]): Uint8Array {
  const out = new Uint8Array(at.length * itemsize);
  at.forEach((place, i) => {
    out.set(bytes.subarray(place * itemsize, (place + 1) * itemsize), i * itemsize);
  });
  return out;
}

/** The extents of a dimension, and what is wanted of it; the index is a list more often than not. */
interface Dimension {
  readonly size: number;
  readonly chunk: number;
  readonly block: number;
  readonly index: DimIndex;
  readonly positions: number[];
}

function dimensionOf(most: number): fc.Arbitrary<Dimension> {
  const extents = fc.record({
    size: fc.integer({ min: Math.max(1, Math.floor(most / 2)), max: most }),
    chunk: fc.integer({ min: 1, max: most }),
    block: fc.integer({ min: 1, max: most }),
  });
  return extents.chain(({ size, chunk, block }) => {
    const geometry = { size, chunk: Math.min(chunk, size), block: Math.min(block, chunk, size) };
    const list = fc
      .array(fc.integer({ min: -size, max: size - 1 }), { minLength: 1, maxLength: Math.min(most, 300) })
      .map((index) => ({ index, positions: index.map((at) => (at < 0 ? at + size : at)) }));
    const ascending = fc
      .subarray(
        Array.from({ length: size }, (_, i) => i),
        { minLength: 1 },
      )
      .map((index) => ({ index: Int32Array.from(index), positions: index }));
    const mask = fc.array(fc.boolean(), { minLength: size, maxLength: size }).map((index) => ({
      index,
      positions: index.flatMap((wanted, i) => (wanted ? [i] : [])),
    }));
    const slice = fc.constantFrom(1, 2, 3, -1, -2).map((step) => ({
      index: { step },
      positions: slicePositions(size, null, null, step),
    }));
    return fc.oneof(list, ascending, mask, slice).map((wanted) => ({ ...geometry, ...wanted }));
  });
}

const dimensions = fc
  .integer({ min: 1, max: 8 })
  .chain((ndim) => {
    const most = Math.ceil(3000 ** (1 / ndim)) + 1;
    return fc.array(dimensionOf(most), { minLength: ndim, maxLength: ndim });
  })
  .filter(
    (dims) =>
      dims.reduce((n, { size, chunk }) => n * Math.ceil(size / chunk), 1) <= 200 &&
      dims.reduce((n, { positions }) => n * positions.length, 1) <= 20_000,
  );

const itemsizes = fc.constantFrom(1, 2, 3, 4, 5, 8, 12, 16, 33, 255);

function makeArray(dims: readonly Dimension[], itemsize: number, bytes: Uint8Array) {
  return asarray(bytes, {
    shape: dims.map(({ size }) => size),
    dtype: `|V${itemsize}`,
    chunks: dims.map(({ chunk }) => chunk),
    blocks: dims.map(({ block }) => block),
    cparams: { codec: "lz4" },
  });
}

function itemCount(dims: readonly Dimension[]): number {
  return dims.reduce((n, { size }) => n * size, 1);
}

describe("lists of positions", () => {
  it("read what a loop over the items reads, by both engines: 1 to 8 dimensions, any order, repeats, masks, steps", () => {
    fc.assert(
      fc.property(dimensions, itemsizes, (dims, itemsize) => {
        const bytes = content(itemCount(dims) * itemsize);
        const cframe = makeArray(dims, itemsize, bytes).toCframe();
        const at = places(
          dims.map(({ size }) => size),
          dims.map(({ positions }) => positions),
        );
        const expected = take(bytes, itemsize, at);
        for (const engine of ENGINES) {
          const array = arrayFromCframe(cframe, { engine });
          const target = new Uint8Array(expected.byteLength + 3).fill(0xa5);
          array.get(
            dims.map(({ index }) => index),
            { target: target.subarray(2, -1) },
          );
          expect(Buffer.compare(target.subarray(2, -1), expected)).toBe(0);
          expect([target[0], target[1], target.at(-1)]).toEqual([0xa5, 0xa5, 0xa5]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("write what a loop over the items writes, the last of an item's values, by both engines", () => {
    fc.assert(
      fc.property(dimensions, itemsizes, (dims, itemsize) => {
        const before = content(itemCount(dims) * itemsize);
        const cframe = makeArray(dims, itemsize, before).toCframe();
        const at = places(
          dims.map(({ size }) => size),
          dims.map(({ positions }) => positions),
        );
        const values = content(at.length * itemsize, 101);
        const expected = before.slice();
        at.forEach((place, i) => {
          expected.set(values.subarray(i * itemsize, (i + 1) * itemsize), place * itemsize);
        });
        const chunks = ENGINES.map((engine) => {
          const array = arrayFromCframe(cframe, { engine });
          array.set(
            dims.map(({ index }) => index),
            values,
          );
          expect(Buffer.compare(array.get().bytes, expected)).toBe(0);
          return Buffer.concat([...array.schunk.iterChunks()]);
        });
        expect(Buffer.compare(chunks[0] as Buffer, chunks[1] as Buffer)).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it("read chunks that are zeros, NaN or data by turns", () => {
    const geometry = { chunks: [10, 12], blocks: [5, 4], dtype: "float32" } as const;
    const rows = Array.from({ length: 40 }, (_, i) => (i * 7) % 40);
    for (const [make, background] of [
      [zeros, 0],
      [nans, Number.NaN],
    ] as const) {
      const array = make([40, 60], geometry);
      array.set([15, 59], 7);
      array.set([26, 40], 8);
      const found = array.get([rows, { step: -1 }], { target: new Float32Array(2400).fill(3) });
      const expected = rows.flatMap((row) =>
        slicePositions(60, null, null, -1).map((column) =>
          row === 15 && column === 59 ? 7 : row === 26 && column === 40 ? 8 : background,
        ),
      );
      expect([...(found.data as Float32Array)]).toEqual(expected);
    }
  });

  it("write one value to all places", () => {
    for (const engine of ENGINES) {
      const array = zeros([100, 100], { dtype: "int32", chunks: [50, 40], blocks: [10, 8], engine });
      const rows = Array.from({ length: 30 }, (_, i) => (i * 37) % 100);
      array.set([rows, { step: 3 }], 9);
      const found = array.get().data as Int32Array;
      const wanted = new Set(rows);
      expect(
        found.every((value, i) => value === (wanted.has(Math.floor(i / 100)) && (i % 100) % 3 === 0 ? 9 : 0)),
      ).toBe(true);
    }
  });
});
