import { decodeNpy, memory, NDBuffer, parseDType } from "@b2frame/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NpyReader } from "../src/npy-reader.js";

/** A `.npy` file, as NumPy's format document describes it, whose items count from 0. */
function npyFile(shape: readonly number[], fortranOrder: boolean, version: 1 | 2): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '<u2', 'fortran_order': ${fortranOrder ? "True" : "False"}, 'shape': ${tuple}, }\n`;
  const prefix = version === 1 ? [text.length & 255, text.length >> 8] : [text.length & 255, text.length >> 8, 0, 0];
  const itemCount = shape.reduce((count, n) => count * n, 1);
  const items = new Uint8Array(Uint16Array.from({ length: itemCount }, (_, i) => i).buffer);
  return Uint8Array.from([0x93, ...Buffer.from("NUMPY"), version, 0, ...prefix, ...Buffer.from(text), ...items]);
}

function open(bytes: Uint8Array): NpyReader {
  const backend = memory();
  const handle = backend.open("in.npy", "w+");
  handle.write(0, bytes);
  handle.close();
  return new NpyReader("in.npy", backend);
}

it("reads any box of a file in either order", () => {
  const dimension = fc
    .tuple(fc.integer({ min: 0, max: 5 }), fc.nat(), fc.nat())
    .map(([size, a, b]) => ({ size, bounds: [a % (size + 1), b % (size + 1)].sort((x, y) => x - y) }));
  const version = fc.constantFrom<1 | 2>(1, 2);
  fc.assert(
    fc.property(fc.array(dimension, { maxLength: 4 }), fc.boolean(), version, (dims, fortranOrder, major) => {
      const shape = dims.map(({ size }) => size);
      const bytes = npyFile(shape, fortranOrder, major);
      using reader = open(bytes);
      const start = dims.map(({ bounds }) => bounds[0]!);
      const stop = dims.map(({ bounds }) => bounds[1]!);
      const found = reader.read(start, stop);
      // The item at an index, by the definition of the two orders.
      const strides = shape.map((_, dim) =>
        (fortranOrder ? shape.slice(0, dim) : shape.slice(dim + 1)).reduce((step, n) => step * n, 1),
      );
      let expected = [0];
      dims.forEach((_, dim) => {
        const range = Array.from({ length: stop[dim]! - start[dim]! }, (__, i) => (start[dim]! + i) * strides[dim]!);
        expected = expected.flatMap((before) => range.map((at) => before + at));
      });
      expect(found).toBeInstanceOf(NDBuffer);
      expect([...found.data].map(Number)).toEqual(expected);
      expect(reader.dtype).toEqual(parseDType("<u2"));
      expect(
        reader.read(
          shape.map(() => 0),
          shape,
        ).bytes,
      ).toEqual(decodeNpy(bytes).bytes);
    }),
  );
});

describe("what is refused", () => {
  it.each([
    ["a file without the magic", new Uint8Array(100), "BLOSC2_FORMAT_BAD_MAGIC"],
    ["an empty file", new Uint8Array(0), "BLOSC2_FORMAT_TRUNCATED"],
    ["a file that ends before its items do", npyFile([4, 5], false, 1).slice(0, -1), "BLOSC2_IO_SHORT_READ"],
  ])("%s", (_, bytes, code) => {
    expect(() => open(bytes)).toThrow(expect.objectContaining({ code }));
  });
});
