import { expect } from "vitest";

/** Asserts equal bytes; much faster than `toEqual` on long arrays, with the same message when they differ. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected) !== 0) expect(actual).toEqual(expected);
}
