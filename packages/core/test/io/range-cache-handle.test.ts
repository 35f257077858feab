import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RangeCacheHandle } from "../../src/backend.js";
import { rangeCacheHandle } from "../../src/index.js";

const file = Uint8Array.from({ length: 200 }, (_, i) => i);

describe("RangeCacheHandle", () => {
  it("property: reads what was fetched and nothing else", () => {
    const span = fc
      .tuple(fc.nat(199), fc.nat(60))
      .map(([start, length]) => [start, Math.min(200, start + length)] as const);
    fc.assert(
      fc.property(fc.array(span, { maxLength: 8 }), span, (fetched, [start, stop]) => {
        const handle = new RangeCacheHandle(200);
        const there = new Set<number>();
        for (const [from, to] of fetched) {
          handle.add({ position: from, bytes: file.subarray(from, to) });
          for (let i = from; i < to; i++) there.add(i);
        }
        const wanted = Array.from({ length: stop - start }, (_, i) => start + i);
        const whole = wanted.every((i) => there.has(i));
        expect(handle.has(start, stop - start)).toBe(whole);
        if (whole) {
          expect(handle.read(start, stop - start)).toEqual(file.subarray(start, stop));
          const target = new Uint8Array(stop - start);
          handle.readInto(start, target);
          expect(target).toEqual(file.subarray(start, stop));
        } else {
          const missing = wanted.find((i) => !there.has(i));
          expect(() => handle.read(start, stop - start)).toThrow(
            expect.objectContaining({
              code: "BLOSC2_IO_NOT_PREFETCHED",
              details: expect.objectContaining({ position: start, length: stop - start, missing }),
            }),
          );
        }
      }),
    );
  });

  it("keeps the bytes that came first", () => {
    const handle = new RangeCacheHandle(10, [{ position: 2, bytes: Uint8Array.of(1, 1) }]);
    handle.add({ position: 0, bytes: Uint8Array.of(2, 2, 2, 2, 2, 2) });
    expect(handle.read(0, 6)).toEqual(Uint8Array.of(2, 2, 1, 1, 2, 2));
  });

  it("serves a read inside one range without a copy", () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    expect(new RangeCacheHandle(10, [{ position: 3, bytes }]).read(4, 2).buffer).toBe(bytes.buffer);
  });

  it("refuses ranges past the size, and sizes that can't be", () => {
    const invalid = expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" });
    expect(() => new RangeCacheHandle(-1)).toThrow(invalid);
    expect(() => new RangeCacheHandle(3, [{ position: 2, bytes: Uint8Array.of(1, 2) }])).toThrow(invalid);
    expect(() => new RangeCacheHandle(3, [{ position: 0.5, bytes: Uint8Array.of(1) }])).toThrow(invalid);
  });

  it("a checked one takes ranges later on, and is read-only", () => {
    const { handle, ranges } = rangeCacheHandle(10, [], "https://example.org/a.b2frame");
    expect(() => handle.read(0, 2)).toThrow(
      /https:\/\/example.org\/a.b2frame: read of 2 bytes at position 0: byte 0 was not/,
    );
    ranges.add({ position: 0, bytes: Uint8Array.of(5, 6) });
    expect(handle.read(0, 2)).toEqual(Uint8Array.of(5, 6));
    expect(() => handle.write(0, Uint8Array.of(1))).toThrow(expect.objectContaining({ code: "BLOSC2_IO_READ_ONLY" }));
    handle.close();
    expect(() => handle.read(0, 2)).toThrow(expect.objectContaining({ code: "BLOSC2_IO_CLOSED" }));
  });
});
