import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KERNEL_ERRORS } from "../src/index.js";
import { compressible } from "./arbitraries.js";
import { expectSame } from "./expect-bytes.js";
import { GuardedMemory } from "./guarded-memory.js";
import { decodeBlosclzModel } from "./models/blosclz-model.js";

const memory = new GuardedMemory();
const k = memory.kernels.exports;

function encode(level: number, source: Uint8Array, room = source.length + (source.length >> 4) + 66): Uint8Array {
  memory.reset();
  const from = memory.input(source);
  const to = memory.output(room);
  const length = memory.run(() => k.blosclzEncode(from, source.length, to, room, level));
  return memory.bytes(to, length);
}

function decode(source: Uint8Array, byteLength: number, wanted = byteLength): Uint8Array | number {
  memory.reset();
  const from = memory.input(source);
  const to = memory.output(byteLength);
  const status = memory.run(() => k.blosclzDecode(from, source.length, to, byteLength, wanted));
  return status === 0 ? memory.bytes(to, wanted) : status;
}

const level = fc.integer({ min: 1, max: 9 });

describe("encoding", () => {
  test("round trips and is what the model reads", () => {
    fc.assert(
      fc.property(compressible, level, (source, clevel) => {
        const encoded = encode(clevel, source);
        if (source.length < 16) {
          expect(encoded).toHaveLength(0);
          return;
        }
        expectSame(decodeBlosclzModel(encoded, source.length), source);
        expectSame(decode(encoded, source.length), source);
      }),
      { numRuns: 300 },
    );
  });

  test("every short length of a run and of a period", () => {
    for (let length = 16; length < 120; length++) {
      for (const period of [1, 2, 3, 7, 13]) {
        const source = Uint8Array.from({ length }, (_, i) => i % period);
        const encoded = encode(5, source);
        expectSame(decodeBlosclzModel(encoded, length), source);
        expectSame(decode(encoded, length), source);
      }
    }
  });

  test("near and far distances on both sides of their border", () => {
    const pattern = noise(40, 2);
    for (const distance of [8189, 8190, 8191, 8192, 8193, 8194, 73726, 73727, 73728]) {
      const source = noise(distance + 100, distance);
      source.set(pattern, 10);
      source.set(pattern, 10 + distance);
      const encoded = encode(9, source);
      expectSame(decodeBlosclzModel(encoded, source.length), source);
      expectSame(decode(encoded, source.length), source);
    }
  });

  test("gives up, writing nothing outside, when there is no room", () => {
    fc.assert(
      fc.property(compressible, level, fc.nat(), (source, clevel, n) => {
        const room = n % (source.length + 1);
        const encoded = encode(clevel, source, room);
        expect(encoded.length).toBeLessThanOrEqual(room);
        if (encoded.length > 0) expectSame(decodeBlosclzModel(encoded, source.length), source);
      }),
    );
  });

  test("depends on the input alone, not on what was encoded before", () => {
    fc.assert(
      fc.property(compressible, compressible, level, (source, other, clevel) => {
        const first = encode(clevel, source);
        encode(clevel, other);
        expectSame(encode(clevel, source), first);
      }),
      { numRuns: 50 },
    );
  });
});

describe("decoding", () => {
  test("stops once the wanted bytes are there", () => {
    fc.assert(
      fc.property(compressible, fc.nat(), (source, n) => {
        fc.pre(source.length >= 16);
        const wanted = n % (source.length + 1);
        expectSame(decode(encode(9, source), source.length, wanted), source.slice(0, wanted));
      }),
    );
  });

  test("drops a match that ends the input, and so refuses the stream", () => {
    const stream = Uint8Array.from([0x23, 1, 2, 3, 4, 0x20, 3]);
    expect(decode(stream, 7)).toBe(KERNEL_ERRORS.STREAM_MALFORMED);
    expectSame(decode(Uint8Array.from([...stream, 0, 9]), 8), Uint8Array.from([1, 2, 3, 4, 1, 2, 3, 9]));
  });

  test("agrees with the model on mutated and truncated streams", () => {
    fc.assert(
      fc.property(
        compressible,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
        fc.option(fc.nat(), { freq: 3 }),
        (source, edits, cut) => {
          fc.pre(source.length >= 16);
          let encoded = encode(5, source);
          for (const [at, value] of edits) encoded[at % encoded.length] = value;
          if (cut !== null) encoded = encoded.slice(0, cut % (encoded.length + 1));
          const expected = decodeBlosclzModel(encoded, source.length);
          const found = decode(encoded, source.length);
          expectSame(found, typeof expected === "string" ? KERNEL_ERRORS.STREAM_MALFORMED : expected);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("random bytes never write outside", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 2000 }), (source, byteLength) => {
        const expected = decodeBlosclzModel(source, byteLength);
        const found = decode(source, byteLength);
        expectSame(found, typeof expected === "string" ? KERNEL_ERRORS.STREAM_MALFORMED : expected);
      }),
      { numRuns: 1000 },
    );
  });
});
