/** Misspelt options are refused at the doors of this package, before anything is opened or made. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, test } from "vitest";
import * as b2frame from "../src/index.js";
import { appendChunks, readAll, readArray, readChunks, readSlice, WorkerPool } from "../src/workers.js";

const folder = temporaryFolder();
const path = join(folder, "a.b2nd");
b2frame.asarray([1, 2, 3], { urlpath: path }).close();

const nearest = (expected: string): object => ({
  name: "ArgumentError",
  details: expect.objectContaining({ expected }),
});

test.each<readonly [string, object, string, (options: never) => unknown]>([
  ["open", { mmap_mode: "r" }, "io", (options) => b2frame.open(path, options)],
  ["openArray", { backend: "mmap" }, "io", (options) => b2frame.openArray(path, options)],
  ["openSChunk", { ofset: 1 }, "offset", (options) => b2frame.openSChunk(path, options)],
  ["createSChunk", { cname: "zstd" }, "cparams.codec", (options) => b2frame.createSChunk(join(folder, "new"), options)],
  ["createStore", { fromat: "b2d" }, "format", (options) => b2frame.createStore(join(folder, "new.b2z"), options)],
  ["openStore", { checkCRC32: false }, "checkCrc", (options) => b2frame.openStore(path, options)],
  ["compress", { level: 3 }, "clevel", (options) => b2frame.compress(new Uint8Array(3), options)],
  ["stdio", { readBuffer: 0 }, "readBufferSize", (options) => b2frame.stdio(options)],
  ["mmap", { windowsize: 1 }, "windowSize", (options) => b2frame.mmap(options)],
  ["WorkerPool", { nthreads: 2 }, "workers", (options) => new WorkerPool(options)],
  ["readChunks", { maxBytesInFlights: 2 }, "maxBytesInFlight", (options) => readChunks(path, options)],
])("%s names the nearest option that it knows", (_, options, expected, call) => {
  expect(() => call(options as never)).toThrow(expect.objectContaining(nearest(expected)));
  expect(existsSync(join(folder, "new")) || existsSync(join(folder, "new.b2z"))).toBe(false);
});

test("copy names it too", async () => {
  const misspelt = { decod: false } as never;
  await expect(b2frame.copy(path, join(folder, "copy"), misspelt)).rejects.toMatchObject(nearest("decode"));
  expect(existsSync(join(folder, "copy"))).toBe(false);
});

test("functions on worker threads name it too", async () => {
  using out = b2frame.SChunk.create({ typesize: 8 });
  const misspelt = { nthreads: 2 } as never;
  for (const call of [
    readAll(path, misspelt),
    readSlice(path, {}, misspelt),
    readArray(path, [], misspelt),
    appendChunks(out, [new Float64Array(2)], misspelt),
  ]) {
    await expect(call).rejects.toMatchObject(nearest("workers"));
  }
});
