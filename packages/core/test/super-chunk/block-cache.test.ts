/** Blocks that are kept after they were decoded: what they save, what they take, and that they never outlive their chunk. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asarray } from "../../src/b2nd/create-array.js";
import { openArray } from "../../src/b2nd/open-array.js";
import type { Engine } from "../../src/block/engine.js";
import { BlockCache } from "../../src/chunk/block-cache.js";
import { Chunk, keepBlocksIn } from "../../src/chunk/chunk.js";
import { defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { isBlosc2Error } from "../../src/errors.js";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { directoryBackend } from "../frame/directory-backend.js";

const PATH = "c.b2frame";

/** The default engine, counting the blocks that it decodes. */
function countingEngine(): Engine & { decoded: number } {
  const { engine } = defaultEnvironment();
  return {
    name: engine.name,
    lease: engine.lease,
    decoded: 0,
    stage: (byteLength, blockByteLength) => engine.stage(byteLength, blockByteLength),
    decodeBlock(layout, request) {
      this.decoded++;
      engine.decodeBlock(layout, request);
    },
    encodeBlock: (layout, request) => engine.encodeBlock(layout, request),
    filterBlock: (layout, source, blockIndex, reference) => engine.filterBlock(layout, source, blockIndex, reference),
  };
}

function ramp(itemCount: number): Int32Array {
  return Int32Array.from({ length: itemCount }, (_, i) => Math.imul(i, i) >> 3);
}

/** 10 chunks of 10 blocks of 1000 items. */
function stored(): { bytes: Uint8Array; data: Uint8Array } {
  const items = ramp(100_000);
  using s = SChunk.create({ data: items, chunksize: 40_000, cparams: { codec: "lz4", blocksize: 4000 } });
  return { bytes: s.toCframe(), data: new Uint8Array(items.buffer) };
}

describe("a second read of the same block", () => {
  it("decodes nothing", () => {
    const { bytes, data } = stored();
    const engine = countingEngine();
    using s = SChunk.fromCframe(bytes, { engine, blockCacheBytes: 1 << 20 });
    engine.decoded = 0;
    expect(s.getSlice(10_100, 10_110)).toEqual(data.subarray(40_400, 40_440));
    expect(engine.decoded).toBe(1);
    for (const [from, to] of [
      [10_100, 10_110],
      [10_000, 11_000],
      [10_999, 11_000],
      [10_000, 10_001],
    ] as const)
      expect(s.getSlice(from, to)).toEqual(data.subarray(4 * from, 4 * to));
    expect(s.getSparse([10_500, 10_001])).toEqual(
      new Uint8Array([...data.subarray(42_000, 42_004), ...data.subarray(40_004, 40_008)]),
    );
    expect(engine.decoded).toBe(1);
    expect(s.getSlice(9_990, 12_010)).toEqual(data.subarray(39_960, 48_040));
    expect(engine.decoded).toBe(4);
  });

  it("decodes it again without a cache", () => {
    const engine = countingEngine();
    using s = SChunk.fromCframe(stored().bytes, { engine });
    engine.decoded = 0;
    for (let i = 0; i < 3; i++) s.getSlice(100, 110);
    expect(engine.decoded).toBe(3);
  });

  it("decodes nothing in an array", () => {
    const backend = memory();
    const items = ramp(64 * 64);
    asarray(items, { shape: [64, 64], chunks: [32, 32], blocks: [8, 8], urlpath: PATH, io: backend }).close();
    const engine = countingEngine();
    using a = openArray(PATH, { io: backend, engine, blockCacheBytes: 1 << 20 });
    const first = a.getSlice([3, 5], [20, 40]);
    const { decoded } = engine;
    expect(a.getSlice([3, 5], [20, 40]).bytes).toEqual(first.bytes);
    expect(a.get([4, 6]).data[0]).toBe(items[4 * 64 + 6]);
    expect(engine.decoded).toBe(decoded);
  });
});

describe("reading whole chunks", () => {
  it("neither fills the cache nor asks it", () => {
    const { bytes, data } = stored();
    const engine = countingEngine();
    using s = SChunk.fromCframe(bytes, { engine, blockCacheBytes: 1 << 20 });
    s.getSlice(5, 6);
    engine.decoded = 0;
    expect(s.getSlice()).toEqual(data);
    expect([...s.iterChunks()]).toHaveLength(10);
    expect(engine.decoded).toBe(200);
    s.getSlice(5, 6);
    expect(engine.decoded).toBe(200);
    s.getSlice(50_005, 50_006);
    expect(engine.decoded).toBe(201);
  });
});

describe("memory", () => {
  const environment = defaultEnvironment();
  const open = (blocksize: number, nbytes: number): Chunk => {
    const bytes = new Uint8Array(nbytes).map((_, i) => Math.imul(i, 2654435761) >>> 24);
    return Chunk.open(chunkFromBytes(compressChunk(bytes, { blocksize, clevel: 1 }, environment)), environment);
  };

  it("stays within the bound, whatever the sizes of blocks", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200_000 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9_998 })), { maxLength: 60 }),
        (maxBytes, reads) => {
          const cache = new BlockCache(maxBytes);
          const chunks = [256, 1024, 5000, 700].map((blocksize) => open(blocksize, 10_000));
          for (const [key, chunk] of chunks.entries()) keepBlocksIn(chunk, cache, key);
          for (const [key, at] of reads) {
            const chunk = chunks[key] as Chunk;
            expect(chunk.readItems(at, 2)).toEqual(
              Uint8Array.of(Math.imul(at, 2654435761) >>> 24, Math.imul(at + 1, 2654435761) >>> 24),
            );
            expect(cache.heldBytes).toBeLessThanOrEqual(maxBytes);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("keeps the blocks used last, and uses their memory again", () => {
    const engine = countingEngine();
    const bytes = ramp(20_000);
    const chunk = Chunk.open(
      chunkFromBytes(compressChunk(bytes, { blocksize: 4000, typesize: 4 }, environment)),
      defaultEnvironment({ engine }),
    );
    const cache = new BlockCache(3 * (4000 + 256));
    keepBlocksIn(chunk, cache, 7);
    const misses = (order: readonly number[]): number => {
      engine.decoded = 0;
      for (const block of order) chunk.readItems(block * 4000, 1);
      return engine.decoded;
    };
    expect(misses([0, 1, 2])).toBe(3);
    expect(misses([0, 1, 2])).toBe(0);
    expect(misses([3, 1, 2])).toBe(1); // 0 went
    expect(misses([0])).toBe(1); // 3 went
    expect(misses([1, 2])).toBe(0);
    expect(cache.heldBytes).toBe(12_000);
    cache.forget(8);
    keepBlocksIn(chunk, cache, 7);
    expect(misses([0, 1, 2])).toBe(0);
    cache.forget(7);
    keepBlocksIn(chunk, cache, 7);
    expect(misses([0, 1, 2, 0, 1, 2])).toBe(3);
    expect(cache.heldBytes).toBe(12_000);
  });

  it("holds nothing of a block that can't be decoded", () => {
    const bytes = compressChunk(
      ramp(5_000),
      { codec: "lz4", blocksize: 4000, typesize: 4, splitmode: "never" },
      environment,
    );
    const good = Chunk.open(chunkFromBytes(bytes.slice()), environment);
    const bad = bytes.slice();
    bad.fill(0xff, bad.byteLength - 400);
    const chunk = Chunk.open(chunkFromBytes(bad), environment);
    keepBlocksIn(chunk, new BlockCache(20_000), 1);
    for (let i = 0; i < 3; i++) {
      expect(() => chunk.readItems(19_999, 1)).toThrow(expect.toSatisfy((error) => isBlosc2Error(error)));
      expect(chunk.readItems(10, 8)).toEqual(good.readItems(10, 8));
    }
  });

  it("is not taken for a size that can't be", () => {
    for (const blockCacheBytes of [-1, 1.5, Number.NaN, 2 ** 53])
      expect(() => SChunk.create({ blockCacheBytes })).toThrow(
        expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }),
      );
  });
});

const CHUNK = 2048;

/** A chunk of blocks that can be compressed, or else it is stored and there is nothing to decode. */
function content(seed: number): Uint8Array {
  return Uint8Array.from({ length: CHUNK }, (_, i) => ((i >> 6) * 31 + seed) & 0xff);
}

const options = {
  typesize: 1,
  chunksize: CHUNK,
  cparams: { codec: "lz4", blocksize: 256, typesize: 1, filters: [] },
} as const;

describe("a chunk that is gone", () => {
  it("leaves nothing to the one that takes its place", () => {
    using s = SChunk.create({ ...options, blockCacheBytes: 1 << 20 });
    s.appendData(content(1));
    s.appendData(content(2));
    const held = s.openChunk(1);
    expect(s.getSlice(CHUNK + 5, CHUNK + 9)).toEqual(content(2).subarray(5, 9));
    s.updateData(1, content(3));
    // Void by now; but it must not hand what it reads to others.
    held.readBytes(300, 310, new Uint8Array(10));
    expect(s.getSlice(CHUNK + 5, CHUNK + 9)).toEqual(content(3).subarray(5, 9));
    const before = s.openChunk(1);
    s.updateData(1, content(4));
    expect(() => before.readBytes(600, 610, new Uint8Array(10))).not.toThrow();
    expect(s.getSlice(CHUNK + 600, CHUNK + 610)).toEqual(content(4).subarray(600, 610));
  });

  it("is void for who holds it, and so are the blocks that it decodes", () => {
    const cache = new BlockCache(1 << 20);
    const environment = defaultEnvironment();
    const open = (seed: number): Chunk =>
      Chunk.open(chunkFromBytes(compressChunk(content(seed), options.cparams, environment)), environment);
    const [old, young] = [open(1), open(2)];
    keepBlocksIn(old, cache, 0);
    cache.forget(0);
    keepBlocksIn(young, cache, 0);
    expect(old.readItems(3, 4)).toEqual(content(1).subarray(3, 7));
    expect(young.readItems(3, 4)).toEqual(content(2).subarray(3, 7));
  });

  it.each([
    ["contiguous", true],
    ["sparse", false],
  ])("is not served after a refresh: %s", (_, contiguous) => {
    const backend = directoryBackend();
    using writer = SChunk.create({ ...options, urlpath: PATH, io: backend, contiguous });
    for (let i = 0; i < 3; i++) writer.appendData(content(i));
    writer.flush();
    using reader = SChunk.open(PATH, backend, { blockCacheBytes: 1 << 20 });
    for (let i = 0; i < 3; i++) expect(reader.getSlice(i * CHUNK, i * CHUNK + 9)).toEqual(content(i).subarray(0, 9));
    writer.deleteChunk(0);
    writer.appendData(content(7));
    writer.flush();
    writer.compact();
    reader.refresh();
    for (const [i, seed] of [1, 2, 7].entries())
      expect(reader.getSlice(i * CHUNK, i * CHUNK + 9)).toEqual(content(seed).subarray(0, 9));
  });
});

describe("with a cache", () => {
  const at = fc.nat(100_000);
  const step = fc.tuple(
    fc.constantFrom("read", "append", "insert", "update", "set", "delete", "flush", "compact", "reverse", "follow"),
    at,
    fc.nat(3000),
  );

  it.each([
    ["contiguous", true],
    ["sparse", false],
  ])("a %s frame reads as without, through every edit and refresh", (_, contiguous) => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 600, max: 20_000 }),
        (steps, blockCacheBytes) => {
          const backend = directoryBackend();
          using s = SChunk.create({ ...options, contiguous, urlpath: PATH, io: backend, blockCacheBytes });
          using plain = SChunk.create(options);
          using follower = SChunk.open(PATH, backend, { blockCacheBytes });
          const both = [s, plain];
          const expectSame = (cached: SChunk, start: number, stop: number): void =>
            expect(cached.getSlice(start, stop)).toEqual(plain.getSlice(start, stop));
          for (const [name, position, value] of steps) {
            const { nchunks, itemCount } = plain;
            const i = position % Math.max(1, nchunks);
            const data = content(value);
            if (name === "append") for (const t of both) t.appendData(data);
            else if (name === "insert") for (const t of both) t.insertData(i, data);
            else if (name === "flush") s.flush();
            else if (name === "compact") s.compact();
            else if (nchunks === 0) continue;
            else if (name === "update") for (const t of both) t.updateData(i, data);
            else if (name === "delete") for (const t of both) t.deleteChunk(i);
            else if (name === "set") {
              for (const t of both) t.setSlice(position % itemCount, data.subarray(0, 1 + (value % CHUNK)));
            } else if (name === "read") {
              expectSame(s, position % itemCount, Math.min(itemCount, (position % itemCount) + value));
            } else if (name === "follow") {
              s.flush();
              follower.refresh();
              for (let from = 0; from + 9 < itemCount; from += 431) expectSame(follower, from, from + 9);
            } else if (itemCount === nchunks * CHUNK) {
              const order = Array.from({ length: nchunks }, (__, k) => nchunks - 1 - k);
              for (const t of both) t.reorderOffsets(order);
            }
            for (let from = 0; from + 9 < plain.itemCount; from += 523) expectSame(s, from, from + 9);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
