/**
 * Byte delta, filter 35 (and its first version, 34): for each of `size` consecutive runs of floor(length / size) bytes, the
 * wrapping difference of each byte to the one before. Meant to follow a shuffle, which makes these runs. (*Blosc2 format
 * documents*, filters.)
 *
 * @module
 */
import { bufferView } from "./buffer-view.js";
import type { Filter, FilterContext } from "./filter.js";
import { filterFailure } from "./filter-failure.js";

/** Number of runs: `meta`, or when that is 0 the typesize of the super-chunk, which a lone chunk does not know. */
function runCount(filter: string, direction: "forward" | "backward", context: FilterContext): number {
  const runs = context.meta === 0 ? context.superChunkTypesize : context.meta;
  if (runs === 0) throw filterFailure(filter, direction, "meta", "the element size, outside of a super-chunk", 0);
  return runs;
}

const HIGH_BITS = 0x80808080 | 0;
const LOW_BITS = 0x7f7f7f7f;

/** Sums of the bytes of two words, each on its own. */
function addBytes(a: number, b: number): number {
  return ((a & LOW_BITS) + (b & LOW_BITS)) ^ ((a ^ b) & HIGH_BITS);
}

/** Differences of neighbours in the run `source[start..end]`. */
function difference(source: Uint8Array, target: Uint8Array, start: number, end: number): void {
  if (start < end) target[start] = source[start];
  const from = bufferView(source);
  const to = bufferView(target);
  const first = source.byteOffset;
  const out = target.byteOffset;
  let i = start + 1;
  for (; i + 4 <= end; i += 4) {
    const a = from.getInt32(first + i, true);
    const b = from.getInt32(first + i - 1, true);
    to.setInt32(out + i, ((a | HIGH_BITS) - (b & LOW_BITS)) ^ ((a ^ ~b) & HIGH_BITS), true);
  }
  for (; i < end; i++) target[i] = source[i] - source[i - 1];
}

/** Running sums of the run `source[start..end]`. */
function sum(source: Uint8Array, target: Uint8Array, start: number, end: number): void {
  const from = bufferView(source);
  const to = bufferView(target);
  const first = source.byteOffset;
  const out = target.byteOffset;
  let value = 0;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    let word = from.getInt32(first + i, true);
    word = addBytes(word, word << 8);
    word = addBytes(word, word << 16);
    value = addBytes(word, Math.imul(value >>> 24, 0x01010101));
    to.setInt32(out + i, value, true);
  }
  value >>>= 24;
  for (; i < end; i++) {
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
    for (let i = 0; i < end; i += runLength) difference(source, target, i, i + runLength);
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
