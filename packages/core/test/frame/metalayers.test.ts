import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "../../src/bytes/utf8.js";
import { decodeTrailer, decodeTrailerLength, encodeTrailer } from "../../src/frame/frame-trailer.js";
import { MetalayerList, requireMetalayerName } from "../../src/frame/metalayers.js";

const NOWHERE = { path: undefined, position: 0 };
const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((name) => {
  const { byteLength } = encodeUtf8(name);
  return byteLength > 0 && byteLength <= 31 && !name.includes("\0");
});
const layers = fc.uniqueArray(fc.record({ name: names, content: fc.uint8Array({ maxLength: 300 }) }), {
  selector: ({ name }) => name,
  maxLength: 40,
});

describe("trailers", () => {
  it("give back the vlmetalayers that they were made of, in order", () => {
    fc.assert(
      fc.property(layers, (vlmetalayers) => {
        const bytes = encodeTrailer(vlmetalayers);
        const tail = bytes.subarray(bytes.byteLength - 23);
        expect(decodeTrailerLength(tail, NOWHERE, bytes.byteLength)).toBe(bytes.byteLength);
        const decoded = decodeTrailer(bytes, NOWHERE);
        expect(decoded.map(({ name }) => name)).toEqual(vlmetalayers.map(({ name }) => name));
        expect(decoded.map(({ content }) => [...content])).toEqual(vlmetalayers.map(({ content }) => [...content]));
      }),
    );
  });

  it("have 35 bytes when empty, the index size counted from its own marker", () => {
    const expected = `940193cd0006de0000dc0000ce00000023d800${"00".repeat(16)}`;
    expect(Buffer.from(encodeTrailer([])).toString("hex")).toBe(expected);
  });

  it("are refused with two metalayers of one name", () => {
    const twice = encodeTrailer([
      { name: "ab", content: new Uint8Array(1) },
      { name: "ac", content: new Uint8Array(1) },
    ]);
    twice[twice.indexOf("ac".charCodeAt(1), 10)] = "b".charCodeAt(0);
    expect(() => decodeTrailer(twice, NOWHERE)).toThrow("a name of its own");
  });
});

describe("metalayer lists", () => {
  it("behave as a map that keeps the order of insertion", () => {
    const commands = fc.array(
      fc.tuple(fc.boolean(), fc.constantFrom("a", "b", "c", "d"), fc.uint8Array({ maxLength: 4 })),
    );
    fc.assert(
      fc.property(commands, (steps) => {
        const list = new MetalayerList();
        const model = new Map<string, Uint8Array>();
        for (const [set, name, content] of steps) {
          if (set) {
            list.set(name, content);
            model.set(name, content);
          } else {
            expect(list.delete(name)).toBe(model.delete(name));
          }
        }
        expect(list.layers.map(({ name, content }) => [name, content])).toEqual([...model]);
      }),
    );
  });
});

it.each(["", "x".repeat(32), "ä".repeat(16), "a\0b"])("refuses the name %j", (name) => {
  expect(() => requireMetalayerName(name)).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
});
