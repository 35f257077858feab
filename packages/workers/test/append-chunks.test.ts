import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type CParams, SChunk } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { registerNodeCodecs } from "@b2frame/node-codecs";
import { noise } from "@b2frame/test-kit";
import { afterAll, expect, test } from "vitest";
import { appendChunks, type WorkerPool } from "../src/index.js";
import { piecesOf, same, sampleBytes, TemporaryFolder, writeFrame } from "./sample-frames.js";
import { workerPools } from "./worker-pools.js";

const folder = new TemporaryFolder();
const pools = workerPools();

afterAll(() => folder.remove());

function create(path: string, cparams: Partial<CParams> = { codec: "lz4" }): SChunk {
  return SChunk.create({ urlpath: path, io: stdio(), typesize: 4, chunksize: 300_000, cparams });
}

async function* slowly(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const reused = new Uint8Array(Math.max(0, ...pieces.map((piece) => piece.byteLength)));
  for (const piece of pieces) {
    await setTimeout(0);
    reused.set(piece);
    // One buffer for all: what is yielded is overwritten when the next piece is asked for.
    yield reused.subarray(0, piece.byteLength);
  }
}

const SHAPES: readonly (readonly [count: number, size: number, byteLength: number])[] = [
  [0, 4096, 0],
  [1, 300_000, 300_000],
  [2, 300_000, 300_004],
  [7, 700_000, 6 * 700_000 + 4],
  [1000, 4096, 999 * 4096 + 100],
];

test.each(SHAPES)("B68: %i pieces give the file of a serial run, with 0 to 3 workers", async (count, size, length) => {
  const pieces = piecesOf(sampleBytes(length), size);
  const serial = folder.newPath();
  writeFrame(serial, pieces, size);
  for (const pool of pools) {
    for (const source of [pieces, slowly(pieces)]) {
      const path = folder.newPath();
      {
        using out = SChunk.create({
          urlpath: path,
          io: stdio(),
          typesize: 4,
          chunksize: size,
          cparams: { codec: "lz4" },
        });
        expect(await appendChunks(out, source, { pool })).toBe(count);
      }
      expect(same(readFileSync(path), readFileSync(serial))).toBe(true);
    }
  }
});

test.each([
  [8, 10_000],
  [33, 5000],
  [4000, 300],
  [524_288, 3],
  [524_289, 3],
])("pieces of %i bytes that don't compress, %i of them, are not overwritten by the chunks", async (size, count) => {
  const bytes = noise(size * count);
  const pieces = Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  const frames: Uint8Array[] = [];
  for (const pool of [pools[0]!, pools[2]!]) {
    const out = SChunk.create({ typesize: 1, chunksize: size, cparams: { codec: "lz4" } });
    await appendChunks(out, pieces, { pool });
    frames.push(out.toCframe());
  }
  expect(same(frames[1]!, frames[0]!)).toBe(true);
});

const CPARAMS: readonly Partial<CParams>[] = [
  { codec: "blosclz", filters: ["bitshuffle"] },
  { codec: "lz4hc", clevel: 9, filters: ["delta", "shuffle"] },
  { codec: "zlib", clevel: 1 },
  { codec: "lz4", clevel: 0 },
];

test.each(CPARAMS)("parameters reach the threads: %o", async (cparams) => {
  const files: Uint8Array[] = [];
  for (const pool of pools) {
    const path = folder.newPath();
    using out = create(path, cparams);
    await appendChunks(out, piecesOf(sampleBytes(900_000), 300_000), { pool });
    out.close();
    files.push(readFileSync(path));
  }
  expect(files.every((file) => same(file, files[0]!))).toBe(true);
});

test("the threads use the codec that this thread has: the portable zlib, then Node's; zstd", async () => {
  const bytes = sampleBytes(300_000);
  // Without filters the codec itself gets the shared memory.
  const zlib = (pool: WorkerPool, codec = "zlib", filters = ["shuffle"]): Promise<Uint8Array> => {
    const out = SChunk.create({ typesize: 4, cparams: { codec, filters } });
    return appendChunks(out, [bytes, bytes], { pool }).then(() => out.toCframe());
  };
  expect(same(await zlib(pools[2]!), await zlib(pools[0]!))).toBe(true);
  registerNodeCodecs();
  expect(same(await zlib(pools[2]!), await zlib(pools[0]!))).toBe(true);
  expect(same(await zlib(pools[2]!, "zstd"), await zlib(pools[0]!, "zstd"))).toBe(true);
  for (const codec of ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]) {
    expect(same(await zlib(pools[2]!, codec, []), await zlib(pools[0]!, codec, []))).toBe(true);
  }
});

test("the first piece decides the typesize, as with appendData", async () => {
  for (const pool of pools) {
    const out = SChunk.create({ cparams: { codec: "lz4" } });
    await appendChunks(out, [new Float64Array(1000), new Float64Array(1000)], { pool });
    expect([out.typesize, out.nbytes]).toEqual([8, 16_000]);
  }
});

test("pieces stay the caller's, are shared, or are moved, as asked", async () => {
  const bytes = sampleBytes(900_000);
  const frames: Uint8Array[] = [];
  for (const [kind, transfer] of [
    ["plain", false],
    ["shared", false],
    ["moved", true],
  ] as const) {
    const piece = new Uint8Array(kind === "shared" ? new SharedArrayBuffer(900_000) : new ArrayBuffer(900_000));
    piece.set(bytes);
    const out = SChunk.create({ typesize: 4, cparams: { codec: "lz4" } });
    await appendChunks(out, [piece], { pool: pools[2], transfer });
    expect(piece.byteLength).toBe(kind === "moved" ? 0 : 900_000);
    frames.push(out.toCframe());
  }
  expect(frames.every((frame) => same(frame, frames[0]!))).toBe(true);
});

test("an error of the source comes after the pieces before it, and the source is let go of", async () => {
  const piece = sampleBytes(300_000);
  for (const pool of pools) {
    const out = SChunk.create({ typesize: 4, cparams: { codec: "lz4" } });
    const source = function* (): Generator<Uint8Array> {
      for (let i = 0; i < 5; i++) yield piece;
      throw new Error("no more");
    };
    // Pieces of this size travel together, so those of the last task may be lost with the error.
    await expect(appendChunks(out, source(), { pool })).rejects.toThrow("no more");
    expect(out.nbytes % 300_000).toBe(0);
    let returned = false;
    const bad = (function* (): Generator<Uint8Array> {
      try {
        yield piece;
        yield "text" as unknown as Uint8Array;
      } finally {
        returned = true;
      }
    })();
    await expect(appendChunks(out, bad, { pool })).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_INVALID" });
    expect(returned).toBe(true);
  }
});

test("a signal ends it; what was written stays", async () => {
  const piece = sampleBytes(600_000);
  for (const pool of pools) {
    const controller = new AbortController();
    const out = SChunk.create({ typesize: 4, cparams: { codec: "lz4" } });
    const endless = function* (): Generator<Uint8Array> {
      for (let i = 0; ; i++) {
        if (i === 20) controller.abort();
        yield piece;
      }
    };
    await expect(appendChunks(out, endless(), { pool, signal: controller.signal })).rejects.toMatchObject({
      code: "BLOSC2_ABORTED",
    });
    for (const chunk of out.iterChunks()) expect(same(chunk, piece)).toBe(true);
  }
});

test("a signal ends it while the source gives nothing", async () => {
  for (const pool of pools.slice(1)) {
    const controller = new AbortController();
    const out = SChunk.create({ typesize: 4, cparams: { codec: "lz4" } });
    const silent = async function* (): AsyncGenerator<Uint8Array> {
      yield sampleBytes(600_000);
      globalThis.setTimeout(() => controller.abort(), 20);
      await new Promise(() => undefined);
    };
    const appending = appendChunks(out, silent(), { pool, signal: controller.signal });
    await expect(appending).rejects.toMatchObject({ code: "BLOSC2_ABORTED" });
  }
});

test("a prefilter is refused; without workers it runs", async () => {
  const prefilter = (source: Uint8Array, target: Uint8Array): void => target.set(source);
  const make = (): SChunk => SChunk.create({ typesize: 4, cparams: { codec: "lz4", prefilter } });
  await expect(appendChunks(make(), [sampleBytes(1000)], { pool: pools[1] })).rejects.toMatchObject({
    name: "UnsupportedError",
    code: "BLOSC2_UNSUPPORTED",
  });
  expect(await appendChunks(make(), [sampleBytes(1000)], { workers: 0 })).toBe(1);
});

test("a super-chunk that is changed meanwhile is noticed", async () => {
  const out = SChunk.create({ typesize: 4, cparams: { codec: "lz4" } });
  const meddling = function* (): Generator<Uint8Array> {
    for (let i = 0; i < 20; i++) {
      yield sampleBytes(600_000);
      if (i === 10) out.appendData(sampleBytes(4));
    }
  };
  await expect(appendChunks(out, meddling(), { pool: pools[2] })).rejects.toThrow("it was changed");
});

test("progress counts what this call appended", async () => {
  for (const pool of pools) {
    const seen: unknown[] = [];
    const out = SChunk.create({ typesize: 4, data: sampleBytes(600_000) });
    await appendChunks(out, [sampleBytes(600_000)], { pool, onProgress: (...args) => seen.push(args) });
    expect(seen.at(-1)).toEqual([600_000, 600_000]);
  }
});
