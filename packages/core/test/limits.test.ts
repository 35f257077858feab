/** A file that demands more than the limits allow gets a named error before anything is allocated for it. */
import { noise } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { asarray } from "../src/b2nd/create-array.js";
import { openArray } from "../src/b2nd/open-array.js";
import { Chunk } from "../src/chunk/chunk.js";
import { defaultEnvironment } from "../src/chunk/chunk-environment.js";
import { chunkFromBytes } from "../src/chunk/chunk-source.js";
import { encodeSpecialChunk } from "../src/chunk/special-chunk.js";
import { memory } from "../src/io/memory-backend.js";
import { DEFAULT_LIMITS, type Limits } from "../src/limits.js";
import { openSChunkReader } from "../src/super-chunk/open-reader.js";
import { SChunk } from "../src/super-chunk/super-chunk.js";

const MIB = 2 ** 20;

function exceeding(limit?: keyof Limits): unknown {
  const details = limit === undefined ? {} : { details: expect.objectContaining({ limit }) };
  return expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED", ...details });
}

/** Runs `action` with the constructors of large arrays watched; gives the most bytes that one of them took. */
function largestArray(action: () => void): number {
  const original = globalThis.Uint8Array;
  let largest = 0;
  globalThis.Uint8Array = new Proxy(original, {
    construct(target, args, newTarget) {
      if (typeof args[0] === "number") largest = Math.max(largest, args[0]);
      return Reflect.construct(target, args, newTarget);
    },
  });
  try {
    action();
  } finally {
    globalThis.Uint8Array = original;
  }
  return largest;
}

/** A frame of 1000 chunks of zeros, 2^31 - 40 bytes each, in a few hundred bytes of file. */
function hugeFrame(): Uint8Array {
  using s = SChunk.create({ typesize: 8, chunksize: 2 ** 31 - 40 });
  s.fillSpecial(1000 * ((2 ** 31 - 40) / 8), "zeros");
  return s.toCframe();
}

describe("the largest decoded chunk", () => {
  it("is held against maxChunkBytes when the chunk is opened", () => {
    const chunk = encodeSpecialChunk("zeros", 64 * MIB, 1);
    const environment = defaultEnvironment({ limits: { maxChunkBytes: 64 * MIB - 1 } });
    const taken = largestArray(() => {
      expect(() => Chunk.open(chunkFromBytes(chunk), environment)).toThrow(exceeding("maxChunkBytes"));
    });
    expect(taken).toBeLessThan(1000);
    expect(Chunk.open(chunkFromBytes(chunk), defaultEnvironment({ limits: { maxChunkBytes: 64 * MIB } })).nbytes).toBe(
      64 * MIB,
    );
  });

  it("is held against it in frames", () => {
    const bytes = hugeFrame();
    const limits = { maxChunkBytes: MIB };
    const taken = largestArray(() => {
      for (const s of [SChunk.fromCframe(bytes, { limits }), openSChunkReader(bytes, { limits })]) {
        expect(() => s.decompressChunk(7)).toThrow(exceeding("maxChunkBytes"));
        expect(() => s.getSlice(0, 1)).toThrow(exceeding("maxChunkBytes"));
        expect(() => s.getSparse([5])).toThrow(exceeding("maxChunkBytes"));
        s.close();
      }
    });
    expect(taken).toBeLessThan(MIB);
  });
});

describe("the largest single allocation", () => {
  it("is held against maxAllocation for chunks and slices", () => {
    const limits = { maxAllocation: MIB };
    const taken = largestArray(() => {
      using s = SChunk.fromCframe(hugeFrame(), { limits });
      expect(() => s.decompressChunk(0)).toThrow(exceeding("maxAllocation"));
      expect(() => [...s.iterChunks()]).toThrow(exceeding("maxAllocation"));
      expect(() => s.getSlice(0, MIB / 8 + 1)).toThrow(exceeding("maxAllocation"));
      expect(() => s.getSlice()).toThrow(exceeding("maxAllocation"));
      expect(() => s.getSparse({ length: MIB / 8 + 1 })).toThrow(exceeding("maxAllocation"));
      expect(s.getSlice(5, 5 + MIB / 8)).toEqual(new Uint8Array(MIB));
    });
    expect(taken).toBeLessThanOrEqual(MIB);
  });

  it("is held against it for arrays", () => {
    const backend = memory();
    asarray(new Uint8Array(64 * 64), {
      shape: [64, 64],
      chunks: [64, 64],
      blocks: [64, 64],
      urlpath: "a",
      io: backend,
    }).close();
    using a = openArray("a", { io: backend, limits: { maxAllocation: 2000 } });
    expect(() => a.getSlice()).toThrow(exceeding("maxAllocation"));
    expect(() => a.get([0])).toThrow(exceeding("maxAllocation")); // its block has 4096 bytes
  });

  it("is held against it for a frame's header, index and trailer", () => {
    using s = SChunk.create({ typesize: 1, chunksize: 1, cparams: { clevel: 0 } });
    for (let i = 0; i < 300; i++) s.appendData(Uint8Array.of(i));
    s.vlmeta.set("noise", noise(5000));
    expect(() => SChunk.fromCframe(s.toCframe(), { limits: { maxAllocation: 4000 } })).toThrow(
      exceeding("maxAllocation"),
    );
    using big = SChunk.create({ typesize: 1, meta: { big: new Uint8Array(6000) } });
    expect(() => SChunk.fromCframe(big.toCframe(), { limits: { maxAllocation: 5000 } })).toThrow(
      exceeding("maxAllocation"),
    );
  });
});

describe("limits that can't be", () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("%s is refused by name", (value) => {
    for (const limit of ["maxAllocation", "maxChunkBytes"] as const) {
      const refused = expect.objectContaining({
        code: "BLOSC2_ARGUMENT_INVALID",
        message: expect.stringContaining(`limits.${limit}`),
      });
      expect(() => defaultEnvironment({ limits: { [limit]: value } })).toThrow(refused);
      expect(() => SChunk.create({ limits: { [limit]: value } })).toThrow(refused);
      expect(() => openSChunkReader(new Uint8Array(0), { limits: { [limit]: value } })).toThrow(refused);
    }
  });

  it("those that are not given have the format's bounds", () => {
    expect(defaultEnvironment({ limits: { maxAllocation: 5 } }).limits).toEqual({
      ...DEFAULT_LIMITS,
      maxAllocation: 5,
    });
    expect(defaultEnvironment({ limits: {} }).limits).toEqual(DEFAULT_LIMITS);
  });
});
