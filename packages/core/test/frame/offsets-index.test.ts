import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/block/engine.js";
import { defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { decodeChunkHeader } from "../../src/chunk/chunk-header.js";
import { decodeIndex, encodeIndex, entrySpecial, OffsetsIndex, specialEntry } from "../../src/frame/offsets-index.js";

const environment = defaultEnvironment();
const location = { structure: "index chunk", position: 0 };
const entry = fc.oneof(
  fc.constantFrom(specialEntry("zeros"), specialEntry("nan"), specialEntry("uninit")),
  fc.nat(100_000),
  fc.integer({ min: 0, max: 2 ** 45 }),
);

function indexOf(entries: readonly number[]): OffsetsIndex {
  return new OffsetsIndex(Float64Array.from(entries));
}

/** An engine's methods, to replace some of them. */
function engineMethods(engine: Engine): Engine {
  return {
    name: engine.name,
    lease: engine.lease,
    stage: (byteLength, blockByteLength) => engine.stage(byteLength, blockByteLength),
    chunkBuffer: (byteLength, blockByteLength) => engine.chunkBuffer(byteLength, blockByteLength),
    decodeBlock: (layout, request) => engine.decodeBlock(layout, request),
    encodeBlock: (layout, request) => engine.encodeBlock(layout, request),
    filterBlock: (layout, source, blockIndex, reference) => engine.filterBlock(layout, source, blockIndex, reference),
  };
}

describe("the offsets index", () => {
  it("comes back from its chunk", () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 500 }), (entries) => {
        const chunk = encodeIndex(indexOf(entries), environment);
        const decoded = decodeIndex(chunk, location, environment, { chunkCount: entries.length, maxEntry: 2 ** 46 });
        expect([...decoded.entries()]).toEqual(entries);
      }),
    );
  });

  it("behaves as an array", () => {
    const step = fc.tuple(fc.constantFrom("insert", "set", "delete", "append", "reverse"), fc.nat(1000), entry);
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const index = new OffsetsIndex();
        let model: number[] = [];
        for (const [what, at, value] of steps) {
          if (what === "insert") {
            const i = at % (model.length + 1);
            index.insert(i, value);
            model.splice(i, 0, value);
          } else if (what === "append") {
            index.appendRepeated(value, at % 5);
            model.push(...new Array<number>(at % 5).fill(value));
          } else if (model.length > 0) {
            const i = at % model.length;
            if (what === "set") {
              index.set(i, value);
              model[i] = value;
            } else if (what === "delete") {
              index.delete(i);
              model.splice(i, 1);
            } else {
              index.reorder(model.map((_, each) => model.length - 1 - each));
              model = model.reverse();
            }
          }
          expect(index.length).toBe(model.length);
        }
        expect([...index.entries()]).toEqual(model);
      }),
    );
  });

  it("is compressed as C-Blosc2 does: blosclz, shuffle in the last slot, typesize 8, never split, stored for 1 to 3", () => {
    const offsets = Float64Array.from({ length: 3000 }, (_, i) => i * 1000);
    const header = decodeChunkHeader(encodeIndex(new OffsetsIndex(offsets), environment), location);
    expect(header).toMatchObject({
      nbytes: 24000,
      typesize: 8,
      blocksize: 16384,
      compcode: 0,
      split: false,
      memcpyed: false,
    });
    expect([...header.filters]).toEqual([0, 0, 0, 0, 0, 1]);
    for (const count of [1, 2, 3]) {
      const small = encodeIndex(new OffsetsIndex(offsets.slice(0, count)), environment);
      expect(decodeChunkHeader(small, location).memcpyed).toBe(true);
      expect(small.byteLength).toBe(32 + 8 * count);
    }
  });

  it("takes 40 bytes when all chunks are special alike", () => {
    const index = new OffsetsIndex();
    index.appendRepeated(specialEntry("nan"), 100_000);
    expect(encodeIndex(index, environment).byteLength).toBe(40);
  });

  it("tests the bits of the top byte as C-Blosc2 does, and refuses what has none of them", () => {
    const kinds = { 129: "zeros", 130: "nan", 131: "zeros", 132: "uninit", 133: "zeros", 134: "uninit", 193: "zeros" };
    for (const [byte, kind] of Object.entries(kinds)) {
      const chunk = encodeIndex(indexOf([5]), environment);
      chunk[39] = Number(byte);
      const decoded = decodeIndex(chunk, location, environment, { chunkCount: 1, maxEntry: 100 });
      expect(entrySpecial(decoded.at(0)), byte).toBe(kind);
    }
    for (const byte of [0x80, 0x88, 0xf8]) {
      const chunk = encodeIndex(indexOf([5]), environment);
      chunk[39] = byte;
      expect(() => decodeIndex(chunk, location, environment, { chunkCount: 1, maxEntry: 100 })).toThrow(
        expect.objectContaining({ code: "BLOSC2_FORMAT_BAD_OFFSET" }),
      );
    }
  });

  it("is refused with an offset out of range, or another number of entries", () => {
    const chunk = encodeIndex(indexOf([0, 200]), environment);
    const decode = (chunkCount: number, maxEntry: number) => () =>
      decodeIndex(chunk, location, environment, { chunkCount, maxEntry });
    expect(decode(2, 200)).not.toThrow();
    expect(decode(2, 199)).toThrow("offset of chunk 1");
    expect(decode(3, 200)).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_BAD_LENGTH" }));
  });

  it("refuses more entries than an index chunk holds, before any allocation", () => {
    const index = new OffsetsIndex();
    expect(() => index.appendRepeated(-1, 2 ** 28)).toThrow(expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }));
  });
});

describe("a long index", () => {
  const long = fc.array(entry, { minLength: 8193, maxLength: 20_000, size: "max" });
  const decode = (entries: readonly number[], maxEntry = 2 ** 46, engine = environment.engine): OffsetsIndex => {
    const chunk = encodeIndex(indexOf(entries), environment);
    return decodeIndex(chunk, location, { ...environment, engine }, { chunkCount: entries.length, maxEntry });
  };

  it("has the same entries whichever is asked for first, and changes as a short one does", () => {
    fc.assert(
      fc.property(long, fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), (entries, places) => {
        const index = decode(entries);
        expect(index.length).toBe(entries.length);
        for (const place of places) {
          expect(index.at(place % entries.length)).toBe(entries[place % entries.length]);
        }
        const model = [...entries];
        const at = (places[0] as number) % model.length;
        index.insert(at, 77);
        model.splice(at, 0, 77);
        index.delete(0);
        model.shift();
        index.appendRepeated(-1, 2);
        model.push(-1, -1);
        expect(Float64Array.from(model)).toEqual(index.entries().slice());
      }),
      { numRuns: 20 },
    );
  });

  it("is decoded block by block, each once", () => {
    const entries = Array.from({ length: 100_000 }, (_, i) => i * 1000);
    const blocks: number[] = [];
    const { engine } = environment;
    const index = decode(entries, 2 ** 46, {
      ...engineMethods(engine),
      decodeBlock: (layout, request) => {
        blocks.push(request.blockIndex);
        engine.decodeBlock(layout, request);
      },
    });
    expect(blocks).toEqual([]);
    // 16,384 bytes a block: 2,048 entries.
    for (const at of [50_000, 50_001, 49_152, 51_199, 99_999, 50_000]) expect(index.at(at)).toBe(at * 1000);
    expect(blocks).toEqual([24, 48]);
    index.entries();
    expect(blocks.length).toBe(49);
  });

  it("is refused where an entry is bad, when that one is used", () => {
    const entries = Array.from({ length: 30_000 }, (_, i) => i);
    entries[29_000] = 2 ** 40;
    const index = decode(entries, 2 ** 39);
    expect(index.at(5)).toBe(5);
    const refusal = expect.objectContaining({
      code: "BLOSC2_FORMAT_BAD_OFFSET",
      message: expect.stringContaining("offset of chunk 29000"),
    });
    expect(() => index.at(28_999)).toThrow(refusal);
    expect(() => index.entries()).toThrow(refusal);
    expect(() => index.insert(0, 1)).toThrow(refusal);
    expect(index.length).toBe(30_000);
  });
});
