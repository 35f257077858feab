import { describe, expect, it } from "vitest";
import {
  type ArrayCopyOptions,
  asarray,
  concatenate,
  memory,
  type NDArray,
  openArray,
  verifyFrame,
  zeros,
} from "../../src/index.js";

describe("an array without items and without chunks of the caller's", () => {
  it.each([[[0]], [[0, 3]], [[3, 0]], [[0, 0]], [[2, 0, 3]]])(
    "of shape %j can grow, in chunks of at most 4 MiB",
    (shape) => {
      using array = zeros(shape, { dtype: "<i4" });
      expect(array.chunks.reduce((all, n) => all * n, 4)).toBeLessThanOrEqual(4 * 1024 * 1024);
      const grown = shape.map((n) => (n === 0 ? 5 : n));
      array.resize(grown);
      array.set([], 7);
      expect(new Set(array.get([]).data as Int32Array)).toEqual(new Set([7]));
      expect(array.shape).toEqual(grown);
    },
  );
});

describe("copies", () => {
  const operations: Readonly<Record<string, (a: NDArray, options: ArrayCopyOptions) => NDArray>> = {
    copy: (a, options) => a.copy(options),
    squeeze: (a, options) => a.squeeze(undefined, options),
    expandDims: (a, options) => a.expandDims(0, options),
    concatenate: (a, options) => concatenate([a, a], 0, options),
  };

  it.each(Object.entries(operations))("by %s keep metalayers, vlmetalayers and checksums", (_, operation) => {
    const backend = memory();
    using array = asarray([1, 2, 3, 4, 5], {
      checksum: true,
      chunks: [2],
      blocks: [1],
      meta: { m: Uint8Array.of(1) },
    });
    array.schunk.vlmeta.setValue("v", { a: 1 });
    operation(array, { urlpath: "copy.b2nd", io: backend }).close();
    using copy = openArray("copy.b2nd", { io: backend, checksum: true });
    expect(copy.schunk.meta.get("m")).toEqual(Uint8Array.of(1));
    expect(copy.schunk.vlmeta.getValue("v")).toEqual({ a: 1 });
    expect([...(copy.get([]).data as Float64Array)].slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    const { checksums } = verifyFrame("copy.b2nd", backend);
    expect(checksums).toEqual({ verified: copy.schunk.nchunks, missing: 0, failed: 0 });
    using plain = operation(array, { checksum: false });
    expect(plain.schunk.vlmeta.keys()).toEqual(["v"]);
  });

  it("have another dtype where one is asked for, or are refused", () => {
    using array = asarray([1, 2, 300], { chunks: [2], blocks: [1] });
    using copy = array.copy({ dtype: "<i2" });
    expect(copy.get([]).data).toEqual(Int16Array.of(1, 2, 300));
    expect(() => array.copy({ dtype: "|u1" })).toThrow(/^data\[0\]: expected an integer from 0 to 255/);
  });
});

describe("a row writer", () => {
  it.each([undefined, 0, 1, 100])(
    "gives the array that appending all at once gives, with bufferBytes %s",
    (bufferBytes) => {
      const values = Array.from({ length: 53 }, (_, i) => [3 * i, 3 * i + 1, 3 * i + 2]);
      using array = zeros([2, 3], { chunks: [8, 2], blocks: [4, 2], dtype: "<i4" });
      using expected = zeros([2, 3], { chunks: [8, 2], blocks: [4, 2], dtype: "<i4" });
      expected.append(values);
      using rows = array.rowWriter({ bufferBytes });
      for (let i = 0; i < 20; i++) rows.write(values[i] as number[]);
      rows.write(values.slice(20, 50));
      rows.flush();
      expect(rows.waiting).toBe(0);
      expect(array.shape).toEqual([52, 3]);
      for (let i = 50; i < 53; i++) rows.write(Int32Array.from(values[i] as number[]));
      rows.close();
      rows.close();
      expect(array.get([])).toEqual(expected.get([]));
      expect(() => rows.write([1, 2, 3])).toThrow(expect.objectContaining({ code: "BLOSC2_IO_CLOSED" }));
    },
  );

  it("compresses each chunk once, and refuses rows of another shape with nothing taken", () => {
    using array = zeros([0, 2], { chunks: [100, 2], blocks: [10, 2], dtype: "<i4" });
    using rows = array.rowWriter();
    for (let i = 0; i < 99; i++) rows.write([i, i]);
    expect([rows.waiting, array.shape[0]]).toEqual([99, 0]);
    for (const wrong of [[1], [[1, 2, 3]], ["a", "b"], [1.5, 2], undefined])
      expect(() => rows.write(wrong as number[])).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
    rows.write([99, 99]);
    expect([rows.waiting, array.shape[0]]).toEqual([0, 100]);
    rows.write([1, 2]);
    rows.discard();
    expect(array.shape[0]).toBe(100);
  });
});
