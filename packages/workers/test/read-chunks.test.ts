import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { isBlosc2Error, SChunk } from "@b2frame/core";
import { handleBudgetState, stdio } from "@b2frame/io-stdio";
import { afterAll, expect, test } from "vitest";
import { readChunks } from "../src/index.js";
import { piecesOf, same, sampleBytes, TemporaryFolder, writeFrame, writeSpecialFrame } from "./sample-frames.js";
import { workerPools } from "./worker-pools.js";

const folder = new TemporaryFolder();
const pools = workerPools();

afterAll(() => folder.remove());

const FRAMES: readonly (readonly [chunks: number, chunksize: number, byteLength: number])[] = [
  [0, 4096, 0],
  [1, 40_000, 40_000],
  [2, 40_000, 70_004],
  [7, 300_000, 6 * 300_000 + 4],
  [1000, 4096, 999 * 4096 + 100],
];

test.each(FRAMES)(
  "B68: %i chunks come as the serial run gives them, with 0 to 3 workers",
  async (count, size, length) => {
    const path = folder.newPath();
    const chunks = piecesOf(sampleBytes(length), size);
    writeFrame(path, chunks, size);
    expect(chunks).toHaveLength(count);
    for (const pool of pools) {
      for (const io of ["stdio", "mmap"] as const) {
        let i = 0;
        for await (const chunk of readChunks(path, { io, pool })) {
          expect(same(chunk, chunks[i]!)).toBe(true);
          i++;
        }
        expect(i).toBe(count);
      }
    }
  },
);

test("chunks of different sizes come as they are", async () => {
  const path = folder.newPath();
  const chunks = [40, 200_000, 8, 600_000, 1200].map((size) => sampleBytes(size));
  writeFrame(path, chunks, 200_000);
  for (const pool of pools) {
    const lengths: number[] = [];
    for await (const chunk of readChunks(path, { pool })) lengths.push(chunk.byteLength);
    expect(lengths).toEqual([40, 200_000, 8, 600_000, 1200]);
  }
});

test.each([4096, 300_000])("B69: what is written to a chunk of %i bytes changes no other", async (size) => {
  const path = folder.newPath();
  const chunks = piecesOf(sampleBytes(40 * size), size);
  writeFrame(path, chunks, size);
  for (const pool of pools) {
    const kept: Uint8Array[] = [];
    for await (const chunk of readChunks(path, { pool })) {
      expect(same(chunk, chunks[kept.length]!)).toBe(true);
      expect(chunk.buffer.byteLength).toBe(size);
      chunk.fill(0xee);
      kept.push(chunk);
    }
    expect(kept.every((chunk) => chunk.byteLength === size && chunk.every((byte) => byte === 0xee))).toBe(true);
  }
});

test("a released chunk is empty at once, and its memory may serve again", async () => {
  const path = folder.newPath();
  const chunks = piecesOf(sampleBytes(10 * 300_000), 300_000);
  writeFrame(path, chunks, 300_000);
  for (const pool of pools) {
    const reader = readChunks(path, { pool });
    let i = 0;
    for await (const chunk of reader) {
      expect(same(chunk, chunks[i]!)).toBe(true);
      i++;
      reader.release(chunk);
      reader.release(chunk);
      expect(chunk.byteLength).toBe(0);
    }
    expect(i).toBe(10);
  }
});

test.each([
  [4096, 1000],
  [300_000, 60],
  [600_000, 40],
])("memory is used again when it is asked for: chunks of %i bytes", async (size, count) => {
  const path = folder.newPath();
  const chunks = piecesOf(sampleBytes(count * size - 100), size);
  writeFrame(path, chunks, size);
  for (const pool of pools) {
    const buffers = new Set<unknown>();
    let i = 0;
    const reader = readChunks(path, { pool, reuse: true, maxBytesInFlight: 2_500_000 });
    for await (const chunk of reader) {
      expect(same(chunk, chunks[i]!)).toBe(true);
      expect(chunk.buffer instanceof SharedArrayBuffer).toBe(pool.workers > 0);
      buffers.add(chunk.buffer);
      // The next one does not depend on it.
      chunk.fill(0xee);
      reader.release(chunk);
      i++;
    }
    expect(i).toBe(count);
    expect(buffers.size).toBeLessThanOrEqual(11);
  }
});

test.each([4096, 600_000])("chunks of %i bytes that only exist in the index come among the others", async (size) => {
  const path = folder.newPath();
  const bytes = writeSpecialFrame(path, size);
  for (const pool of pools) {
    for (const reuse of [false, true]) {
      let done = 0;
      const kept: Uint8Array[] = [];
      for await (const chunk of readChunks(path, { pool, reuse })) {
        expect(same(chunk, bytes.subarray(done, done + chunk.byteLength))).toBe(true);
        done += chunk.byteLength;
        chunk.fill(0xee);
        kept.push(chunk);
      }
      expect(done).toBe(bytes.byteLength);
      if (!reuse) expect(new Set(kept.map((chunk) => chunk.buffer)).size).toBe(kept.length);
    }
  }
});

test("a signal ends the reading of chunks that only exist in the index", async () => {
  const path = folder.newPath();
  writeSpecialFrame(path, 4096);
  for (const pool of pools) {
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const _ of readChunks(path, { pool, signal: controller.signal })) controller.abort();
    };
    await expect(read()).rejects.toMatchObject({ code: "BLOSC2_ABORTED" });
    expect(handleBudgetState().held).toBe(0);
  }
});

test("no more bytes are in flight than the budget allows, however slow the consumer", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(sampleBytes(20 * 600_000), 600_000), 600_000);
  const reader = readChunks(path, { pool: pools[2], maxBytesInFlight: 1_300_000 });
  let most = 0;
  for await (const chunk of reader) {
    expect(chunk.byteLength).toBe(600_000);
    await setTimeout(5);
    most = Math.max(most, reader.bytesInFlight);
  }
  expect(most).toBe(1_200_000);
  const tight = readChunks(path, { pool: pools[2], maxBytesInFlight: 1 });
  for await (const chunk of tight) expect(tight.bytesInFlight).toBeLessThanOrEqual(chunk.byteLength);
});

function corrupt(path: string, chunkIndex: number): void {
  let position: number | undefined;
  {
    using schunk = SChunk.open(path, stdio());
    position = [...schunk.iterChunksInfo()][chunkIndex]?.position;
  }
  const bytes = readFileSync(path);
  bytes.fill(0xff, position! + 32, position! + 36);
  writeFileSync(path, bytes);
}

test("chunks before a damaged one come, then its error, and all is let go of", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(sampleBytes(12 * 300_000), 300_000), 300_000);
  corrupt(path, 5);
  const messages = new Set<string>();
  for (const pool of pools) {
    let count = 0;
    const read = async (): Promise<void> => {
      for await (const chunk of readChunks(path, { pool })) count += chunk.byteLength / 300_000;
    };
    const error = await read().catch((e: unknown) => e);
    expect(isBlosc2Error(error)).toBe(true);
    messages.add(`${(error as Error).name} ${(error as Error).message}`);
    expect(count).toBe(5);
    expect(handleBudgetState().held).toBe(0);
  }
  expect(messages.size).toBe(1);
});

test("a signal ends the reading, also from elsewhere", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(sampleBytes(12 * 300_000), 300_000), 300_000);
  for (const pool of pools) {
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const _ of readChunks(path, { pool, signal: controller.signal })) controller.abort("enough");
    };
    await expect(read()).rejects.toMatchObject({ code: "BLOSC2_ABORTED", cause: "enough" });
    expect(handleBudgetState().held).toBe(0);
    const before = readChunks(path, { pool, signal: AbortSignal.abort() });
    await expect(before.next()).rejects.toMatchObject({ code: "BLOSC2_ABORTED" });
  }
});

test("a consumer that leaves closes everything; the pool serves the next one", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(sampleBytes(12 * 300_000), 300_000), 300_000);
  for (const pool of pools) {
    for await (const _ of readChunks(path, { pool })) break;
    expect(handleBudgetState().held).toBe(0);
    await using reader = readChunks(path, { pool });
    expect((await reader.next()).done).toBe(false);
  }
  expect(handleBudgetState().held).toBe(0);
});

test("progress counts bytes up to the whole", async () => {
  const path = folder.newPath();
  writeFrame(path, piecesOf(sampleBytes(10_000), 4096), 4096);
  for (const pool of pools) {
    const seen: unknown[] = [];
    for await (const _ of readChunks(path, { pool, onProgress: (...args) => seen.push(args) }));
    expect(seen).toEqual([
      [4096, 10_000],
      [8192, 10_000],
      [10_000, 10_000],
    ]);
  }
});

test("a missing file, and options that can't be", async () => {
  for (const pool of pools) {
    const reader = readChunks(folder.newPath(), { pool });
    await expect(reader.next()).rejects.toMatchObject({ name: "IoError", code: "BLOSC2_IO_NOT_FOUND" });
  }
  expect(() => readChunks("x", { maxBytesInFlight: 0 })).toThrow("maxBytesInFlight");
  await expect(readChunks("x", { workers: -1 }).next()).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_INVALID" });
  await expect(readChunks("x", { workers: 1, pool: pools[0] }).next()).rejects.toThrow("workers");
});
