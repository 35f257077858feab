import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { decompressBlock } from "lz4js";
import { describe, expect, test } from "vitest";
import { KERNEL_ERRORS } from "../src/index.js";
import { compressible } from "./arbitraries.js";
import { expectSame } from "./expect-bytes.js";
import { GuardedMemory } from "./guarded-memory.js";
import { decodeLz4Model } from "./models/lz4-model.js";

const memory = new GuardedMemory();
const k = memory.kernels.exports;

/** Encoders by name; the parameter is the acceleration or the level. */
const ENCODERS = { fast: k.lz4Encode, hc: k.lz4hcEncode };
type EncoderName = keyof typeof ENCODERS;

const encoder = fc.constantFrom<[EncoderName, number][]>(
  ["fast", 1],
  ["fast", 5],
  ["fast", 9],
  ["hc", 1],
  ["hc", 5],
  ["hc", 9],
);

function encode(
  [name, parameter]: [EncoderName, number],
  source: Uint8Array,
  room = source.length + (source.length >> 7) + 32,
  history = new Uint8Array(0),
): Uint8Array {
  memory.reset();
  const both = new Uint8Array(history.length + source.length);
  both.set(history);
  both.set(source, history.length);
  const from = memory.input(both) + history.length;
  const to = memory.output(room);
  const length = memory.run(() => ENCODERS[name](from, source.length, to, room, parameter, history.length));
  return memory.bytes(to, length);
}

function decode(
  source: Uint8Array,
  byteLength: number,
  wanted = byteLength,
  history = new Uint8Array(0),
): Uint8Array | number {
  memory.reset();
  const from = memory.input(source);
  const to = memory.output(history.length + byteLength);
  memory.kernels.bytes.set(history, to);
  const status = memory.run(() =>
    k.lz4Decode(from, source.length, to + history.length, byteLength, wanted, history.length),
  );
  expectSame(memory.bytes(to, history.length), history);
  return status === 0 ? memory.bytes(to + history.length, wanted) : status;
}

describe("encoding", () => {
  test("round trips, is strictly valid, and lz4js reads it", () => {
    fc.assert(
      fc.property(compressible, encoder, (source, how) => {
        const encoded = encode(how, source);
        expect(encoded.length).toBeGreaterThan(0);
        expectSame(decodeLz4Model(encoded, source.length), source);
        expectSame(decode(encoded, source.length), source);
        const other = new Uint8Array(source.length);
        decompressBlock(encoded, other, 0, encoded.length, 0);
        expectSame(other, source);
      }),
      { numRuns: 200 },
    );
  });

  test.each<[EncoderName, number]>([
    ["fast", 5],
    ["hc", 9],
  ])("%s: every short length of a run and of a period", (name, parameter) => {
    for (let length = 0; length < 100; length++) {
      for (const period of [1, 2, 3, 7, 13]) {
        const source = Uint8Array.from({ length }, (_, i) => i % period);
        const encoded = encode([name, parameter], source);
        expectSame(decodeLz4Model(encoded, length), source);
        expectSame(decode(encoded, length), source);
      }
    }
  });

  test("blocks past 64 KiB keep distances inside the window", () => {
    const source = new Uint8Array(200_000);
    const pattern = noise(70_000, 1);
    source.set(pattern);
    source.set(pattern, 70_000);
    source.set(pattern.subarray(0, 60_000), 140_000);
    for (const how of [
      ["fast", 1],
      ["hc", 4],
    ] as [EncoderName, number][]) {
      const encoded = encode(how, source);
      expectSame(decode(encoded, source.length), source);
      expectSame(decodeLz4Model(encoded, source.length), source);
    }
  });

  test("the last match starts twelve bytes before the end", () => {
    const text = "Abcdefghijklmnop0000000000000000Abcdefghijk";
    const source = Uint8Array.from(text, (c) => c.charCodeAt(0));
    for (const how of [
      ["fast", 1],
      ["hc", 9],
    ] as [EncoderName, number][]) {
      expectSame(decodeLz4Model(encode(how, source), source.length), source);
    }
  });

  test("gives up, writing nothing outside, when there is no room", () => {
    fc.assert(
      fc.property(compressible, encoder, fc.nat(), (source, how, n) => {
        const full = encode(how, source);
        const room = n % (full.length + 4);
        const encoded = encode(how, source, room);
        if (encoded.length > 0) {
          expect(encoded.length).toBeLessThanOrEqual(room);
          expectSame(decodeLz4Model(encoded, source.length), source);
        }
        if (room >= full.length + 32) expectSame(encoded, full);
      }),
    );
  });

  test("incompressible bytes do not fit their own length", () => {
    const source = noise(4096, 5);
    expect(encode(["fast", 5], source, 4095)).toHaveLength(0);
    expect(encode(["hc", 9], source, 4095)).toHaveLength(0);
  });

  test("depends on the input alone, not on what was encoded before", () => {
    fc.assert(
      fc.property(compressible, compressible, encoder, (source, other, how) => {
        const first = encode(how, source);
        encode(how, other);
        expectSame(encode(how, source), first);
      }),
      { numRuns: 50 },
    );
  });

  test("refers to a dictionary before the block", () => {
    fc.assert(
      fc.property(compressible, fc.nat(), encoder, (bytes, n, how) => {
        const cut = n % (bytes.length + 1);
        const history = bytes.slice(0, cut);
        const source = bytes.slice(cut);
        const encoded = encode(how, source, undefined, history);
        expectSame(decodeLz4Model(encoded, source.length, history), source);
        expectSame(decode(encoded, source.length, source.length, history), source);
      }),
    );
  });

  test("a higher level is denser on text", () => {
    const words = ["block", "chunk", "frame", "stream", "filter", "shuffle", "delta", "typesize", "offset", "header"];
    const picks = noise(20_000, 3);
    const text = Array.from(picks, (pick) => words[pick % 10]).join(" ");
    const source = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const fast = encode(["fast", 1], source).length;
    const low = encode(["hc", 3], source).length;
    const high = encode(["hc", 9], source).length;
    expect(low).toBeLessThan(fast);
    expect(high).toBeLessThan(low);
  });
});

describe("decoding", () => {
  test("stops once the wanted bytes are there", () => {
    fc.assert(
      fc.property(compressible, fc.nat(), (source, n) => {
        const wanted = n % (source.length + 1);
        const encoded = encode(["fast", 1], source);
        expectSame(decode(encoded, source.length, wanted), source.slice(0, wanted));
      }),
    );
  });

  test.each([
    ["offset before the start", "10410500500102030405", 10],
    ["cut literals", "a0010203", 10],
    ["cut length", "f0ffff", 0],
    ["match past the end", "1f410100c8500102030405", 8],
    ["ends with a match", "14410100", 9],
    ["offset 0", "1041000050010203040506070809", 18],
    ["no input", "", 0],
    ["input left over", "104100", 1],
  ])("refuses: %s", (_what, hex, byteLength) => {
    expect(decode(Uint8Array.from(Buffer.from(hex, "hex")), byteLength)).toBe(KERNEL_ERRORS.STREAM_MALFORMED);
  });

  test("agrees with the strict model on mutated and truncated blocks", () => {
    fc.assert(
      fc.property(
        compressible,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
        fc.option(fc.nat(), { freq: 3 }),
        fc.integer({ min: -20, max: 20 }),
        (source, edits, cut, difference) => {
          let encoded = encode(["fast", 3], source);
          for (const [at, value] of edits) encoded[at % encoded.length] = value;
          if (cut !== null) encoded = encoded.slice(0, cut % (encoded.length + 1));
          const byteLength = Math.max(0, source.length + (edits.length > 1 ? difference : 0));
          const expected = decodeLz4Model(encoded, byteLength);
          const found = decode(encoded, byteLength);
          expectSame(found, typeof expected === "string" ? KERNEL_ERRORS.STREAM_MALFORMED : expected);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("random bytes never write outside", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 2000 }), (source, byteLength) => {
        const expected = decodeLz4Model(source, byteLength);
        const found = decode(source, byteLength);
        expectSame(found, typeof expected === "string" ? KERNEL_ERRORS.STREAM_MALFORMED : expected);
      }),
      { numRuns: 1000 },
    );
  });
});
