/** Work in memory that all threads see: the same results on one thread and on many, in memory of each kind. */
import { asarray, type CParams, openArray, SChunk } from "@b2frame/core";
import { handleBudgetState, stdio } from "@b2frame/io-stdio";
import { registerNodeCodecs } from "@b2frame/node-codecs";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { appendChunks, readAll, readArray, readChunks, readSlice, WorkerPool } from "../src/index.js";
import { piecesOf, same, sampleBytes, TemporaryFolder, writeFrame } from "./sample-frames.js";
import { workerPools } from "./worker-pools.js";

registerNodeCodecs();
const folder = new TemporaryFolder();
const pools = workerPools();
const LENGTH = 2_000_000;
const CHUNK = 300_000;
const bytes = sampleBytes(LENGTH);
const CODEC_MODULE = new URL("./programs/reversed-codec.mjs", import.meta.url);

afterAll(() => folder.remove());

const CPARAMS: readonly Partial<CParams>[] = [
  { codec: "lz4" },
  { codec: "lz4", filters: ["delta", "shuffle"], blocksize: 65536 },
  { codec: "lz4hc", filters: ["bitshuffle"], clevel: 9 },
  { codec: "blosclz", filters: [] },
  { codec: "zlib", clevel: 1 },
  { codec: "zstd", clevel: 1, filters: ["shuffle"] },
  { codec: "zstd", clevel: 3, useDict: true, blocksize: 16384 },
  { codec: "lz4", clevel: 0 },
  { codec: "lz4", splitmode: "never", blocksize: 40_004 },
];

/** All chunks of a frame, each copied while it is there. */
async function chunksOf(path: string, pool: WorkerPool, io: "stdio" | "mmap" = "stdio"): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(path, { pool, io, reuse: true })) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

describe.each(CPARAMS)("%j", (cparams) => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(bytes, CHUNK), CHUNK, cparams);

  test("is read into the pool's memory, and no further", async () => {
    for (const pool of pools) {
      const memory = pool.allocate(LENGTH + 9);
      for (const io of ["stdio", "mmap"] as const) {
        memory.fill(0xa5);
        const filled = await readAll(path, { io, pool, target: memory.subarray(3) });
        expect(same(filled, bytes)).toBe(true);
        expect(filled.buffer).toBe(memory.buffer);
        expect([...memory.subarray(0, 3), ...memory.subarray(LENGTH + 3)]).toEqual(new Array(9).fill(0xa5));
        const part = await readSlice(path, { start: 77_777, stop: 399_999 }, { io, pool, target: memory });
        expect(same(part, bytes.subarray(4 * 77_777, 4 * 399_999))).toBe(true);
        expect(same(await chunksOf(path, pool, io), bytes)).toBe(true);
      }
      expect(pool.diagnostics).toEqual([]);
    }
  });

  test("is written as on one thread, byte for byte, from memory of each kind", async () => {
    const sizes = [CHUNK, CHUNK, 4, 1000, CHUNK, 40_000];
    for (const pool of pools) {
      for (const memory of [new Uint8Array(LENGTH), pool.allocate(LENGTH)]) {
        memory.set(bytes);
        const frames = [false, true].map(async (onThreads) => {
          using out = SChunk.create({ typesize: 4, chunksize: CHUNK, cparams });
          const pieces = sizes.map((size, i) => memory.subarray(i * CHUNK, i * CHUNK + size));
          if (onThreads) await appendChunks(out, pieces, { pool });
          else for (const piece of pieces) out.appendData(piece);
          return out.toCframe();
        });
        const [expected, found] = await Promise.all(frames);
        expect(same(found as Uint8Array, expected as Uint8Array)).toBe(true);
      }
    }
  });
});

test("any part of an array is what NDArray.get gives, in memory of each kind", async () => {
  const shape = [40, 37, 29];
  const path = folder.newPath();
  const data = Float32Array.from({ length: 40 * 37 * 29 }, (_, i) => i);
  asarray(data, { shape, chunks: [16, 20, 29], blocks: [8, 8, 8], urlpath: path, io: stdio() }).close();
  using array = openArray(path, { io: stdio() });
  const memories = pools.map((pool) => [pool, pool.allocate(4 * data.length)] as const);
  const entries = shape.map((size) =>
    fc.oneof(
      fc.constant(null),
      fc.nat(size - 1),
      fc.array(fc.nat(size - 1), { maxLength: 5 }),
      fc.record({
        start: fc.integer({ min: -size, max: size }),
        stop: fc.integer({ min: -size, max: size }),
        step: fc.constantFrom(1, 1, 2, -1, -3),
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.tuple(...entries), async (index) => {
      const expected = array.get(index);
      for (const [pool, memory] of memories) {
        const target = memory.subarray(0, expected.bytes.byteLength).fill(0xa5);
        for (const options of [{ target }, {}]) {
          const found = await readArray(path, index, { pool, ...options });
          expect(found.shape).toEqual(expected.shape);
          expect(same(found.bytes, expected.bytes)).toBe(true);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("calls that run at once do not disturb each other, whatever their filters", async () => {
  const paths = CPARAMS.map((cparams) => {
    const path = folder.newPath();
    writeFrame(path, piecesOf(bytes, 60_000), 60_000, cparams);
    return path;
  });
  const pool = pools[2] as WorkerPool;
  const memory = pool.allocate(paths.length * LENGTH);
  const calls = paths.map((path, i) => {
    const target = memory.subarray(i * LENGTH, (i + 1) * LENGTH);
    return Promise.all([chunksOf(path, pool), readAll(path, { pool, target }), chunksOf(path, pool, "mmap")]);
  });
  for (const results of await Promise.all(calls)) {
    expect(results.map((result) => same(result, bytes))).toEqual([true, true, true]);
  }
});

test("another pool's memory is shared memory like any other", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(bytes, CHUNK), CHUNK);
  const memory = (pools[2] as WorkerPool).allocate(2 * LENGTH);
  const halves = [memory.subarray(0, LENGTH), memory.subarray(LENGTH)];
  const calls = halves.map((target, i) => readAll(path, { pool: pools[2 + i], target }));
  for (const found of await Promise.all(calls)) expect(same(found, bytes)).toBe(true);
});

/** A platform without WebAssembly memory that can be shared, as pages have it that are not isolated. */
async function withoutSharedMemory(work: () => Promise<void>): Promise<void> {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class {
    constructor() {
      throw new TypeError("memory can't be shared here");
    }
  } as unknown as typeof Memory;
  try {
    await work();
  } finally {
    WebAssembly.Memory = Memory;
  }
}

test("without shared WebAssembly memory the threads copy, and the pool says so", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(bytes, CHUNK), CHUNK);
  await using pool = new WorkerPool({ workers: 2 });
  await withoutSharedMemory(async () => {
    const memory = pool.allocate(LENGTH);
    expect(same(await readAll(path, { pool, target: memory }), bytes)).toBe(true);
    expect(same(await chunksOf(path, pool), bytes)).toBe(true);
    using out = SChunk.create({ typesize: 4, chunksize: CHUNK, cparams: { codec: "lz4" } });
    await appendChunks(out, piecesOf(bytes, CHUNK), { pool });
    expect(same(out.getSlice(), bytes)).toBe(true);
  });
  expect(pool.diagnostics).toEqual([{ kind: "copied", reason: "memory can't be shared here" }]);
});

test("a pool of more threads than there are addresses for says so", async () => {
  await using pool = new WorkerPool({ workers: 256 });
  expect(pool.allocate(10).every((byte) => byte === 0)).toBe(true);
  expect(pool.diagnostics).toMatchObject([{ kind: "copied", reason: expect.stringContaining("257 threads") }]);
});

test.each([-1, 1.5, Number.NaN])("%d bytes can't be allocated", (byteLength) => {
  expect(() => pools[1]?.allocate(byteLength)).toThrow("byteLength: expected an integer from 0 on");
});

test("reading that is left early or fails takes no memory from later calls", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(bytes, CHUNK), CHUNK);
  const pool = pools[2] as WorkerPool;
  const places = new Set<number>();
  for (let round = 0; round < 300; round++) {
    for await (const chunk of readChunks(path, { pool, reuse: true })) {
      places.add(chunk.byteOffset);
      break;
    }
  }
  // Without giving back, 300 rounds of several chunks would have gone through all of the area.
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(40 * CHUNK);
  expect(handleBudgetState().held).toBe(0);
  expect(same(await chunksOf(path, pool), bytes)).toBe(true);
});

test("a thread that ends fails its call by name, and is replaced", async () => {
  const program = (await import(CODEC_MODULE.href)) as { registerDying(): void };
  program.registerDying();
  await using pool = new WorkerPool({ workers: 2, setup: { module: CODEC_MODULE, export: "registerDying" } });
  const [good, bad] = [folder.newPath(), folder.newPath()];
  writeFrame(good, piecesOf(bytes, CHUNK), CHUNK);
  writeFrame(bad, piecesOf(bytes, CHUNK), CHUNK, { codec: 201, splitmode: "never" });
  const target = pool.allocate(LENGTH);
  for (let round = 0; round < 2; round++) {
    const failed = { name: "IoError", message: expect.stringContaining("a worker thread ended with status 3") };
    await expect(readAll(bad, { pool, target })).rejects.toMatchObject(failed);
    await expect(chunksOf(bad, pool)).rejects.toMatchObject(failed);
    expect(same(await readAll(good, { pool, target, io: "mmap" }), bytes)).toBe(true);
    expect(same(await chunksOf(good, pool, "mmap"), bytes)).toBe(true);
  }
});
