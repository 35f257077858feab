import { expect } from "vitest";

/** Compares long byte arrays; `toEqual` takes seconds for them. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.byteLength).toBe(expected.byteLength);
  expect(actual.findIndex((byte, i) => byte !== expected[i])).toBe(-1);
}
