/** What a frame's names and metadata can and can't do to the program that reads them. */
import { describe, expect, it } from "vitest";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { encodeSpecialChunk } from "../../src/chunk/special-chunk.js";
import { isBlosc2Error, memory, openArray, SChunk } from "../../src/index.js";

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"];

function reopened(fill: (s: SChunk) => void): SChunk {
  using s = SChunk.create({ typesize: 1 });
  fill(s);
  return SChunk.fromCframe(s.toCframe());
}

/** Bytes of a msgpack map with one key, whose value is a map `{ x: 1 }`. */
function mapWithKey(key: string): Uint8Array {
  return Uint8Array.from([0x81, 0xa0 + key.length, ...new TextEncoder().encode(key), 0x81, 0xa1, 0x78, 0x01]);
}

describe("names that every object has", () => {
  it.each(NAMES)("metalayers called %s are metalayers like others", (name) => {
    using s = SChunk.create({ typesize: 1, meta: Object.fromEntries([[name, Uint8Array.of(1, 2)]]) });
    s.vlmeta.set(name, Uint8Array.of(3, 4));
    using reader = SChunk.fromCframe(s.toCframe());
    expect(reader.meta.keys()).toEqual([name]);
    expect(reader.meta.get(name)).toEqual(Uint8Array.of(1, 2));
    expect(reader.vlmeta.get(name)).toEqual(Uint8Array.of(3, 4));
    const others = NAMES.filter((other) => other !== name);
    expect(others.filter((other) => reader.meta.has(other) || reader.vlmeta.has(other))).toEqual([]);
  });

  it("in msgpack values change no other object", () => {
    using s = reopened(({ vlmeta }) => {
      for (const name of NAMES) vlmeta.set(name, mapWithKey(name));
    });
    for (const name of NAMES) {
      const value = s.vlmeta.getValue(name) as object;
      expect(Object.keys(value)).toEqual([name]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(({} as { constructor: { x?: unknown } }).constructor.x).toBeUndefined();
  });
});

describe("msgpack values", () => {
  it.each([500, 501, 1_000_000])("nested %i deep are read, or refused by name", (depth) => {
    const bytes = new Uint8Array(depth + 1).fill(0x91);
    bytes[depth] = 0xc0;
    using s = reopened(({ vlmeta }) => vlmeta.set("deep", bytes));
    if (depth > 500) {
      expect(() => s.vlmeta.getValue("deep")).toThrow(/msgpack: nesting at position 501: expected at most 500/);
      return;
    }
    let value = s.vlmeta.getValue("deep");
    let seen = 0;
    for (; Array.isArray(value); seen++) value = value[0];
    expect([seen, value]).toEqual([depth, null]);
  });

  it.each([
    ["an array", [0xdd, 0x7f, 0xff, 0xff, 0xff]],
    ["a map", [0xdf, 0xff, 0xff, 0xff, 0xff]],
    ["a string", [0xdb, 0xff, 0xff, 0xff, 0xff, 0x61]],
    ["bytes", [0xc6, 0x7f, 0xff, 0xff, 0xff, 0x61]],
    ["an extension", [0xc9, 0x7f, 0xff, 0xff, 0xff, 0x05, 0x61]],
    ["a value", []],
    ["a type", [0xc1]],
  ])("refuse %s that the bytes do not have, without memory for it", (_, bytes) => {
    using s = reopened(({ vlmeta }) => vlmeta.set("v", Uint8Array.from(bytes)));
    const before = process.memoryUsage();
    expect(() => s.vlmeta.getValue("v")).toThrow(expect.toSatisfy((error: unknown) => isBlosc2Error(error)));
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1_000_000);
    expect(after.heapUsed - before.heapUsed).toBeLessThan(50_000_000);
  });
});

describe("bombs", () => {
  const limits = { maxAllocation: 2 ** 20, maxChunkBytes: 2 ** 20 };

  it("a vlmetalayer that stands for more than the limit is refused", () => {
    using s = SChunk.create({ typesize: 1 });
    s.vlmeta.set("big", new Uint8Array(2 ** 24));
    const frame = s.toCframe();
    expect(frame.byteLength).toBeLessThan(100_000);
    using reader = SChunk.fromCframe(frame, { limits });
    expect(() => reader.vlmeta.get("big")).toThrow(expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }));
  });

  it("chunks of zeros and of one run are refused, and so is all of the data; parts are read", () => {
    using s = SChunk.create({ typesize: 1, chunksize: 2 ** 24 });
    s.appendChunk(encodeSpecialChunk("zeros", 2 ** 24, 1));
    s.appendChunk(compressChunk(new Uint8Array(2 ** 24).fill(7), { typesize: 1 }));
    s.appendChunk(encodeSpecialChunk("zeros", 2 ** 24, 1));
    const frame = s.toCframe();
    expect(frame.byteLength).toBeLessThan(200_000);
    using strict = SChunk.fromCframe(frame, { limits });
    for (const index of [0, 1, 2]) {
      expect(() => strict.decompressChunk(index)).toThrow(expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }));
    }
    using reader = SChunk.fromCframe(frame, { limits: { maxAllocation: 2 ** 20 } });
    expect(() => reader.getSlice()).toThrow(expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }));
    expect(reader.getSlice(2 ** 24 + 5, 2 ** 24 + 8)).toEqual(Uint8Array.of(7, 7, 7));
  });
});

it("a dtype is parsed, never run", () => {
  const backend = memory();
  const b2nd = (dtype: string): Uint8Array => {
    const text = new TextEncoder().encode(dtype);
    // Version 0, 1 dimension, shape 8, chunk 8, block 8, dtype format 0 (NumPy).
    const shape = [0x91, 0xd3, 0, 0, 0, 0, 0, 0, 0, 8, 0x91, 0xd2, 0, 0, 0, 8, 0x91, 0xd2, 0, 0, 0, 8];
    return Uint8Array.from([0x97, 0, 1, ...shape, 0, 0xdb, 0, 0, 0, text.length, ...text]);
  };
  const hostile = [
    "process.exit(1)",
    "[('a', __import__('os').system('id'))]",
    "constructor",
    "__proto__",
    "[".repeat(250),
    `${"[('a', ".repeat(30)}'<i4'`,
    "<i99999999999999999999",
    "|V2147483648",
  ];
  for (const dtype of hostile) {
    using s = SChunk.create({ urlpath: "a.b2nd", io: backend, typesize: 1, chunksize: 8, meta: { b2nd: b2nd(dtype) } });
    s.fillSpecial(8, "zeros");
    s.close();
    const read = (): unknown => {
      using array = openArray("a.b2nd", { io: backend });
      return array.getSlice().data;
    };
    expect(read, dtype).toThrow(expect.toSatisfy((error: unknown) => isBlosc2Error(error)));
  }
});
