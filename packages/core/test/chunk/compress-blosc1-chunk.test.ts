import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import { type ChunkEnvironment, defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { type Blosc1CParams, compressBlosc1Chunk } from "../../src/chunk/compress-blosc1-chunk.js";
import { isBlosc2Error } from "../../src/errors.js";
import { registerZstd } from "../../src/zstd.js";
import { expectBytes } from "./expect-bytes.js";
import { DATA_KINDS, sampleData } from "./sample-data.js";

beforeAll(() => registerZstd());

const CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];
const FORMAT_CODES = [0, 1, 1, 3, 4];

function decompressed(chunk: Uint8Array, environment: ChunkEnvironment): Uint8Array {
  return Chunk.open(chunkFromBytes(chunk), environment).decompress();
}

function codeOf(params: Partial<Blosc1CParams>, source: unknown = new Uint8Array(1000)): string | undefined {
  try {
    compressBlosc1Chunk(source as Uint8Array, params);
  } catch (error) {
    return isBlosc2Error(error) ? error.code : String(error);
  }
  return undefined;
}

describe.each(["portable", "kernels"] as const)("with the %s engine", (engine) => {
  it("every chunk reads as what went in, and takes at most 16 bytes more", () => {
    const environment = defaultEnvironment({ engine });
    const others = (["portable", "kernels"] as const).map((name) => defaultEnvironment({ engine: name }));
    const params = fc.record({
      codec: fc.constantFrom(...CODECS),
      shuffle: fc.constantFrom("noshuffle" as const, "shuffle" as const, "bitshuffle" as const),
      typesize: fc.constantFrom(1, 2, 3, 4, 7, 8, 16, 17, 255, 256),
      clevel: fc.nat(9),
      blocksize: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9000 })),
    });
    const data = fc.tuple(fc.oneof(fc.nat(300), fc.nat(40_000)), fc.constantFrom(...DATA_KINDS));
    fc.assert(
      fc.property(params, data, (given, [byteLength, kind]) => {
        const source = sampleData(kind, byteLength, given.typesize);
        const chunk = compressBlosc1Chunk(source, given, environment);
        expect(chunk.byteLength).toBeLessThanOrEqual(byteLength + 16);
        for (const other of others) expectBytes(decompressed(chunk, other), source);
      }),
      { numRuns: 150 },
    );
  });
});

describe("the header", () => {
  it("is the one of Blosc 1.x: version 2, 16 bytes, filters in the flags", () => {
    CODECS.forEach((codec, i) => {
      for (const [shuffle, bits] of [
        ["noshuffle", 0],
        ["shuffle", 1],
        ["bitshuffle", 4],
      ] as const) {
        const chunk = compressBlosc1Chunk(new Float64Array(4096), { codec, shuffle });
        const view = new DataView(chunk.buffer);
        expect([chunk[0], chunk[1], chunk[3]]).toEqual([2, 1, 8]);
        expect(chunk[2]! & 0x0f, `${codec} ${shuffle}`).toBe(bits);
        expect(chunk[2]! >> 5).toBe(FORMAT_CODES[i]);
        expect(view.getInt32(4, true)).toBe(32_768);
        expect(view.getInt32(12, true)).toBe(chunk.byteLength);
        expect(chunk.byteLength).toBeLessThan(2000);
      }
    });
  });

  it("says that short, incompressible and level 0 content is stored", () => {
    const noise = sampleData("random", 1000, 1);
    for (const [source, params] of [
      [new Uint8Array(127), {}],
      [noise, { codec: "zlib" }],
      [new Uint8Array(1000), { clevel: 0 }],
      [new Uint8Array(0), {}],
    ] as const) {
      const chunk = compressBlosc1Chunk(source, params);
      expect(chunk[2]! & 2).toBe(2);
      expect(chunk.subarray(16)).toEqual(new Uint8Array(source));
    }
  });

  it("never asks for what readers of Blosc 1 do not split: over 16 streams, or streams under 128 bytes", () => {
    const splits = (typesize: number, blocksize: number): boolean => {
      const chunk = compressBlosc1Chunk(new Uint8Array(64 * 1024), { codec: "lz4", typesize, blocksize });
      return (chunk[2]! & 0x10) === 0;
    };
    expect(splits(8, 1024)).toBe(true);
    expect(splits(8, 1016)).toBe(false);
    expect(splits(16, 2048)).toBe(true);
    expect(splits(17, 17 * 1024)).toBe(false);
  });

  it("has no run streams, which its readers do not know", () => {
    const chunk = compressBlosc1Chunk(new Uint8Array(8192), { codec: "lz4", typesize: 1, shuffle: "noshuffle" });
    const view = new DataView(chunk.buffer);
    expect(view.getInt32(view.getInt32(16, true), true)).toBeGreaterThan(0);
  });
});

it("bit shuffle of bytes that are no whole items treats items as bytes", () => {
  const chunk = compressBlosc1Chunk(new Uint8Array(4095), { shuffle: "bitshuffle", typesize: 8 });
  expect(chunk[3]).toBe(1);
});

it("refuses what Blosc 1 has not", () => {
  expect(codeOf({ shuffle: "delta" as "shuffle" })).toBe("BLOSC2_ARGUMENT_INVALID");
  expect(codeOf({ shuffle: "constructor" as "shuffle" })).toBe("BLOSC2_ARGUMENT_INVALID");
  expect(codeOf({ codec: "snappy" })).toMatch(/^BLOSC2_(ARGUMENT_INVALID|UNSUPPORTED_CODEC)$/);
  expect(codeOf({ clevel: 10 })).toBe("BLOSC2_ARGUMENT_INVALID");
  expect(codeOf({ typesize: 0 })).toBe("BLOSC2_ARGUMENT_INVALID");
  expect(codeOf({ blocksize: -1 })).toBe("BLOSC2_ARGUMENT_INVALID");
  expect(codeOf({}, "text")).toBe("BLOSC2_ARGUMENT_INVALID");
});
