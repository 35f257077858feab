import { constants, deflateRawSync, deflateSync, inflateSync } from "node:zlib";
import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adler32 } from "../../src/codec/adler32.js";
import { createZlibReader } from "../../src/codec/create-zlib-codec.js";
import { inflateByFflate } from "../../src/codec/fflate-reader.js";
import { zlibCodec } from "../../src/codec/zlib-codec.js";
import { compressed, contextOf, decompressed, GuardedMemory, structuredInputs } from "./codec-suite.js";

const source = structuredInputs(3000)[4][1];
const good = new Uint8Array(deflateSync(source));

/** Where WebAssembly is missing, zlib is read so. */
const fflateCodec = { ...zlibCodec, ...createZlibReader({ decompress: inflateByFflate }) };

describe.each([
  ["the kernels", zlibCodec],
  ["fflate", fflateCodec],
])("zlib, read by %s", (_reader, codec) => {
  function expectRefused(stream: Uint8Array, byteLength: number, reason: RegExp = /^zlib stream/): void {
    const memory = new GuardedMemory(byteLength);
    expect(() => codec.decompress(stream, memory.inner, contextOf(5))).toThrowError(reason);
    memory.expectIntact();
  }

  describe("zlib against Node's own", () => {
    it("reads what Node writes, at every level and strategy", () => {
      const strategies = [constants.Z_DEFAULT_STRATEGY, constants.Z_HUFFMAN_ONLY, constants.Z_RLE, constants.Z_FIXED];
      fc.assert(
        fc.property(
          fc.oneof(
            fc.uint8Array({ maxLength: 2000 }),
            fc.constantFrom(...structuredInputs(5000).map(([, bytes]) => bytes)),
          ),
          fc.integer({ min: 0, max: 9 }),
          fc.constantFrom(...strategies),
          (bytes, level, strategy) => {
            const stream = new Uint8Array(deflateSync(bytes, { level, strategy }));
            expect(Buffer.compare(decompressed(codec, stream, bytes.byteLength, contextOf(5)), bytes)).toBe(0);
          },
        ),
        { numRuns: 300 },
      );
    });

    it("writes what Node reads", () => {
      for (const clevel of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
        for (const [, bytes] of structuredInputs(5000)) {
          const stream = compressed(codec, bytes, 6000, contextOf(clevel));
          expect(stream && Buffer.compare(inflateSync(stream), bytes)).toBe(0);
        }
      }
    });

    it("decodes 1-bit literals to the end (CASES B54)", () => {
      const bytes = new Uint8Array(200_000);
      const stream = new Uint8Array(deflateSync(bytes, { strategy: constants.Z_HUFFMAN_ONLY }));
      expect(stream.byteLength).toBeLessThan(25_200);
      expect(Buffer.compare(decompressed(codec, stream, 200_000, contextOf(5)), bytes)).toBe(0);
    });
  });

  describe("malformed zlib streams", () => {
    it("with a wrong checksum are refused", () => {
      for (let at = good.byteLength - 4; at < good.byteLength; at++) {
        const bad = good.slice();
        bad[at] ^= 1;
        expectRefused(bad, source.byteLength, /Adler-32/);
      }
    });

    it.each([
      ["a bare header", Uint8Array.of(0x78, 0x9c)],
      ["nothing", new Uint8Array(0)],
      ["raw deflate", new Uint8Array(deflateRawSync(source))],
      ["a preset dictionary", new Uint8Array(deflateSync(source, { dictionary: Buffer.from("age of wisdom") }))],
      ["a failing header check", Uint8Array.from(good, (byte, at) => (at === 1 ? byte ^ 1 : byte))],
      ["another method", Uint8Array.from(good, (byte, at) => (at === 0 ? 0x77 : byte))],
      ["the reserved block type", Uint8Array.of(0x78, 0x9c, 0x07, 0, 0, 0, 0, 1)],
      ["a missing checksum", good.subarray(0, -4)],
      [
        "two streams",
        Uint8Array.from([...deflateSync(source.subarray(0, 1500)), ...deflateSync(source.subarray(1500))]),
      ],
    ])("with %s are refused", (_name, stream) => {
      expectRefused(stream, source.byteLength);
      expectRefused(stream, 0);
    });

    it("that decode to fewer or more bytes are refused", () => {
      for (const byteLength of [0, 1, 2999, 3001, 4000]) expectRefused(good, byteLength, /expected \d+ decoded bytes/);
      const bomb = new Uint8Array(deflateSync(new Uint8Array(10_000_000)));
      expectRefused(bomb, 1000, /found more/);
    });
  });

  describe("bytes after a zlib stream", () => {
    it("are ignored", () => {
      for (const length of [1, 2, 3, 4, 5, 100]) {
        const stream = Uint8Array.from([...good, ...noise(length, length)]);
        expect(Buffer.compare(decompressed(codec, stream, 3000, contextOf(5)), source)).toBe(0);
      }
      const twice = Uint8Array.from([...good, ...good]);
      expect(Buffer.compare(decompressed(codec, twice, 3000, contextOf(5)), source)).toBe(0);
    });

    it("don't make up for a wrong checksum", () => {
      const sum = good.subarray(-4);
      for (const trailing of [[9], [1, 2, 3, 4, 5], [...sum, 7]]) {
        expectRefused(Uint8Array.from([...good.subarray(0, -4), 0, 0, 0, 0, ...trailing]), 3000, /Adler-32/);
      }
    });
  });
});

describe("adler32", () => {
  it("is RFC 1950's", () => {
    const sum = (text: string): number => adler32(new TextEncoder().encode(text));
    expect(adler32(new Uint8Array(0))).toBe(1);
    expect(sum("Wikipedia")).toBe(0x11e60398);
    const long = new Uint8Array(100_000).fill(255);
    expect(adler32(long)).toBe(deflateSync(long).subarray(-4).readUInt32BE());
  });
});
