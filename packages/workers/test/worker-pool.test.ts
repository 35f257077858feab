import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SChunk } from "@b2frame/core";
import { handleBudgetState, stdio } from "@b2frame/io-stdio";
import { afterAll, expect, test } from "vitest";
import { appendChunks, readAll, readChunks, WorkerPool } from "../src/index.js";
import { piecesOf, same, sampleBytes, TemporaryFolder, writeFrame } from "./sample-frames.js";

const folder = new TemporaryFolder();
const CODEC_MODULE = new URL("./programs/reversed-codec.mjs", import.meta.url);
const BACKEND_MODULE = new URL("./programs/own-backend.mjs", import.meta.url);
const bytes = sampleBytes(1_200_000);
const path = folder.newPath();
writeFrame(path, piecesOf(bytes, 300_000), 300_000);

afterAll(() => folder.remove());

test("a process ends though its pool was not closed", async () => {
  const program = fileURLToPath(new URL("./programs/leave-pool-open.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, path], { timeout: 30_000 });
  expect(stdout).toBe("1200000\n");
});

test("a closed pool refuses work, and closes twice", async () => {
  const pool = new WorkerPool({ workers: 2 });
  await readAll(path, { pool });
  await pool.close();
  await pool.close();
  await expect(readAll(path, { pool })).rejects.toMatchObject({ code: "BLOSC2_IO_CLOSED" });
  expect(handleBudgetState().held).toBe(0);
});

test("workers can be asked for by number, for one call", async () => {
  expect(same(await readAll(path, { workers: 2 }), bytes)).toBe(true);
  expect(() => new WorkerPool({ workers: 1.5 })).toThrow("workers");
});

test("several calls use one pool at once", async () => {
  await using pool = new WorkerPool({ workers: 2 });
  const results = await Promise.all(Array.from({ length: 6 }, () => readAll(path, { pool })));
  expect(results.every((result) => same(result, bytes))).toBe(true);
});

test("a backend of the user's is made in each thread", async () => {
  const io = { module: BACKEND_MODULE, export: "make" };
  expect(same(await readAll(path, { io, ioOptions: { readBufferSize: 0 }, workers: 2 }), bytes)).toBe(true);
  for (const bad of [
    { module: BACKEND_MODULE, export: "none" },
    { module: BACKEND_MODULE, export: "missing" },
    { module: "file:///nowhere.mjs", export: "make" },
  ]) {
    const failed = { name: "ArgumentError", code: "BLOSC2_ARGUMENT_INVALID" };
    await expect(readAll(path, { io: bad })).rejects.toMatchObject(failed);
  }
});

test("what is no backend that threads can make is refused before anything is opened", () => {
  for (const [bad, words] of [
    ["other", 'found "other"'],
    [null, "found null"],
    [stdio(), 'found "a made backend"'],
    [{ module: BACKEND_MODULE }, "io.export"],
    [{ export: "make" }, "io.module"],
  ] as const) {
    expect(() => readChunks(path, { io: bad as "stdio" })).toThrow(words);
  }
});

test("a codec of the user's is refused, unless the threads register it too", async () => {
  const { register } = (await import(CODEC_MODULE.href)) as { register(): void };
  register();
  const make = (): SChunk => SChunk.create({ typesize: 4, cparams: { codec: "reversed" } });
  await expect(appendChunks(make(), [bytes], { workers: 1 })).rejects.toMatchObject({
    name: "UnsupportedError",
    details: { feature: "user codec in worker threads" },
  });
  await using pool = new WorkerPool({ workers: 2, setup: { module: CODEC_MODULE, export: "register" } });
  const there = make();
  await appendChunks(there, piecesOf(bytes, 300_000), { pool });
  const here = make();
  await appendChunks(here, piecesOf(bytes, 300_000), { workers: 0 });
  expect(same(there.toCframe(), here.toCframe())).toBe(true);

  const own = folder.newPath();
  there.copy({ urlpath: own, io: stdio() }).close();
  expect(same(await readAll(own, { pool }), bytes)).toBe(true);
  await expect(readAll(own, { workers: 2 })).rejects.toMatchObject({
    code: "BLOSC2_UNSUPPORTED_CODEC",
  });
});

test("what the setup throws reaches the caller", async () => {
  await using pool = new WorkerPool({ workers: 2, setup: { module: CODEC_MODULE, export: "fail" } });
  await expect(pool.ready()).rejects.toThrow("the setup fails");
  await expect(readChunks(path, { pool }).next()).rejects.toThrow("the setup fails");
});
