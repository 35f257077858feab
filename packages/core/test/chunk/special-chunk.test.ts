import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import { defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import type { SpecialKind } from "../../src/chunk/chunk-header.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { encodeSpecialChunk, fillPattern } from "../../src/chunk/special-chunk.js";
import { ArgumentError } from "../../src/errors.js";
import { fixture, fixtureBytes } from "./chunk-fixtures.js";
import { expectBytes } from "./expect-bytes.js";

const open = (bytes: Uint8Array): Chunk => Chunk.open(chunkFromBytes(bytes), defaultEnvironment());

describe("encodeSpecialChunk", () => {
  it.each<[string, SpecialKind, number, number, number[] | undefined]>([
    ["special/nan/t4/n4", "nan", 4, 4, undefined],
    ["special/nan/t8/n8000", "nan", 8000, 8, undefined],
    ["special/repeat/t1/n1", "value", 1, 1, [0xc2]],
    ["special/nan/t4/n0", "nan", 0, 4, undefined],
    ["special/uninit/t1/n0", "uninit", 0, 1, undefined],
  ])("writes what C-Blosc2 writes: %s", (id, kind, nbytes, typesize, value) => {
    const chunk = encodeSpecialChunk(kind, nbytes, typesize, value && Uint8Array.from(value));
    expectBytes(chunk, fixtureBytes(fixture(id)));
  });

  it("repeats a value of any length, above 255 bytes too", () => {
    const value = Uint8Array.from({ length: 300 }, (_, i) => i % 251);
    const chunk = open(encodeSpecialChunk("value", 3000, 300, value));
    expect(chunk).toMatchObject({ special: "value", typesize: 1, nbytes: 3000, cbytes: 332 });
    const expected = Uint8Array.from({ length: 3000 }, (_, i) => (i % 300) % 251);
    expectBytes(chunk.decompress(), expected);
    const part = new Uint8Array(700);
    chunk.readBytes(299, 999, part);
    expectBytes(part, expected.subarray(299, 999));
  });

  it("reads NaN as floats from any item on", () => {
    const chunk = open(encodeSpecialChunk("nan", 80, 8));
    const items = chunk.readItems(3, 4);
    expect(Array.from(new Float64Array(items.buffer))).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    expect(open(encodeSpecialChunk("nan", 8, 4)).decompress()).toEqual(Uint8Array.of(0, 0, 192, 127, 0, 0, 192, 127));
  });

  it("reads uninitialised content as zeros, whatever the target held", () => {
    const target = new Uint8Array(12).fill(9);
    open(encodeSpecialChunk("uninit", 8, 4)).decompressInto(target, 2);
    expect(Array.from(target)).toEqual([9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9]);
  });

  it.each<[string, () => Uint8Array]>([
    ["nbytes -1", () => encodeSpecialChunk("zeros", -1, 1)],
    ["nbytes 2^31", () => encodeSpecialChunk("zeros", 2 ** 31, 1)],
    ["nbytes 1.5", () => encodeSpecialChunk("zeros", 1.5, 1)],
    ["typesize 0", () => encodeSpecialChunk("zeros", 8, 0)],
    ["a part of an item", () => encodeSpecialChunk("uninit", 7, 4)],
    ["NaN of typesize 2", () => encodeSpecialChunk("nan", 8, 2)],
    ["no value", () => encodeSpecialChunk("value", 8, 4)],
    ["a value that does not divide nbytes", () => encodeSpecialChunk("value", 8, 1, new Uint8Array(3))],
    ["a value for zeros", () => encodeSpecialChunk("zeros", 8, 1, new Uint8Array(1))],
  ])("refuses %s", (_, call) => {
    expect(call).toThrow(ArgumentError);
  });
});

describe("fillPattern", () => {
  it("equals a plain loop", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 20 }),
        fc.nat(60),
        fc.nat(60),
        fc.nat(100),
        (pattern, from, length, phase) => {
          const target = new Uint8Array(from + length + 3).fill(1);
          const expected = target.slice();
          for (let i = 0; i < length; i++) expected[from + i] = pattern[(phase + i) % pattern.byteLength] as number;
          fillPattern(target, from, from + length, pattern, phase);
          expect(target).toEqual(expected);
        },
      ),
    );
  });
});
