import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadKernels } from "../src/index.js";

const kernels = loadKernels();
const SOURCE = kernels.exports.heapBase();

/** The polynomial division of RFC 3720, appendix B.4, bit by bit. */
function byBits(bytes: Uint8Array): number {
  let register = 0xffffffff;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ ((register & 1) * 0x82f63b78);
  }
  return ~register >>> 0;
}

function byKernel(bytes: Uint8Array, previous = 0, address = SOURCE): number {
  kernels.arena.reserve(0, bytes.byteLength + 64);
  kernels.bytes.set(bytes, address);
  return kernels.exports.crc32c(address, bytes.byteLength, previous) >>> 0;
}

describe("CRC-32C", () => {
  it.each<[string, Uint8Array, number]>([
    ["zeros", new Uint8Array(32), 0x8a9136aa],
    ["ones", new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ["counting up", Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ["counting down", Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
    ["digits", new TextEncoder().encode("123456789"), 0xe3069283],
    ["nothing", new Uint8Array(0), 0],
  ])("is that of RFC 3720 for %s", (_, bytes, expected) => {
    expect(byKernel(bytes)).toBe(expected);
  });

  it("is that of the division for any length, wherever the bytes are, in one piece or two", () => {
    const input = fc.record({
      length: fc.integer({ min: 0, max: 45000 }),
      seed: fc.nat(),
      cut: fc.nat(),
      shift: fc.nat(15),
    });
    fc.assert(
      fc.property(input, ({ length, seed, cut, shift }) => {
        const bytes = noise(length, seed);
        const at = length === 0 ? 0 : cut % length;
        const expected = byBits(bytes);
        expect(byKernel(bytes, 0, SOURCE + shift)).toBe(expected);
        expect(byKernel(bytes.subarray(at), byKernel(bytes.subarray(0, at)))).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  it("leaves what it sums as it is, and can be given its bytes where it says", () => {
    const bytes = Uint8Array.from({ length: 32768 }, (_, i) => (i * i) >> 5);
    const input = kernels.exports.crcInput();
    expect(byKernel(bytes, 0, input)).toBe(byBits(bytes));
    expect(kernels.bytes.slice(input, input + bytes.byteLength)).toEqual(bytes);
  });
});
