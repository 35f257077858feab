import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectSame } from "./expect-bytes.js";
import { GuardedMemory } from "./guarded-memory.js";

const memory = new GuardedMemory();
const { kernels } = memory;

interface Dimension {
  readonly count: number;
  readonly sourceStride: number;
  readonly targetStride: number;
}

/** Copies a box from one buffer to another, both guarded. */
function copyBox(
  source: Uint8Array,
  sourceOffset: number,
  targetLength: number,
  targetOffset: number,
  itemLength: number,
  dimensions: readonly Dimension[],
): Uint8Array {
  memory.reset();
  const from = memory.input(source);
  const to = memory.output(targetLength);
  const before = memory.bytes(to, targetLength);
  const table = new DataView(kernels.bytes.buffer, kernels.exports.boxTable());
  dimensions.forEach(({ count, sourceStride, targetStride }, i) => {
    table.setUint32(12 * i, count, true);
    table.setInt32(12 * i + 4, sourceStride, true);
    table.setInt32(12 * i + 8, targetStride, true);
  });
  memory.run(() => kernels.exports.copyBox(from + sourceOffset, to + targetOffset, itemLength, dimensions.length));
  const after = memory.bytes(to, targetLength);
  const expected = before;
  const walk = (dim: number, at: number, out: number): void => {
    if (dim === dimensions.length) {
      expected.set(source.subarray(at, at + itemLength), out);
      return;
    }
    const { count, sourceStride, targetStride } = dimensions[dim] as Dimension;
    for (let i = 0; i < count; i++) walk(dim + 1, at + i * sourceStride, out + i * targetStride);
  };
  walk(0, sourceOffset, targetOffset);
  expectSame(after, expected);
  return after;
}

/** A dimension of a buffer: how many items are there, and which of them are wanted. */
interface Axis {
  readonly count: number;
  readonly step: number;
  readonly spare: number;
}

const axis: fc.Arbitrary<Axis> = fc.record({
  count: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 6 })),
  step: fc.constantFrom(1, 1, 1, 2, 3, -1, -2),
  spare: fc.constantFrom(0, 0, 1, 5),
});

/** Strides of a C-ordered buffer in which each axis is walked at its step, and where the first item lies. */
function place(
  axes: readonly Axis[],
  counts: readonly number[],
  itemLength: number,
): { strides: number[]; offset: number; byteLength: number } {
  const strides = new Array<number>(axes.length);
  let offset = 0;
  let extent = itemLength;
  for (let i = axes.length - 1; i >= 0; i--) {
    const { step, spare } = axes[i] as Axis;
    const count = counts[i] as number;
    strides[i] = step * extent;
    if (step < 0) offset += -step * Math.max(0, count - 1) * extent;
    extent *= Math.max(1, count) * Math.abs(step) + spare;
  }
  return { strides, offset, byteLength: extent };
}

const itemLengths = fc.constantFrom(1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 48, 64, 128, 255, 600);

describe("copyBox", () => {
  test("copies what a loop over the items copies, and nothing else: 0 to 8 dimensions, any steps, any item", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(axis, axis), { maxLength: 8 }),
        itemLengths,
        fc.integer({ min: 0, max: 255 }),
        (pairs, itemLength, seed) => {
          const counts = pairs.map(([a]) => a.count);
          const source = place(
            pairs.map(([a]) => a),
            counts,
            itemLength,
          );
          const target = place(
            pairs.map(([, b]) => b),
            counts,
            itemLength,
          );
          fc.pre(source.byteLength < 1_000_000 && target.byteLength < 1_000_000);
          const bytes = Uint8Array.from({ length: source.byteLength }, (_, i) => (i * 31 + (i >> 8) + seed) & 0xff);
          copyBox(
            bytes,
            source.offset,
            target.byteLength,
            target.offset,
            itemLength,
            counts.map((count, i) => ({
              count,
              sourceStride: source.strides[i] as number,
              targetStride: target.strides[i] as number,
            })),
          );
        },
      ),
      { numRuns: 400 },
    );
  });

  test("a source stride of 0 repeats one item, as broadcasting does", () => {
    const row = Uint8Array.of(1, 2, 3, 4);
    const filled = copyBox(row, 0, 12, 0, 2, [
      { count: 3, sourceStride: 0, targetStride: 4 },
      { count: 2, sourceStride: 2, targetStride: 2 },
    ]);
    expect([...filled]).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]);
  });

  test("nothing is copied where a dimension is empty", () => {
    const before = copyBox(Uint8Array.of(7), 0, 4, 0, 1, [
      { count: 4, sourceStride: 0, targetStride: 1 },
      { count: 0, sourceStride: 1, targetStride: 1 },
    ]);
    expect([...before]).toEqual([0xa5, 0xa5, 0xa5, 0xa5]);
  });
});
