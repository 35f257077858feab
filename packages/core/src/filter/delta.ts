/**
 * Delta, filter 3: exclusive or (no subtraction) with the word before in the chunk's block 0, and with the raw bytes of
 * block 0 in every other block. The word is 1, 2, 4 or 8 bytes for those typesizes, 8 for other multiples of 8, else 1. The
 * `length % word` bytes after the last word stay as they are. (*Blosc2 format documents*, filters.)
 *
 * @module
 */
import type { Filter, FilterContext } from "./filter.js";
import { filterFailure } from "./filter-failure.js";
import { wordView } from "./word-view.js";

function wordSize(typesize: number): 1 | 2 | 4 | 8 {
  if (typesize === 1 || typesize === 2 || typesize === 4) return typesize;
  return typesize % 8 === 0 ? 8 : 1;
}

/** The same for both directions. */
function xorReference(
  source: Uint8Array,
  target: Uint8Array,
  reference: Uint8Array,
  size: number,
  direction: "forward" | "backward",
): void {
  const byteLength = source.byteLength - (source.byteLength % size);
  if (reference.byteLength < byteLength) {
    throw filterFailure("delta", direction, "reference block", `${byteLength} bytes`, `${reference.byteLength} bytes`);
  }
  let i = 0;
  const from = wordView(source);
  const to = wordView(target);
  const other = wordView(reference);
  if (from !== undefined && to !== undefined && other !== undefined) {
    const fromIndex = source.byteOffset / 4;
    const toIndex = target.byteOffset / 4;
    const otherIndex = reference.byteOffset / 4;
    const count = byteLength >> 2;
    for (let w = 0; w < count; w++) to[toIndex + w] = from[fromIndex + w] ^ other[otherIndex + w];
    i = count * 4;
  }
  for (; i < byteLength; i++) target[i] = source[i] ^ reference[i];
  for (; i < source.byteLength; i++) target[i] = source[i];
}

/** Block 0: each word with the one before. */
function xorPrevious(source: Uint8Array, target: Uint8Array, size: number): void {
  const byteLength = source.byteLength - (source.byteLength % size);
  let i = 0;
  const from = wordView(source);
  const to = wordView(target);
  if (from !== undefined && to !== undefined) {
    const fromIndex = source.byteOffset / 4;
    const toIndex = target.byteOffset / 4;
    const count = byteLength >> 2;
    i = count * 4;
    if (size === 8) {
      for (let w = 0; w < Math.min(2, count); w++) to[toIndex + w] = from[fromIndex + w];
      for (let w = 2; w < count; w++) to[toIndex + w] = from[fromIndex + w] ^ from[fromIndex + w - 2];
    } else if (size === 4) {
      let previous = 0;
      for (let w = 0; w < count; w++) {
        const word = from[fromIndex + w];
        to[toIndex + w] = word ^ previous;
        previous = word;
      }
    } else {
      const up = size * 8;
      let previous = 0;
      for (let w = 0; w < count; w++) {
        const word = from[fromIndex + w];
        to[toIndex + w] = word ^ (word << up) ^ (previous >>> (32 - up));
        previous = word;
      }
    }
  }
  for (; i < Math.min(size, byteLength); i++) target[i] = source[i];
  for (; i < byteLength; i++) target[i] = source[i] ^ source[i - size];
  for (; i < source.byteLength; i++) target[i] = source[i];
}

/** Undoes {@link xorPrevious}. */
function xorRunning(source: Uint8Array, target: Uint8Array, size: number): void {
  const byteLength = source.byteLength - (source.byteLength % size);
  let i = 0;
  const from = wordView(source);
  const to = wordView(target);
  if (from !== undefined && to !== undefined) {
    const fromIndex = source.byteOffset / 4;
    const toIndex = target.byteOffset / 4;
    const count = byteLength >> 2;
    i = count * 4;
    let low = 0;
    if (size === 8) {
      let high = 0;
      for (let w = 0; w < count; w += 2) {
        low ^= from[fromIndex + w];
        high ^= from[fromIndex + w + 1];
        to[toIndex + w] = low;
        to[toIndex + w + 1] = high;
      }
    } else if (size === 4) {
      for (let w = 0; w < count; w++) {
        low ^= from[fromIndex + w];
        to[toIndex + w] = low;
      }
    } else if (size === 2) {
      for (let w = 0; w < count; w++) {
        const word = from[fromIndex + w];
        low = word ^ (word << 16) ^ Math.imul(low >>> 16, 0x10001);
        to[toIndex + w] = low;
      }
    } else {
      for (let w = 0; w < count; w++) {
        let word = from[fromIndex + w];
        word ^= word << 8;
        word ^= word << 16;
        low = word ^ Math.imul(low >>> 24, 0x1010101);
        to[toIndex + w] = low;
      }
    }
  }
  for (; i < Math.min(size, byteLength); i++) target[i] = source[i];
  for (; i < byteLength; i++) target[i] = source[i] ^ target[i - size];
  for (; i < source.byteLength; i++) target[i] = source[i];
}

/**
 * Delta; `meta` is ignored. A context without `reference` means block 0 (or a block that is its own reference).
 *
 * @throws CodecError `BLOSC2_FILTER_FAILED` when the reference is shorter than the block.
 */
export const delta: Filter = {
  id: 3,
  name: "delta",
  needsReference: true,
  forward(source: Uint8Array, target: Uint8Array, context: FilterContext): void {
    const size = wordSize(context.typesize);
    if (context.reference === undefined) xorPrevious(source, target, size);
    else xorReference(source, target, context.reference, size, "forward");
  },
  backward(source: Uint8Array, target: Uint8Array, context: FilterContext): void {
    const size = wordSize(context.typesize);
    if (context.reference === undefined) xorRunning(source, target, size);
    else xorReference(source, target, context.reference, size, "backward");
  },
};
