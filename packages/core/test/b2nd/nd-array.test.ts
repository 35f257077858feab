import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arrayFromCframe,
  asarray,
  concatenate,
  full,
  isBlosc2Error,
  type NDArray,
  nans,
  zeros,
} from "../../src/index.js";
import { combinations, NaiveArray, slicePositions } from "./naive-array.js";

const dims = fc.integer({ min: 1, max: 4 });
const layout = dims.chain((ndim) =>
  fc.record({
    shape: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: ndim, maxLength: ndim }),
    chunk: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: ndim, maxLength: ndim }),
    block: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: ndim, maxLength: ndim }),
  }),
);

function make(l: { shape: number[]; chunk: number[]; block: number[] }): { array: NDArray; model: NaiveArray } {
  const model = NaiveArray.generate(l.shape, (i) => i * 3 + 1);
  const array = asarray(Int32Array.from(model.values), {
    shape: l.shape,
    chunks: l.chunk,
    blocks: l.block.map((b, i) => Math.min(b, l.chunk[i] as number)),
    cparams: { codec: "lz4" },
  });
  return { array, model };
}

function numbers(array: NDArray): number[] {
  return [...array.getSlice().data].map(Number);
}

const bound = fc.option(fc.integer({ min: -12, max: 12 }), { nil: null });
const sliceOf = fc.record({
  start: bound,
  stop: bound,
  step: fc.integer({ min: -4, max: 4 }).filter((n) => n !== 0),
});

describe("slices", () => {
  it("read what NumPy's rules select, whatever the layout", () => {
    fc.assert(
      fc.property(layout, fc.array(sliceOf, { minLength: 4, maxLength: 4 }), (l, slices) => {
        const { array, model } = make(l);
        const used = l.shape.map((_, i) => slices[i] as (typeof slices)[number]);
        const positions = used.map((s, i) => slicePositions(l.shape[i] as number, s.start, s.stop, s.step));
        const got = array.get(used);
        expect(got.shape).toEqual(positions.map((p) => p.length));
        expect([...got.data].map(Number)).toEqual(model.take(positions));
      }),
      { numRuns: 200 },
    );
  });

  it("write where they read", () => {
    fc.assert(
      fc.property(layout, fc.array(sliceOf, { minLength: 4, maxLength: 4 }), (l, slices) => {
        const { array, model } = make(l);
        const used = l.shape.map((_, i) => slices[i] as (typeof slices)[number]);
        const positions = used.map((s, i) => slicePositions(l.shape[i] as number, s.start, s.stop, s.step));
        const places = combinations(positions);
        places.forEach((c, i) => {
          model.put(c, -i - 1);
        });
        array.set(
          used,
          Int32Array.from(places, (_, i) => -i - 1),
        );
        expect(numbers(arrayFromCframe(array.toCframe()))).toEqual(model.values);
      }),
      { numRuns: 80 },
    );
  });

  // A reported fault (B33): step slices of the wrong shape.
  it("of length 360 with step 4 have 90 items", () => {
    const array = asarray(Float64Array.from({ length: 360 }, (_, i) => i));
    expect(array.getSlice([null], [null], [4]).shape).toEqual([90]);
    expect(array.getSlice([null], [null], [-4]).shape).toEqual([90]);
    expect(array.getSlice([null], [null], [-4]).data[0]).toBe(359);
    expect(array.getSlice([20], [10]).shape).toEqual([0]);
  });

  // B06: a contiguous-copy shortcut gave the neighbour.
  it("of one item are that item", () => {
    const array = asarray(Uint8Array.of(58, 181, 109, 101, 253, 216, 120, 135), {
      shape: [2, 4, 1],
      chunks: [2, 4, 1],
      blocks: [2, 1, 1],
    });
    expect(array.get([1, 2, 0]).data[0]).toBe(120);
    expect(array.get([1, 1, 0]).data[0]).toBe(216);
  });

  // B29: chunks larger than the shape.
  it("work with chunks larger than the shape", () => {
    const values = Float64Array.from({ length: 14 * 23 }, (_, i) => Math.sin(i));
    const array = asarray(values, { shape: [14, 23], chunks: [15, 23], blocks: [4, 23] });
    expect(array.getSlice().data).toEqual(values);
  });
});

describe("orthogonal selection", () => {
  // B34
  it("takes repeats in any order, reading and writing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 0, maxLength: 9 }),
        fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 0, maxLength: 9 }),
        (rows, cols) => {
          const { array, model } = make({ shape: [7, 8], chunk: [3, 4], block: [2, 3] });
          expect([...array.get([rows, cols]).data].map(Number)).toEqual(model.take([rows, cols]));
          const places = combinations([rows, cols]);
          const data = Int32Array.from(places, (_, i) => 1000 + i);
          array.set([rows, cols], data);
          // Where a place is named twice, one of its values must be there.
          for (const place of new Set(places.map((p) => p.join()))) {
            const [r, c] = place.split(",").map(Number) as [number, number];
            const allowed = places.flatMap((p, i) => (p.join() === place ? [1000 + i] : []));
            expect(allowed).toContain(Number(array.get([r, c]).data[0]));
          }
        },
      ),
      { numRuns: 100 },
    );
    const { array } = make({ shape: [4, 6], chunk: [2, 2], block: [1, 2] });
    expect([
      ...array.get([
        [0, 3, 3, 1],
        [5, 0],
      ]).data,
    ]).toEqual([16, 1, 70, 55, 70, 55, 34, 19]);
  });
});

describe("resize, append, insert, delete", () => {
  const edit = fc.record({
    kind: fc.constantFrom("append" as const, "insert" as const, "delete" as const, "grow" as const),
    axis: fc.integer({ min: 0, max: 3 }),
    at: fc.nat(20),
    length: fc.integer({ min: 1, max: 5 }),
  });

  it("keep the right items over any sequence", () => {
    fc.assert(
      fc.property(layout, fc.array(edit, { maxLength: 6 }), (l, edits) => {
        const { array, model } = make(l);
        for (const e of edits) {
          const axis = e.axis % model.shape.length;
          const size = model.shape[axis] as number;
          const old = new NaiveArray(model.shape, model.values);
          const at = e.kind === "append" || e.kind === "grow" ? size : e.at % (size + 1);
          const length = e.kind === "delete" ? Math.min(e.length, size - at) : e.length;
          const shape = model.shape.map((n, i) => (i === axis ? (e.kind === "delete" ? n - length : n + length) : n));
          const slab = shape.map((n, i) => (i === axis ? length : n));
          // Flat data for an array that is empty elsewhere does not say how long it is.
          if (slab.includes(0)) continue;
          const data = Int32Array.from({ length: slab.reduce((a, b) => a * b, 1) }, (_, i) => 5000 + i);
          const next = NaiveArray.generate(shape, () => 0);
          for (const c of combinations(shape.map((n) => [...Array(n).keys()]))) {
            const along = c[axis] as number;
            const oldAt = (index: number) => old.at(c.map((n, i) => (i === axis ? index : n)));
            if (along < at) next.put(c, oldAt(along));
            else if (e.kind === "delete") next.put(c, oldAt(along + length));
            else if (along >= at + length) next.put(c, oldAt(along - length));
            else if (e.kind !== "grow") {
              next.put(c, 5000 + c.reduce((flat, n, i) => flat * (slab[i] as number) + (i === axis ? n - at : n), 0));
            }
          }
          if (e.kind === "append") array.append(data, axis);
          else if (e.kind === "insert") array.insert(at, data, axis);
          else if (e.kind === "delete") array.delete(at, length, axis);
          else {
            array.resize(shape);
            // What a shrink left inside a chunk may come back; write zeros so that the model holds.
            array.set(
              shape.map((_, i) => (i === axis ? { start: size } : null)),
              0,
            );
          }
          model.shape = next.shape;
          model.values = next.values;
          expect(array.shape).toEqual(model.shape);
        }
        expect(numbers(arrayFromCframe(array.toCframe()))).toEqual(model.values);
      }),
      { numRuns: 80 },
    );
  });

  // B30: a division by zero when growing from an empty shape.
  it("grow from nothing", () => {
    const a = zeros([0], { chunks: [100], blocks: [10], dtype: "int32" });
    a.resize([1]);
    a.set([0], 7);
    expect(numbers(a)).toEqual([7]);
    const b = zeros([0, 0], { chunks: [2, 2], blocks: [2, 1], dtype: "int32" });
    b.resize([5, 5]);
    expect(numbers(b)).toEqual(new Array(25).fill(0));
    // As C-Blosc2 makes them; it can't grow.
    const c = zeros([0], { chunks: [0], blocks: [0] });
    expect(() => c.resize([3])).toThrow(/chunks/);
  });
});

describe("creation and copies", () => {
  it("fill with one value", () => {
    expect([...full([3, 2], 7n).getSlice().data]).toEqual([7n, 7n, 7n, 7n, 7n, 7n]);
    expect([...nans([2]).getSlice().data]).toEqual([Number.NaN, Number.NaN]);
    expect(full([2], 1.5, { dtype: "float16" }).getSlice().data).toEqual(Float32Array.of(1.5, 1.5));
    expect(zeros([2], { dtype: "complex64" }).getSlice().data).toEqual(new Float32Array(4));
  });

  // B31: setting with another dtype copied the raw bytes.
  it("convert values to the array's dtype, or refuse", () => {
    const a = zeros([3], { dtype: "float32" });
    a.set([], Float64Array.of(1, 2.5, -3));
    expect(a.getSlice().data).toEqual(Float32Array.of(1, 2.5, -3));
    const bytes = zeros([2], { dtype: "uint8" });
    expect(() => bytes.set([], Int32Array.of(1, 256))).toThrow(/^data\[1\]: expected an integer from 0 to 255/);
    expect(() => bytes.set([], [1.5, 2])).toThrow(/^data\[0\]: expected an integer/);
    const big = asarray(Int16Array.of(1, 2), { dtype: ">i2" });
    expect([...big.getSlice().bytes]).toEqual([0, 1, 0, 2]);
    expect([...big.getSlice().data]).toEqual([1, 2]);
  });

  // B32: an item larger than a block.
  it("hold items of 1.3 MB", () => {
    const item = Uint8Array.from({ length: 1_298_784 }, (_, i) => (i * 7) & 255);
    const a = full([3], item);
    expect(Buffer.compare(a.getSlice([1], [2]).bytes, item)).toBe(0);
    expect(a.schunk.typesize).toBe(1_298_784);
  });

  it("copy to other layouts, squeeze, expand and concatenate", () => {
    fc.assert(
      fc.property(layout, layout, (l, other) => {
        const { array, model } = make(l);
        const chunkShape = l.shape.map((_, i) => (other.chunk[i] as number | undefined) ?? 2);
        const copied = array.copy({ chunks: chunkShape, cparams: { codec: "zlib", clevel: 1 } });
        expect(numbers(copied)).toEqual(model.values);
        expect(copied.schunk.cparams.codec).toBe("zlib");
        const expanded = array.expandDims(-1);
        expect(expanded.shape).toEqual([...l.shape, 1]);
        const squeezed = expanded.squeeze();
        expect(squeezed.shape).toEqual(l.shape.filter((n) => n !== 1));
        expect(numbers(squeezed)).toEqual(model.values);
        const joined = concatenate([array, copied]);
        expect(numbers(joined)).toEqual([...model.values, ...model.values]);
      }),
      { numRuns: 30 },
    );
  });

  it("walk chunk by chunk, without padding", () => {
    const { array, model } = make({ shape: [5, 7], chunk: [2, 3], block: [1, 2] });
    const seen = NaiveArray.generate([5, 7], () => 0);
    for (const { start, items } of array.iterChunks()) {
      const places = combinations(items.shape.map((n, i) => [...Array(n).keys()].map((k) => k + (start[i] as number))));
      places.forEach((c, i) => {
        seen.put(c, Number(items.data[i]));
      });
    }
    expect(seen.values).toEqual(model.values);
  });

  it("say what is wrong with an argument", () => {
    for (const bad of [
      () => zeros([-1]),
      () => zeros([2.5]),
      () => zeros([4], { chunks: [2, 2] }),
      () => zeros([4], { chunks: [2], blocks: [3] }),
      () => zeros([4], { dtype: "object" }),
      () => zeros(new Array(17).fill(1)),
      () => zeros([4]).get([4]),
      () => zeros([4]).get([{ step: 0 }]),
      () => zeros([4]).set([], [1, 2, 3]),
      () => zeros([4]).set([], new Float64Array(3)),
      () => asarray([[1, 2], [3]]),
      () => asarray(new DataView(new ArrayBuffer(8))),
    ]) {
      expect(bad).toThrow(expect.toSatisfy((e: unknown) => isBlosc2Error(e) && e.code.startsWith("BLOSC2_ARGUMENT")));
    }
  });
});
