/**
 * Byte delta, filter 35 (and its first version, 34): for each of `size` consecutive runs of floor(length / size) bytes, the
 * wrapping difference of each byte to the one before. Meant to follow a shuffle, which makes these runs. (*Blosc2 format
 * documents*, filters.)
 *
 * @module
 */
import type { Filter, FilterContext } from "./filter.js";
import { filterFailure } from "./filter-failure.js";

/** Number of runs: `meta`, or when that is 0 the typesize of the super-chunk, which a lone chunk does not know. */
function runCount(filter: string, direction: "forward" | "backward", context: FilterContext): number {
  const runs = context.meta === 0 ? context.superChunkTypesize : context.meta;
  if (runs === 0) throw filterFailure(filter, direction, "meta", "the element size, outside of a super-chunk", 0);
  return runs;
}

/** Running sums of `source[from..to]`. */
function sum(source: Uint8Array, target: Uint8Array, from: number, to: number): void {
  let value = 0;
  for (let i = from; i < to; i++) {
    value = (value + source[i]) & 0xff;
    target[i] = value;
  }
}

/** Byte delta; `meta` = the size of the elements that were shuffled before, 0 for the super-chunk's typesize. */
export const bytedelta: Filter = {
  id: 35,
  name: "bytedelta",
  needsReference: false,
  forward(source, target, context): void {
    const runs = runCount("bytedelta", "forward", context);
    const runLength = Math.floor(source.byteLength / runs);
    const end = runs * runLength;
    for (let start = 0; start < end; start += runLength) {
      let previous = 0;
      for (let i = start; i < start + runLength; i++) {
        const value = source[i];
        target[i] = value - previous;
        previous = value;
      }
    }
    for (let i = end; i < source.byteLength; i++) target[i] = source[i];
  },
  backward(source, target, context): void {
    const runs = runCount("bytedelta", "backward", context);
    const runLength = Math.floor(source.byteLength / runs);
    const end = runs * runLength;
    for (let i = 0; i < end; i += runLength) sum(source, target, i, i + runLength);
    for (let i = end; i < source.byteLength; i++) target[i] = source[i];
  },
};

/**
 * The first version of byte delta, for reading only: the bytes of a run after its last full group of 16 start again from 0.
 * It lost the `length % size` bytes after the runs, which are passed through here.
 */
export const bytedeltaBuggy: Filter = {
  id: 34,
  name: "bytedelta_buggy",
  needsReference: false,
  backward(source, target, context): void {
    const runs = runCount("bytedelta_buggy", "backward", context);
    const runLength = Math.floor(source.byteLength / runs);
    const grouped = runLength - (runLength % 16);
    const end = runs * runLength;
    for (let i = 0; i < end; i += runLength) {
      sum(source, target, i, i + grouped);
      sum(source, target, i + grouped, i + runLength);
    }
    for (let i = end; i < source.byteLength; i++) target[i] = source[i];
  },
};
