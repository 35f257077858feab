/** Comparing results without the cost of a deep comparison for each byte. @module */
import { expect } from "vitest";

/** Expects the same bytes, or the same status or reason. */
export function expectSame(found: Uint8Array | number | string, expected: Uint8Array | number | string): void {
  const bothBytes = found instanceof Uint8Array && expected instanceof Uint8Array;
  if (bothBytes && Buffer.compare(found, expected) === 0) return;
  expect(found).toEqual(expected);
}
