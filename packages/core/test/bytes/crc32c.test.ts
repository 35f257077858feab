import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32c } from "../../src/bytes/crc32c.js";

/** One bit at a time, straight from the polynomial 0x1EDC6F41 (reflected). */
function bitwise(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0x82f63b78;
  }
  return ~value >>> 0;
}

describe("CRC-32C", () => {
  // RFC 3720, appendix B.4, and the check value of the catalogue of parametrised CRC algorithms.
  it.each([
    ["32 bytes of zeros", new Uint8Array(32), 0x8a9136aa],
    ["32 bytes of ones", new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ["32 incrementing bytes", Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ["32 decrementing bytes", Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
    ["123456789", new TextEncoder().encode("123456789"), 0xe3069283],
    ["nothing", new Uint8Array(0), 0],
  ])("of %s", (_, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
  });

  it("is that of the polynomial, whole or in pieces", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, cut) => {
        const expected = bitwise(bytes);
        expect(crc32c(bytes)).toBe(expected);
        expect(crc32c(bytes.subarray(cut), crc32c(bytes.subarray(0, cut)))).toBe(expected);
      }),
    );
  });
});
