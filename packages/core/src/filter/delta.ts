/**
 * Delta, filter 3: exclusive or (no subtraction) with the word before in the chunk's block 0, and with the raw bytes of
 * block 0 in every other block. The word is 1, 2, 4 or 8 bytes for those typesizes, 8 for other multiples of 8, else 1. The
 * `length % word` bytes after the last word stay as they are. (*Blosc2 format documents*, filters.)
 *
 * @module
 */
import { bufferView } from "./buffer-view.js";
import type { Filter, FilterContext } from "./filter.js";
import { filterFailure } from "./filter-failure.js";

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
  const from = bufferView(source);
  const to = bufferView(target);
  const other = bufferView(reference);
  const first = source.byteOffset;
  const out = target.byteOffset;
  const against = reference.byteOffset;
  let i = 0;
  for (; i + 4 <= byteLength; i += 4) {
    to.setInt32(out + i, from.getInt32(first + i, true) ^ other.getInt32(against + i, true), true);
  }
  for (; i < byteLength; i++) target[i] = source[i] ^ reference[i];
  for (; i < source.byteLength; i++) target[i] = source[i];
}

/** Block 0: each word with the one before. */
function xorPrevious(source: Uint8Array, target: Uint8Array, size: number): void {
  const byteLength = source.byteLength - (source.byteLength % size);
  const from = bufferView(source);
  const to = bufferView(target);
  const first = source.byteOffset;
  const out = target.byteOffset;
  let i = 0;
  for (; i < Math.min(size, byteLength); i++) target[i] = source[i];
  for (; i + 4 <= byteLength; i += 4) {
    to.setInt32(out + i, from.getInt32(first + i, true) ^ from.getInt32(first + i - size, true), true);
  }
  for (; i < byteLength; i++) target[i] = source[i] ^ source[i - size];
  for (; i < source.byteLength; i++) target[i] = source[i];
}

/** Undoes {@link xorPrevious}. */
function xorRunning(source: Uint8Array, target: Uint8Array, size: number): void {
  const byteLength = source.byteLength - (source.byteLength % size);
  const from = bufferView(source);
  const to = bufferView(target);
  const first = source.byteOffset;
  const out = target.byteOffset;
  const whole = byteLength - (byteLength % Math.max(4, size));
  let low = 0;
  if (size === 8) {
    let high = 0;
    for (let i = 0; i < whole; i += 8) {
      low ^= from.getInt32(first + i, true);
      high ^= from.getInt32(first + i + 4, true);
      to.setInt32(out + i, low, true);
      to.setInt32(out + i + 4, high, true);
    }
  } else {
    // Within a word: all bytes below the byte, in the distance of `size`; then the last `size` bytes of the word before.
    const spread = size === 1 ? 0x01010101 : size === 2 ? 0x00010001 : 1;
    const last = 32 - 8 * size;
    for (let i = 0; i < whole; i += 4) {
      let word = from.getInt32(first + i, true);
      if (size === 1) word ^= word << 8;
      if (size <= 2) word ^= word << 16;
      low = word ^ Math.imul(low >>> last, spread);
      to.setInt32(out + i, low, true);
    }
  }
  for (let i = whole; i < byteLength; i++) target[i] = i < size ? source[i] : source[i] ^ target[i - size];
  for (let i = byteLength; i < source.byteLength; i++) target[i] = source[i];
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
