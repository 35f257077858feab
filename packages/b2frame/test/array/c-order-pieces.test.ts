import fc from "fast-check";
import { expect, it } from "vitest";
import { cOrderPieces } from "../../src/array/c-order-pieces.js";

/** C-order indices of the items of a box. */
function indices(shape: readonly number[], start: readonly number[], stop: readonly number[]): number[] {
  let found = [0];
  shape.forEach((size, dim) => {
    const range = Array.from({ length: stop[dim]! - start[dim]! }, (_, i) => start[dim]! + i);
    found = found.flatMap((before) => range.map((at) => before * size + at));
  });
  return found;
}

it("gives each item once, in C order, and no piece that is too large", () => {
  const dimension = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(fc.array(dimension, { maxLength: 4 }), fc.integer({ min: 1, max: 200 }), (dims, maxBytes) => {
      const shape = dims.map(([size]) => size);
      const pieces = [...cOrderPieces({ shape, chunks: dims.map(([, chunk]) => chunk), itemsize: 3, maxBytes })];
      const lists = pieces.map(({ start, stop }) => indices(shape, start, stop));
      const itemCount = shape.reduce((count, n) => count * n, 1);
      expect(lists.flat()).toEqual(Array.from({ length: itemCount }, (_, i) => i));
      for (const list of lists) expect(list.length === 1 || list.length * 3 <= maxBytes).toBe(true);
    }),
  );
});

it("cuts at chunks where that can be", () => {
  const pieces = [...cOrderPieces({ shape: [10, 4], chunks: [3, 2], itemsize: 1, maxBytes: 28 })];
  expect(pieces.map(({ start }) => start)).toEqual([
    [0, 0],
    [6, 0],
  ]);
});
