/** Clearing the low bits of each element: what the precision filters do. @module */
import { bufferView } from "./buffer-view.js";

/**
 * Copies `source` to `target` with the lowest `zeroedBits` bits of each little-endian element of `size` bytes (1, 2, 4 or 8)
 * cleared. The `length % size` bytes after the last element are copied as they are.
 */
export function maskLowBits(source: Uint8Array, target: Uint8Array, size: number, zeroedBits: number): void {
  const byteLength = source.byteLength - (source.byteLength % size);
  const from = bufferView(source);
  const to = bufferView(target);
  const first = source.byteOffset;
  const out = target.byteOffset;
  // An element of 8 bytes takes two words; of shorter ones a word holds several.
  let evenMask = 0;
  for (let bit = 0; bit < 32; bit += Math.min(size, 4) * 8) evenMask |= clearBelow(zeroedBits, size) << bit;
  const oddMask = size === 8 ? clearBelow(Math.max(0, zeroedBits - 32), size) : evenMask;
  let i = 0;
  for (; i + 8 <= byteLength; i += 8) {
    to.setInt32(out + i, from.getInt32(first + i, true) & evenMask, true);
    to.setInt32(out + i + 4, from.getInt32(first + i + 4, true) & oddMask, true);
  }
  for (; i < byteLength; i++) {
    const cleared = Math.min(8, Math.max(0, zeroedBits - (i % size) * 8));
    target[i] = source[i] & (0xff << cleared);
  }
  for (; i < source.byteLength; i++) target[i] = source[i];
}

/** A word, or an element if that is shorter, with its lowest `bits` bits 0 and the others 1. */
function clearBelow(bits: number, size: number): number {
  const ones = size >= 4 ? -1 : 2 ** (size * 8) - 1;
  return bits >= 32 ? 0 : ones & (-1 << bits);
}
