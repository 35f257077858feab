/** Random data of the kinds that compressors meet. @module */
import type { SeededRandom } from "./seeded-random.js";

/** Ways to fill a buffer of `itemCount` items of `typesize` bytes. */
const KINDS: readonly ((random: SeededRandom, bytes: Uint8Array, typesize: number) => void)[] = [
  // zeros
  () => undefined,
  // incompressible
  (random, bytes) => {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = random.bits();
  },
  // a little-endian ramp
  (random, bytes, typesize) => {
    const step = random.integer(1, 300);
    for (let item = 0, start = 0; start < bytes.length; item += 1, start += typesize) {
      const value = item * step;
      for (let byte = 0; byte < Math.min(typesize, 4); byte += 1) bytes[start + byte] = value >>> (8 * byte);
    }
  },
  // one item, repeated
  (random, bytes, typesize) => {
    for (let index = 0; index < bytes.length; index += 1) {
      bytes[index] = index < typesize ? random.bits() : (bytes[index - typesize] as number);
    }
  },
  // few values, long runs
  (random, bytes) => {
    let value = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      if (random.oneIn(50)) value = random.integer(0, 3);
      bytes[index] = value;
    }
  },
  // a walk: each item near the last
  (random, bytes, typesize) => {
    let value = random.bits();
    for (let start = 0; start < bytes.length; start += typesize) {
      value += random.integer(-9, 9);
      for (let byte = 0; byte < Math.min(typesize, 4); byte += 1) bytes[start + byte] = value >>> (8 * byte);
    }
  },
  // zeros with a few items set
  (random, bytes) => {
    for (let left = random.integer(1, 4); left > 0; left -= 1) {
      bytes[random.integer(0, bytes.length - 1)] = random.integer(1, 255);
    }
  },
];

/** `itemCount` items of random content; `nonzero` when a buffer of zeros is not wanted. */
export function sampleData(random: SeededRandom, itemCount: number, typesize: number, nonzero: boolean): Uint8Array {
  const bytes = new Uint8Array(itemCount * typesize);
  random.pick(KINDS)(random, bytes, typesize);
  if (nonzero && bytes.every((byte) => byte === 0)) bytes[random.integer(0, bytes.length - 1)] = 1;
  return bytes;
}
