import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeB2ndMetalayer, encodeB2ndMetalayer } from "../../src/b2nd/b2nd-metalayer.js";
import { isBlosc2Error } from "../../src/index.js";

const WHERE = { structure: "b2nd metalayer", position: 0 };

// The metalayer that C-Blosc2 wrote for an int32 array of 103 items, chunks of 40, blocks of 12.
const BY_C = "97000191d3000000000000006791d20000002891d20000000c00db000000033c6934";

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) as string[], (h) => Number.parseInt(h, 16));
}

describe("b2nd metalayer", () => {
  const parsed = { version: 0, shape: [103], chunks: [40], blocks: [12], dtypeFormat: 0, dtype: "<i4" };

  it("is read and written as C-Blosc2 does", () => {
    expect(decodeB2ndMetalayer(bytesOf(BY_C), WHERE)).toEqual(parsed);
    expect(encodeB2ndMetalayer(parsed)).toEqual(bytesOf(BY_C));
  });

  it("keeps its length when the shape changes, so that it can be rewritten in place", () => {
    const length = bytesOf(BY_C).byteLength;
    fc.assert(
      fc.property(fc.maxSafeNat(), (n) => {
        expect(encodeB2ndMetalayer({ ...parsed, shape: [n] }).byteLength).toBe(length);
      }),
    );
  });

  // B62: a block shape whose product wraps, and its like.
  it.each([
    ["a negative dimension", { ...parsed, shape: [-1] }],
    ["a zero chunk", { ...parsed, chunks: [0] }],
    ["a zero block", { ...parsed, blocks: [0] }],
    ["a product past 2^31", { ...parsed, shape: [9, 9], chunks: [65536, 65536], blocks: [65536, 65536] }],
    ["a shape past 2^53 items", { ...parsed, shape: [2 ** 40, 2 ** 40], chunks: [1, 1], blocks: [1, 1] }],
  ])("refuses %s", (_, bad) => {
    const bytes = encodeB2ndMetalayer(bad);
    expect(() => decodeB2ndMetalayer(bytes, WHERE)).toThrow(expect.toSatisfy((e: unknown) => isBlosc2Error(e)));
  });

  it("refuses 17 dimensions, and every truncation", () => {
    const bytes = bytesOf(BY_C);
    bytes[2] = 17;
    expect(() => decodeB2ndMetalayer(bytes, WHERE)).toThrow(/ndim/);
    for (let n = 0; n < bytes.byteLength; n++) {
      expect(() => decodeB2ndMetalayer(bytesOf(BY_C).subarray(0, n), WHERE)).toThrow(
        expect.toSatisfy((e: unknown) => isBlosc2Error(e)),
      );
    }
  });

  it("gives a metalayer or a named error for any change of one byte", () => {
    const original = bytesOf(BY_C);
    for (let at = 0; at < original.byteLength; at++) {
      for (let value = 0; value < 256; value++) {
        const changed = original.slice();
        changed[at] = value;
        try {
          decodeB2ndMetalayer(changed, WHERE);
        } catch (error) {
          if (!isBlosc2Error(error)) throw error;
        }
      }
    }
  });
});
