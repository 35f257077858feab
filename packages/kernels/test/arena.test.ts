import { describe, expect, test } from "vitest";
import { Arena, shiftApart } from "../src/arena.js";
import { KERNEL_ERRORS, kernelsSupported, loadKernels } from "../src/index.js";

const REGIONS = [
  "source",
  "reference",
  "otherScratch",
  "scratch",
  "filtered",
  "output",
  "dictionary",
  "boxes",
  "staging",
] as const;

/** Bytes that are reserved for boxes. */
const BOXES = 70_000;

/** What each buffer has to hold for blocks of `n` bytes, as the kernels' contracts and the shift have it. */
const SIZES: Record<(typeof REGIONS)[number], (n: number) => number> = {
  source: (n) => n + 4096,
  reference: (n) => n + 4096,
  otherScratch: (n) => n,
  scratch: (n) => n + 255 * 128,
  filtered: (n) => n + 255 * 128,
  output: (n) => n + 255 * 5 + 4096,
  dictionary: (n) => n + 32768,
  boxes: () => BOXES,
  staging: () => 0,
};

class FakeMemory {
  byteLength = 65536;
  refuses = false;

  grow(pages: number): void {
    if (this.refuses) throw new RangeError("no");
    this.byteLength += pages * 65536;
  }
}

describe("Arena", () => {
  test.each([0, 1, 63, 4096, 100_000, 1 << 20])("buffers for blocks of %i bytes fit and do not overlap", (n) => {
    const memory = new FakeMemory();
    const arena = new Arena(memory, 5000);
    arena.reserve(n, 12_345, BOXES);
    expect(arena.source).toBeGreaterThanOrEqual(5000);
    for (let i = 0; i + 1 < REGIONS.length; i++) {
      const [region, next] = [REGIONS[i]!, REGIONS[i + 1]!];
      expect(arena[region] + SIZES[region](n)).toBeLessThanOrEqual(arena[next]);
      expect(arena[region] % 4096).toBe(0);
    }
    expect(arena.staging + 12_345).toBeLessThanOrEqual(memory.byteLength);
    expect(arena.blockByteLength).toBeGreaterThanOrEqual(n);
  });

  test("moves for larger blocks only, and says when views become invalid", () => {
    const arena = new Arena(new FakeMemory(), 0);
    expect(arena.reserve(100_000, 0)).toBe(true);
    const { staging } = arena;
    expect(arena.reserve(50_000, 0)).toBe(false);
    expect(arena.reserve(100_000, 1 << 22)).toBe(true);
    expect(arena.reserve(100_000, 1 << 22)).toBe(false);
    expect(arena.staging).toBe(staging);
    expect(arena.reserve(300_000, 0)).toBe(true);
  });

  test("stays as it was when memory is refused", () => {
    const memory = new FakeMemory();
    const arena = new Arena(memory, 0);
    arena.reserve(1000, 1000);
    const before = REGIONS.map((region) => arena[region]);
    memory.refuses = true;
    expect(() => arena.reserve(1 << 24, 0)).toThrow(RangeError);
    expect(REGIONS.map((region) => arena[region])).toEqual(before);
    expect(arena.blockByteLength).toBeLessThan(1 << 24);
  });

  test.each([0, 16, 17, 2048, 4095, 123_456])("a shift puts bytes half a page from offset %i", (offset) => {
    const view = new Uint8Array(8);
    const shift = shiftApart(view, offset);
    const distance = (((offset - shift) % 4096) + 4096) % 4096;
    expect(shift % 16).toBe(0);
    expect(shift).toBeLessThan(4096);
    expect(Math.abs(distance - 2048)).toBeLessThan(16);
  });
});

describe("loading", () => {
  test("each instance has a memory of its own, with its own views", () => {
    expect(kernelsSupported()).toBe(true);
    const [one, two] = [loadKernels(), loadKernels()];
    one.bytes[one.arena.source] = 1;
    expect(two.bytes[two.arena.source]).toBe(0);
    const before = one.bytes;
    expect(one.owns(before)).toBe(true);
    expect(two.owns(before)).toBe(false);
    one.arena.reserve(1 << 20, 1 << 20);
    expect(before.byteLength).toBe(0);
    expect(one.bytes.byteLength).toBeGreaterThan(1 << 21);
    expect(one.owns(one.bytes)).toBe(true);
  });

  test("every status is a negative number of its own", () => {
    const codes = Object.values(KERNEL_ERRORS);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.every((code) => code < 0)).toBe(true);
  });
});
