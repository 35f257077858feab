import { describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import {
  type ChunkEnvironment,
  defaultEnvironment,
  type EnvironmentOptions,
} from "../../src/chunk/chunk-environment.js";
import { type ChunkSource, chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { compressVlBlocks } from "../../src/chunk/compress-vl-blocks.js";
import { encodeSpecialChunk } from "../../src/chunk/special-chunk.js";
import { ArgumentError, isBlosc2Error } from "../../src/errors.js";
import { fixture, fixtureBytes, sha256 } from "./chunk-fixtures.js";
import { expectBytes } from "./expect-bytes.js";
import { sampleData } from "./sample-data.js";

const environment: ChunkEnvironment = defaultEnvironment({ engine: "portable" });
const open = (bytes: Uint8Array, options: EnvironmentOptions = {}): Chunk =>
  Chunk.open(chunkFromBytes(bytes), { ...environment, ...defaultEnvironment({ engine: "portable", ...options }) });

/** Counts what is read of a chunk. */
function countingSource(bytes: Uint8Array): ChunkSource & { reads: [number, number][] } {
  const inner = chunkFromBytes(bytes);
  const reads: [number, number][] = [];
  return {
    reads,
    byteLength: inner.byteLength,
    location: inner.location,
    read(offset, length) {
      reads.push([offset, length]);
      return inner.read(offset, length);
    },
    readInto(offset, target) {
      reads.push([offset, target.byteLength]);
      inner.readInto(offset, target);
    },
  };
}

function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (isBlosc2Error(error)) return error.code;
    throw error;
  }
  return "none";
}

describe("partial reads", () => {
  const data = sampleData("walk", 64_000, 4);
  const compressed = compressChunk(data, { codec: "lz4", typesize: 4, blocksize: 4000 }, environment);

  it("read only the compressed bytes of the blocks that are touched", () => {
    const source = countingSource(compressed);
    const chunk = Chunk.open(source, environment);
    expect(source.reads).toEqual([[0, 512]]);
    source.reads.length = 0;
    expectBytes(chunk.readItems(2100, 10), data.subarray(8400, 8440));
    expect(source.reads).toHaveLength(1);
    const oneBlock = source.reads[0]?.[1] as number;
    expect(oneBlock).toBeLessThan(compressed.byteLength / 10);
    source.reads.length = 0;
    expectBytes(chunk.readItems(1999, 1002), data.subarray(7996, 12_004));
    expect(source.reads).toHaveLength(1);
    expect(source.reads[0]?.[1]).toBeLessThan(compressed.byteLength / 3);
  });

  it("read a stored chunk straight into the target", () => {
    const noise = sampleData("random", 10_000, 1);
    const source = countingSource(compressChunk(noise, { typesize: 1 }, environment));
    const chunk = Chunk.open(source, environment);
    expect(chunk.header.memcpyed).toBe(true);
    source.reads.length = 0;
    expectBytes(chunk.readItems(5000, 7), noise.subarray(5000, 5007));
    expect(source.reads).toEqual([[5032, 7]]);
  });

  it("decode block 0 once for a filter that refers to it", () => {
    const withDelta = compressChunk(
      data,
      { codec: "lz4", typesize: 4, blocksize: 4000, filters: ["delta"] },
      environment,
    );
    const source = countingSource(withDelta);
    const chunk = Chunk.open(source, environment);
    source.reads.length = 0;
    expectBytes(chunk.readItems(5000, 10), data.subarray(20_000, 20_040));
    expectBytes(chunk.readItems(7000, 10), data.subarray(28_000, 28_040));
    expect(source.reads).toHaveLength(3);
    expectBytes(chunk.decompress(), data);
  });

  it("find blocks that lie out of order", () => {
    const stored = fixture("crafted/blocks-reversed");
    const chunk = open(fixtureBytes(stored));
    const whole = chunk.decompress();
    expect(sha256(whole)).toBe(stored.sha256);
    expectBytes(chunk.readItems(150, 100), whole.subarray(600, 1000));
  });

  it("take items of the super-chunk's typesize where that is known", () => {
    const items = sampleData("ramp", 3000, 300);
    const chunk = compressChunk(items, { typesize: 300 }, environment);
    expectBytes(open(chunk, { superChunkTypesize: 300 }).readItems(3, 2), items.subarray(900, 1500));
    expectBytes(open(chunk).readItems(3, 2), items.subarray(3, 5));
  });

  it("give out single blocks", () => {
    const chunk = open(compressed);
    expect(chunk).toMatchObject({ nbytes: 64_000, typesize: 4, blocksize: 4000, nblocks: 16, special: undefined });
    const target = new Uint8Array(4001);
    chunk.readBlockInto(15, target, 1);
    expectBytes(target.subarray(1), data.subarray(60_000));
    expect(chunk.blockByteLength(15)).toBe(4000);
  });
});

describe("arguments", () => {
  const chunk = open(compressChunk(new Uint8Array(100).fill(3), { typesize: 4 }, environment));
  const target = new Uint8Array(100);

  it.each<[string, () => void]>([
    ["start after stop", () => chunk.readBytes(5, 4, target)],
    ["stop past the end", () => chunk.readBytes(0, 101, target)],
    ["a negative start", () => chunk.readBytes(-1, 4, target)],
    ["a fraction", () => chunk.readBytes(0, 1.5, target)],
    ["NaN", () => chunk.readBytes(Number.NaN, 4, target)],
    ["a small target", () => chunk.decompressInto(new Uint8Array(99))],
    ["a target offset past the room", () => chunk.decompressInto(target, 1)],
    ["a negative target offset", () => chunk.readBytes(0, 4, target, -1)],
    ["items past the end", () => chunk.readItems(20, 6)],
    ["a negative item count", () => chunk.readItems(3, -1)],
    ["a block past the end", () => chunk.readBlockInto(1, target)],
    ["variable-length blocks where there are none", () => chunk.vlBlocks()],
  ])("are checked: %s", (_, call) => {
    expect(call).toThrow(ArgumentError);
  });
});

describe("limits", () => {
  it("refuse a chunk above maxChunkBytes when it is opened", () => {
    const bytes = encodeSpecialChunk("zeros", 2_000_000, 1);
    expect(codeOf(() => open(bytes, { limits: { maxChunkBytes: 1_999_999 } }))).toBe("BLOSC2_LIMIT_EXCEEDED");
  });

  it("refuse an allocation above maxAllocation", () => {
    const chunk = open(encodeSpecialChunk("zeros", 2_000_000, 1), { limits: { maxAllocation: 1_000_000 } });
    expect(codeOf(() => chunk.decompress())).toBe("BLOSC2_LIMIT_EXCEEDED");
    expect(chunk.readItems(1_999_990, 10)).toEqual(new Uint8Array(10));
  });

  it("refuse content that its streams can't hold, before memory is taken for it", () => {
    // One block of 500 MB whose stream claims 4 bytes of LZ4.
    const bytes = compressChunk(
      sampleData("ramp", 64, 1),
      { codec: "lz4", typesize: 1, filters: [] },
      environment,
    ).slice(0, 44);
    const view = new DataView(bytes.buffer);
    bytes[2] = 0x35;
    view.setInt32(4, 500_000_000, true);
    view.setInt32(8, 500_000_000, true);
    view.setInt32(12, 44, true);
    view.setInt32(32, 36, true);
    view.setInt32(36, 4, true);
    const before = process.memoryUsage().arrayBuffers;
    const chunk = open(bytes);
    expect(codeOf(() => chunk.decompress())).toBe("BLOSC2_FORMAT_BAD_LENGTH");
    expect(codeOf(() => chunk.readItems(5, 1))).toBe("BLOSC2_FORMAT_BAD_LENGTH");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });
});

describe("overlapping blocks", () => {
  it("decode though the next start lies inside a block's streams", () => {
    // Two blocks of 8 bytes; the second one's stream (a run of zeros) lies in the first one's raw bytes.
    const bytes = new Uint8Array(32 + 8 + 4 + 8);
    const view = new DataView(bytes.buffer);
    bytes.set([5, 1, 0x35, 1]);
    view.setInt32(4, 16, true);
    view.setInt32(8, 8, true);
    view.setInt32(12, bytes.byteLength, true);
    view.setInt32(32, 40, true);
    view.setInt32(36, 48, true);
    view.setInt32(40, 8, true);
    bytes.set([1, 2, 3, 4, 0, 0, 0, 0], 44);
    expect(Array.from(open(bytes).decompress())).toEqual([1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("hooks", () => {
  const invert = (source: Uint8Array, target: Uint8Array): void => {
    for (let i = 0; i < source.byteLength; i++) target[i] = ~(source[i] as number);
  };

  it("run a postfilter on whole blocks, whatever part is read", () => {
    const data = sampleData("walk", 10_000, 4);
    for (const clevel of [0, 5]) {
      const seen: [number, number][] = [];
      const chunk = open(compressChunk(data, { typesize: 4, blocksize: 1024, clevel }, environment), {
        postfilter: (source, target, { blockIndex, offset }) => {
          seen.push([blockIndex, offset]);
          invert(source, target);
        },
      });
      expectBytes(
        chunk.readItems(500, 100),
        data.subarray(2000, 2400).map((byte) => ~byte),
      );
      expect(seen).toEqual([
        [1, 1024],
        [2, 2048],
      ]);
      expectBytes(
        chunk.decompress(),
        data.map((byte) => ~byte),
      );
    }
  });

  it("run a postfilter on special chunks, and may read another chunk through the same engine", () => {
    const other = open(compressChunk(sampleData("ramp", 100, 4), { typesize: 4 }, environment));
    const chunk = open(encodeSpecialChunk("value", 100, 1, Uint8Array.of(7)), {
      postfilter: (source, target) => {
        const added = other.decompress();
        for (let i = 0; i < source.byteLength; i++) target[i] = (source[i] as number) + (added[i] as number);
      },
    });
    expectBytes(
      chunk.decompress(),
      sampleData("ramp", 100, 4).map((byte) => byte + 7),
    );
  });

  it("store what a prefilter makes, for every kind of result", () => {
    for (const [kind, clevel] of [
      ["walk", 5],
      ["random", 5],
      ["walk", 0],
    ] as const) {
      const data = sampleData(kind, 5000, 4);
      const compressed = compressChunk(
        data,
        { typesize: 4, clevel, blocksize: 512, filters: ["delta"], prefilter: invert },
        environment,
      );
      expectBytes(
        open(compressed).decompress(),
        data.map((byte) => ~byte),
      );
      expectBytes(data, sampleData(kind, 5000, 4));
    }
    const ones = new Uint8Array(1000).fill(0xff);
    const zeros = open(compressChunk(ones, { typesize: 1, prefilter: invert }, environment));
    expect(zeros.special).toBe("zeros");
  });
});

describe("variable-length blocks", () => {
  const blocks = [3, 700, 1, 64].map((length, i) => sampleData("walk", length, 4, i));
  const compressed = compressVlBlocks(blocks, { codec: "lz4", typesize: 4 }, environment);

  it("are version 6, and count blocks in the blocksize field", () => {
    expect(Array.from(compressed.subarray(0, 12))).toEqual([6, 1, 0x35, 4, 0, 3, 0, 0, 4, 0, 0, 0]);
    expect(compressed[0x1e]).toBe(1);
  });

  it("can be read as one", () => {
    const all = Buffer.concat(blocks);
    const chunk = open(compressed);
    expectBytes(chunk.decompress(), all);
    const part = new Uint8Array(100);
    chunk.readBytes(660, 760, part);
    expectBytes(part, all.subarray(660, 760));
  });

  it("are their own delta reference", () => {
    const chunk = open(compressVlBlocks(blocks, { codec: "blosclz", typesize: 4, filters: ["delta"] }, environment));
    expect(chunk.vlBlocks()).toEqual(blocks);
  });

  it("are refused when there are none or one is empty", () => {
    expect(() => compressVlBlocks([], {}, environment)).toThrow(ArgumentError);
    expect(() => compressVlBlocks([new Uint8Array(0)], {}, environment)).toThrow(ArgumentError);
  });
});

it("names the codec that is missing and how to get it", () => {
  const bytes = compressChunk(sampleData("ramp", 500, 1), { codec: "lz4", typesize: 1 }, environment);
  bytes[2] = ((bytes[2] as number) & 0x1f) | (6 << 5);
  bytes[0x16] = 38;
  expect(() => open(bytes).decompress()).toThrow(/openzl/);
});
