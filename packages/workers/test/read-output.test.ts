import { readFileSync, writeFileSync } from "node:fs";
import { asarray, openArray, SChunk } from "@b2frame/core";
import { handleBudgetState, stdio } from "@b2frame/io-stdio";
import { afterAll, expect, test } from "vitest";
import { readAll, readArray, readSlice } from "../src/index.js";
import { piecesOf, same, sampleBytes, TemporaryFolder, writeFrame, writeSpecialFrame } from "./sample-frames.js";
import { workerPools } from "./worker-pools.js";

const folder = new TemporaryFolder();
const pools = workerPools();

afterAll(() => folder.remove());

const FRAMES: readonly (readonly [chunksize: number, byteLength: number])[] = [
  [4096, 0],
  [4_000_000, 4_000_000],
  [300_000, 300_004],
  [300_000, 6 * 300_000 + 4],
  [4096, 999 * 4096 + 100],
];

test.each(FRAMES)("chunks of %i bytes, %i together: the same bytes, with 0 to 3 workers", async (chunksize, length) => {
  const path = folder.newPath();
  const bytes = sampleBytes(length);
  writeFrame(path, piecesOf(bytes, chunksize), chunksize);
  for (const pool of pools) {
    for (const io of ["stdio", "mmap"] as const) {
      expect(same(await readAll(path, { io, pool }), bytes)).toBe(true);
    }
    const items = length / 4;
    for (const [start, stop] of [
      [0, items],
      [Math.floor(items / 3), items],
      [5, Math.floor(items * 0.9)],
    ] as const) {
      if (start > stop) continue;
      const part = await readSlice(path, { start, stop }, { pool });
      expect(same(part, bytes.subarray(4 * start, 4 * stop))).toBe(true);
    }
  }
});

test("chunks of different sizes, and filters that refer to block 0", async () => {
  const path = folder.newPath();
  const chunks = [40, 2_000_000, 8, 600_000].map((size) => sampleBytes(size));
  writeFrame(path, chunks, 200_000, { codec: "lz4", filters: ["delta", "shuffle"], blocksize: 65536 });
  for (const pool of pools) {
    expect(same(await readAll(path, { pool }), Buffer.concat(chunks))).toBe(true);
  }
});

test.each([4096, 600_000])(
  "chunks of %i bytes that only exist in the index, into new memory and used memory",
  async (size) => {
    const path = folder.newPath();
    const bytes = writeSpecialFrame(path, size);
    const { byteLength } = bytes;
    for (const pool of pools) {
      const used = new Uint8Array(new SharedArrayBuffer(byteLength + 3)).fill(0xee).subarray(3);
      for (const target of [undefined, new Uint8Array(byteLength).fill(0xee), used]) {
        expect(same(await readAll(path, { pool, target }), bytes)).toBe(true);
      }
      const part = await readSlice(path, { start: 7, stop: byteLength / 4 - 1 }, { pool });
      expect(same(part, bytes.subarray(28, byteLength - 4))).toBe(true);
    }
  },
);

test("a target is filled from its front: shared or not, and no further", async () => {
  const path = folder.newPath();
  const bytes = sampleBytes(900_000);
  writeFrame(path, piecesOf(bytes, 300_000), 300_000);
  for (const pool of pools) {
    for (const Memory of [ArrayBuffer, SharedArrayBuffer]) {
      const target = new Uint8Array(new Memory(900_010)).fill(0xaa);
      const filled = await readAll(path, { pool, target });
      expect(filled.buffer).toBe(target.buffer);
      expect(same(target.subarray(0, 900_000), bytes)).toBe(true);
      expect(target.subarray(900_000).every((byte) => byte === 0xaa)).toBe(true);
    }
    const small = readAll(path, { pool, target: new Uint8Array(10) });
    await expect(small).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" });
    const outside = readSlice(path, { start: 3, stop: 1_000_000 }, { pool });
    await expect(outside).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" });
  }
});

test("array selections are those of NDArray.get", async () => {
  const path = folder.newPath();
  const data = Int32Array.from({ length: 60 * 50 * 40 }, (_, i) => i);
  asarray(data, {
    shape: [60, 50, 40],
    dtype: "<i4",
    chunks: [25, 20, 40],
    blocks: [10, 8, 16],
    urlpath: path,
    io: stdio(),
  }).close();
  using array = openArray(path, { io: stdio() });
  const selections = [
    [],
    [{ start: 3, stop: 57, step: 4 }, null, 7],
    [{ start: null, stop: null, step: -1 }, [49, 0, 3, 3], { start: -5 }],
    [1, 2, 3],
    [{ start: 5, stop: 5 }],
  ];
  for (const pool of pools) {
    for (const index of selections) {
      const expected = array.get(index);
      const found = await readArray(path, index, { pool });
      expect(found.shape).toEqual(expected.shape);
      expect(same(found.bytes, expected.bytes)).toBe(true);
    }
  }
  await expect(readArray(path, [99], { pool: pools[2] })).rejects.toMatchObject({ name: "ArgumentError" });
});

test("a frame without an array is refused", async () => {
  const path = folder.newPath();
  writeFrame(path, [sampleBytes(100)], 100);
  await expect(readArray(path, [], { pool: pools[2] })).rejects.toMatchObject({ name: "FormatError" });
  expect(handleBudgetState().held).toBe(0);
});

test("the first damaged chunk is the one that is reported", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(sampleBytes(12 * 300_000), 300_000), 300_000);
  const positions: (number | undefined)[] = [];
  {
    using schunk = SChunk.open(path, stdio());
    for (const info of schunk.iterChunksInfo()) positions.push(info.position);
  }
  const bytes = readFileSync(path);
  for (const i of [4, 5, 9]) bytes.fill(0xff, positions[i]! + 32, positions[i]! + 36);
  writeFileSync(path, bytes);
  const messages = new Set<string>();
  for (const pool of pools) {
    const error = await readAll(path, { pool }).catch((e: unknown) => e as Error);
    messages.add((error as Error).message);
    expect(handleBudgetState().held).toBe(0);
  }
  expect(messages.size).toBe(1);
  expect([...messages][0]).toContain("chunk 4");
});

test("signals and progress", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(sampleBytes(12 * 300_000), 300_000), 300_000);
  for (const pool of pools) {
    const seen: number[] = [];
    await readAll(path, { pool, onProgress: (done) => seen.push(done) });
    expect(seen.at(-1)).toBe(12 * 300_000);
    const stopped = readAll(path, { pool, signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "BLOSC2_ABORTED" });
    const controller = new AbortController();
    const running = readAll(path, { pool, signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: "BLOSC2_ABORTED" });
    const failing = (): never => {
      throw new Error("from the callback");
    };
    await expect(readAll(path, { pool, onProgress: failing })).rejects.toThrow("from the callback");
  }
});

test("threads share the budget of held files, and give all back", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(sampleBytes(12 * 300_000), 300_000), 300_000);
  await Promise.all(pools.map((pool) => readAll(path, { pool })));
  const { held, peak } = handleBudgetState();
  expect(held).toBe(0);
  expect(peak).toBeGreaterThan(4);
});
