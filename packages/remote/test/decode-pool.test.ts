import { mkdtempSync, openAsBlob, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asarray, SChunk } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { createStore } from "@b2frame/stores";
import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RangeServer } from "../../torture/src/remote/range-server.js";
import { blobSource, openRemote, openRemoteArray, RemoteSChunk } from "../src/index.js";
import { openRemoteSparse, openRemoteStore } from "../src/stores/index.js";
import { DecodePool } from "../src/workers/index.js";

const SHAPE = [50, 70];
const array = asarray(noise(3500), { shape: SHAPE, chunks: [16, 32], blocks: [8, 8], cparams: { codec: "lz4" } });
const items = noise(60_000);
const schunk = SChunk.create({ data: items, chunksize: 4096, typesize: 4 });

let server: RangeServer;
let pool: DecodePool;
beforeAll(async () => {
  server = await RangeServer.start();
  pool = new DecodePool({ workers: 2 });
  await pool.ready();
});
afterAll(async () => {
  await pool.close();
  await server.stop();
});

describe("a pool", () => {
  it("decodes what the thread that reads would, whatever the index", async () => {
    using remote = await openRemoteArray(new Blob([array.toCframe()]), { pool });
    const bound = fc.option(fc.integer({ min: -80, max: 80 }), { nil: null });
    const step = fc.constantFrom(1, 2, 3, -1, -5);
    const slice = fc.record({ start: bound, stop: bound, step });
    const part = (size: number) =>
      fc.oneof(
        slice,
        fc.integer({ min: -size, max: size - 1 }),
        fc.array(fc.nat(size - 1), { maxLength: 5 }),
        fc.constant(null),
      );
    await fc.assert(
      fc.asyncProperty(part(50), part(70), async (first, second) => {
        const expected = array.get([first, second]);
        const found = await remote.get([first, second]);
        expect(found.shape).toEqual(expected.shape);
        expect(Buffer.compare(found.bytes, expected.bytes)).toBe(0);
      }),
      { numRuns: 100 },
    );
    const rows = asarray([4, 49, 4], { dtype: "<i8" }).get();
    expect(Buffer.compare((await remote.get([rows])).bytes, array.get([rows]).bytes)).toBe(0);
  });

  it("decodes super-chunks, and walks and streams of both", async () => {
    using remote = await openRemote(server.put("s.b2frame", schunk.toCframe()), { pool });
    if (!(remote instanceof RemoteSChunk)) throw new Error("a super-chunk");
    expect(Buffer.compare(await remote.decompressChunk(3), items.subarray(3 * 4096, 4 * 4096))).toBe(0);
    expect(Buffer.compare(await remote.getSlice(900, 9000), items.subarray(3600, 36_000))).toBe(0);
    const pieces: Uint8Array[] = [];
    for await (const piece of remote.iterChunks()) pieces.push(piece);
    expect(Buffer.compare(Buffer.concat(pieces), items)).toBe(0);
    const streamed: Uint8Array[] = [];
    for await (const piece of remote.toReadable({ start: 10 })) streamed.push(piece);
    expect(Buffer.compare(Buffer.concat(streamed), items.subarray(40))).toBe(0);

    using walked = await openRemoteArray(server.put("a.b2nd", array.toCframe()), { pool });
    for await (const { start, stop, items: found } of walked.iterChunks()) {
      expect(Buffer.compare(found.bytes, array.getSlice(start, stop).bytes)).toBe(0);
    }
    const rows: Uint8Array[] = [];
    for await (const piece of walked.toReadable({ pieceBytes: 900 })) rows.push(piece);
    expect(Buffer.compare(Buffer.concat(rows), array.get().bytes)).toBe(0);
  });

  it("fetches no more than reading without one, of little that is wanted of large chunks as well", async () => {
    const large = asarray(
      new Float64Array(400_000).map((_, i) => Math.sin(i)),
      { shape: [400_000], chunks: [200_000], blocks: [1000] },
    );
    const frame = large.toCframe();
    const stats: number[][] = [];
    for (const options of [{}, { pool }]) {
      using remote = await openRemoteArray(server.put("large.b2nd", frame), options);
      const { data } = await remote.getSlice([123_400], [123_500]);
      expect([...data]).toEqual(Array.from({ length: 100 }, (_, i) => Math.sin(123_400 + i)));
      stats.push([remote.stats.requests, remote.stats.bytesFetched]);
      await remote.getSlice([123_410], [123_420]);
      expect(remote.stats.requests).toBe(stats[0]?.[0]);
    }
    expect(stats[1]).toEqual(stats[0]);
  });

  it("decodes the members of a store", async () => {
    const folder = mkdtempSync(join(tmpdir(), "b2frame-pool-"));
    try {
      const path = join(folder, "a.b2z");
      {
        using store = createStore(path, stdio());
        store.set("/big", noise(300_000), { shape: [300_000] });
      }
      using remote = await openRemoteStore(await openAsBlob(path), { pool });
      const big = await remote.openArray("/big");
      expect(Buffer.compare((await big.getSlice([100], [250_000])).bytes, noise(300_000).subarray(100, 250_000))).toBe(
        0,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("gives the errors of reading, of the same class and with the same words", async () => {
    const frame = array.toCframe();
    const damaged = frame.slice();
    // The uncompressed size (nbytes) of the first chunk, which follows the frame's header.
    const { headerLength, offsets } = array.schunk.placement!;
    damaged.fill(0x7f, headerLength + offsets[0]! + 4, headerLength + offsets[0]! + 8);
    const failures: unknown[] = [];
    for (const options of [{}, { pool }]) {
      using remote = await openRemoteArray(blobSource(new Blob([damaged]), "d"), options);
      failures.push(await remote.get().catch((error: unknown) => error));
    }
    expect(failures[1]).toMatchObject({
      name: (failures[0] as Error).name,
      code: (failures[0] as { code: string }).code,
    });
    expect(failures[0]).toBeInstanceOf(Error);
    expect((failures[1] as Error).message).toBe((failures[0] as Error).message);
    using remote = await openRemote(new Blob([schunk.toCframe()]), { pool });
    await expect((remote as RemoteSChunk).decompressChunk(99)).rejects.toMatchObject({
      code: "BLOSC2_ARGUMENT_OUT_OF_RANGE",
    });
    await expect((remote as RemoteSChunk).getSlice(5, 99_999)).rejects.toMatchObject({
      code: "BLOSC2_ARGUMENT_OUT_OF_RANGE",
    });
  });

  it("leaves work whose signal fires, and the rest goes on", async () => {
    using remote = await openRemoteArray(new Blob([array.toCframe()]), { pool });
    const controller = new AbortController();
    const reason = new Error("enough");
    const reads = Array.from({ length: 20 }, (_, i) =>
      remote.get([i], i % 2 === 0 ? { signal: controller.signal } : {}).then(
        ({ bytes }) => Buffer.compare(bytes, array.get([i]).bytes) === 0,
        (error: unknown) => error,
      ),
    );
    controller.abort(reason);
    expect(await Promise.all(reads)).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? reason : true)));
  });

  it("that is closed refuses work, and fails what it has not done", async () => {
    const own = new DecodePool({ workers: 1 });
    using remote = await openRemoteArray(new Blob([array.toCframe()]), { pool: own });
    await remote.get([1]);
    const reads = Promise.allSettled([remote.get(), remote.get([2])]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await own.close();
    await own.close();
    for (const { status, ...rest } of await reads) {
      if (status === "rejected") expect(rest).toMatchObject({ reason: { code: "BLOSC2_IO_CLOSED" } });
    }
    await expect(remote.get()).rejects.toMatchObject({ code: "BLOSC2_IO_CLOSED" });
  });

  it("decodes chunks by themselves, and refuses those that are cut", async () => {
    const chunk = schunk.getChunk(0);
    expect(Buffer.compare(await pool.decodeChunk(chunk, "chunk"), items.subarray(0, 4096))).toBe(0);
    // It is still the caller's.
    expect(chunk.byteLength).toBeGreaterThan(0);
    await expect(pool.decodeChunk(chunk.subarray(0, 40), "stored chunk")).rejects.toMatchObject({
      name: "FormatError",
      details: { structure: "stored chunk" },
    });
  });

  it("is refused for sparse frames, and with a number of workers that can't be", async () => {
    await expect(openRemoteSparse("http://127.0.0.1:1/a/", { pool })).rejects.toMatchObject({
      code: "BLOSC2_UNSUPPORTED",
    });
    expect(() => new DecodePool({ workers: 0 })).toThrow("workers: expected an integer in 1..64, found 0");
    expect(() => new DecodePool({ worker: 1 } as never)).toThrow('"workers"');
  });
});
