import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectSame } from "./expect-bytes.js";
import { GuardedMemory } from "./guarded-memory.js";

const memory = new GuardedMemory();
const { kernels } = memory;

/** Offsets in source and target, and a number of bytes. */
type Entry = readonly [number, number, number];

/** Copies between two guarded buffers, and holds the result against a loop over the entries. */
function copyLists(source: Uint8Array, targetLength: number, lists: readonly Entry[][], rowLength: number): Uint8Array {
  memory.reset();
  const tables = lists.map((list) => memory.input(new Uint8Array(Uint32Array.from(list.flat()).buffer)));
  const from = memory.input(source);
  const to = memory.output(targetLength);
  const expected = memory.bytes(to, targetLength);
  const table = new DataView(kernels.bytes.buffer, kernels.exports.boxTable());
  lists.forEach((list, dim) => {
    table.setUint32(12 * dim, list.length, true);
    table.setUint32(12 * dim + 4, tables[dim] as number, true);
  });
  memory.run(() => kernels.exports.copyLists(from, to, lists.length, rowLength));
  const walk = (dim: number, at: number, out: number): void => {
    for (const [fromOffset, toOffset, byteLength] of lists[dim] as Entry[]) {
      const [start, end] = [at + fromOffset, out + toOffset];
      if (dim + 1 < lists.length) walk(dim + 1, start, end);
      else expected.set(source.subarray(start, start + byteLength), end);
    }
  };
  walk(0, 0, 0);
  const found = memory.bytes(to, targetLength);
  expectSame(found, expected);
  return found;
}

describe("copyLists", () => {
  test("copies what a loop over the entries copies, and nothing else: 1 to 8 lists, any rows", () => {
    const list = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(list, { maxLength: 7 }),
        fc.array(fc.tuple(fc.nat(300), fc.nat(300), fc.constantFrom(1, 2, 3, 4, 5, 8, 12, 16, 24, 33, 128, 600)), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.boolean(),
        (outer, rows, areEqual) => {
          const length = (rows[0] as Entry)[2];
          const last = areEqual ? rows.map(([from, to]): Entry => [from, to, length]) : rows;
          const lists = [...outer.map((entries) => entries.map(([from, to]): Entry => [from * 9, to * 7, 0])), last];
          const source = Uint8Array.from({ length: 1400 }, (_, i) => (i * 31 + (i >> 8)) & 0xff);
          copyLists(source, 1400, lists, areEqual ? length : 0);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("of a place that is named twice, the last counts", () => {
    const found = copyLists(
      Uint8Array.of(1, 2, 3),
      1,
      [
        [
          [0, 0, 1],
          [2, 0, 1],
          [1, 0, 1],
        ],
      ],
      1,
    );
    expect([...found]).toEqual([2]);
  });

  test("an empty list copies nothing", () => {
    expect([...copyLists(Uint8Array.of(7), 2, [[[0, 0, 0]], []], 0)]).toEqual([0xa5, 0xa5]);
  });
});
