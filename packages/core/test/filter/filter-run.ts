/** Running filters in tests: contexts, and buffers whose surroundings must stay untouched. */
import { expect } from "vitest";
import type { Filter, FilterContext } from "../../src/filter/filter.js";

export function contextOf(fields: Partial<FilterContext>): FilterContext {
  const typesize = fields.typesize ?? 1;
  return {
    typesize,
    superChunkTypesize: typesize,
    meta: 0,
    blockIndex: fields.reference === undefined ? 0 : 1,
    reference: undefined,
    chunkVersion: 5,
    geometry: undefined,
    ...fields,
  };
}

/** As `toStrictEqual`, which takes seconds for a megabyte. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.byteLength).toBe(expected.byteLength);
  for (let i = 0; i < actual.byteLength; i++) {
    if (actual[i] !== expected[i]) expect(`byte ${i}: ${actual[i]}`).toBe(`byte ${i}: ${expected[i]}`);
  }
}

/** A context for one block of a B2ND array. */
export function cellContextOf(blockShape: readonly number[], typesize: number, meta: number): FilterContext {
  return contextOf({ typesize, meta, geometry: { shape: blockShape, chunks: blockShape, blocks: blockShape } });
}

/**
 * Runs one direction between two views that start `sourceShift` and `targetShift` bytes into their buffers. Fails when the
 * source changes, or a byte around the target; the target starts full of 0xa5.
 */
export function runFilter(
  filter: Filter,
  direction: "forward" | "backward",
  data: Uint8Array,
  context: FilterContext,
  sourceShift = 0,
  targetShift = 0,
): Uint8Array {
  const guard = 16;
  const sourceBuffer = new Uint8Array(data.byteLength + sourceShift + guard).fill(0x3c);
  sourceBuffer.set(data, sourceShift);
  const targetBuffer = new Uint8Array(data.byteLength + targetShift + guard).fill(0xa5);
  const before = sourceBuffer.slice();
  const run = filter[direction];
  if (run === undefined) throw new Error(`${filter.name} has no ${direction}`);
  const target = targetBuffer.subarray(targetShift, targetShift + data.byteLength);
  run(sourceBuffer.subarray(sourceShift, sourceShift + data.byteLength), target, context);
  expectBytes(sourceBuffer, before);
  const outside = [...targetBuffer.subarray(0, targetShift), ...targetBuffer.subarray(targetShift + data.byteLength)];
  expect(outside.every((byte) => byte === 0xa5)).toBe(true);
  return target.slice();
}

/** The byte sequence of the fixtures' generator script. */
export function lcgBytes(count: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 24) & 0x95;
  });
}
