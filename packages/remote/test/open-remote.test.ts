import { inspect } from "node:util";
import { asarray, type DimIndex, SChunk } from "@b2frame/core";
import { openArrayReader } from "@b2frame/core/read";
import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Misbehaviour, RangeServer } from "../../torture/src/remote/range-server.js";
import { openRemote, openRemoteArray, RemoteArray, RemoteSChunk } from "../src/index.js";

const SHAPE = [130, 130, 130];
const values = noise(SHAPE.reduce((product, n) => product * n));
values.fill(0, 0, 64 * 130 * 130);
const frame = ((): Uint8Array => {
  using array = asarray(values, {
    shape: SHAPE,
    chunks: [64, 130, 130],
    blocks: [16, 16, 130],
    cparams: { codec: "lz4" },
  });
  return array.toCframe();
})();
const local = openArrayReader(frame);

let server: RangeServer;
let url: string;
beforeAll(async () => {
  server = await RangeServer.start();
});
beforeEach(() => {
  server.misbehave = [];
  server.always = undefined;
  server.delay = 0;
  url = server.put("a.b2nd", frame);
  server.requests.length = 0;
});
afterAll(async () => {
  local.close();
  await server.stop();
});

const quick = { retry: { minDelay: 1, maxDelay: 5 } } as const;

function same(found: Uint8Array, index: readonly DimIndex[]): boolean {
  return Buffer.from(found).equals(Buffer.from(local.get(index).bytes));
}

describe("an array behind HTTP", () => {
  it("gives what the local one gives, whatever is selected", async () => {
    using array = await openRemoteArray(url);
    expect([array.shape, array.chunks, array.blocks, array.dtype.str]).toEqual([
      SHAPE,
      [64, 130, 130],
      [16, 16, 130],
      "|u1",
    ]);
    const slice = fc.tuple(fc.nat(130), fc.nat(130), fc.integer({ min: 1, max: 40 }));
    await fc.assert(
      fc.asyncProperty(fc.tuple(slice, slice, slice), async (slices) => {
        const index = slices.map(([a, b, step]) => ({ start: Math.min(a, b), stop: Math.max(a, b), step }));
        expect(same((await array.get(index)).bytes, index)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("is opened by two requests, a small one by one, without HEAD and with one plain range each", async () => {
    const small = server.put("small.b2nd", asarray([1, 2, 3]).toCframe());
    using one = await openRemoteArray(small);
    expect([...(await one.get()).data]).toEqual([1, 2, 3]);
    expect(server.requests.length).toBe(1);
    server.requests.length = 0;
    using two = await openRemoteArray(url);
    expect(two.shape).toEqual(SHAPE);
    expect(server.requests.length).toBe(2);
    for (const { method, range } of server.requests)
      expect([method, range]).toEqual(["GET", expect.stringMatching(/^bytes=\d+-\d+$/)]);
  });

  it("shows itself in one line, without a request, also when it is closed", async () => {
    using array = await openRemoteArray(url);
    using schunk = await openRemote(server.put("s.b2frame", SChunk.create({ data: new Uint8Array(10) }).toCframe()));
    server.requests.length = 0;
    const layout = "(130, 130, 130) |u1, chunks (64, 130, 130), blocks (16, 16, 130)";
    const ratio = local.schunk.cratio.toFixed(1);
    expect(inspect(array)).toBe(`RemoteArray ${layout}, shuffle + lz4 5, ratio ${ratio}, ${url}`);
    expect(inspect(schunk)).toMatch(
      /^RemoteSChunk \(1 chunks, 10 bytes, typesize 1, shuffle \+ blosclz 5, .*s\.b2frame\)$/,
    );
    array.close();
    schunk.close();
    expect(inspect(array)).toBe(`RemoteArray ${layout}, closed`);
    expect(inspect(schunk)).toBe("RemoteSChunk (closed)");
    expect(server.requests).toEqual([]);
  });

  it("fetches the touched blocks in two rounds, and nothing a second time", async () => {
    using array = await openRemoteArray(url);
    const before = array.stats;
    const index = [{ start: 70, stop: 80 }, { start: 20, stop: 30 }, null];
    expect(same((await array.get(index)).bytes, index)).toBe(true);
    // Rows 6 to 15 of the second chunk and columns 20 to 29 lie in one block of 16 * 16 * 130 incompressible bytes.
    const block = 16 * 16 * 130;
    expect(array.stats.requests - before.requests).toBeLessThanOrEqual(3);
    expect(array.stats.bytesFetched - before.bytesFetched).toBeLessThan(1.3 * block + 1024);
    server.requests.length = 0;
    await array.get(index);
    expect(server.requests.length).toBe(0);
  });

  it("needs no request for chunks that only the index stands for", async () => {
    using array = await openRemoteArray(url);
    server.requests.length = 0;
    expect((await array.getSlice([0], [64])).data.every((item) => item === 0)).toBe(true);
    expect(server.requests.length).toBe(0);
  });

  it("keeps no more than it is told to", async () => {
    using array = await openRemoteArray(url, { cacheBytes: 100_000 });
    for (let plane = 64; plane < 130; plane += 3) {
      expect(same((await array.get([plane])).bytes, [plane])).toBe(true);
      expect(array.stats.bytesCached).toBeLessThan(200_000);
    }
  });

  it("shares requests that are under way", async () => {
    using array = await openRemoteArray(url);
    server.requests.length = 0;
    server.delay = 20;
    const results = await Promise.all(Array.from({ length: 8 }, () => array.get([100])));
    expect(results.every(({ bytes }) => same(bytes, [100]))).toBe(true);
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  it("refuses a bad index by the dimension's name, without a request", async () => {
    using array = await openRemoteArray(url);
    server.requests.length = 0;
    await expect(array.get([0, "x" as never])).rejects.toThrow(/dimension 1/);
    expect(server.requests.length).toBe(0);
  });
});

it("a super-chunk behind HTTP gives chunks and items", async () => {
  const items = Float64Array.from({ length: 50_000 }, (_, i) => Math.sqrt(i));
  using s = SChunk.create({ data: items, chunksize: 80_000 });
  const remote = await openRemote(server.put("s.b2frame", s.toCframe()));
  if (!(remote instanceof RemoteSChunk)) throw new Error("expected a super-chunk");
  expect([remote.nchunks, remote.itemCount, remote.typesize]).toEqual([5, 50_000, 8]);
  expect(new Float64Array((await remote.getSlice(9_990, 30_010)).buffer)).toEqual(items.slice(9_990, 30_010));
  expect(new Float64Array((await remote.decompressChunk(4)).buffer)).toEqual(items.slice(40_000));
  await expect(remote.decompressChunk(5)).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" });
  remote.close();
});

it("a Blob is read by what is asked for", async () => {
  const array = await openRemote(new File([frame as Uint8Array<ArrayBuffer>], "scan.b2nd"));
  if (!(array instanceof RemoteArray)) throw new Error("expected an array");
  expect(array.name).toBe("scan.b2nd");
  expect(same((await array.get([99])).bytes, [99])).toBe(true);
  expect(array.stats.bytesFetched).toBeLessThan(frame.byteLength / 2);
});

describe("what passes is tried again", () => {
  const passing: Misbehaviour[] = [
    ...[408, 425, 429, 500, 502, 503, 504].map((status) => ({ kind: "status" as const, status })),
    { kind: "cut", bytes: 10 },
    { kind: "shifted" },
    { kind: "elsewhere", by: 7 },
    { kind: "endless" },
    { kind: "reset" },
  ];
  it.each(passing)("%o", async (fault) => {
    using array = await openRemoteArray(url, quick);
    server.misbehave = [fault, fault];
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
  });

  it.each(passing)("and named when it does not pass: %o", async (fault) => {
    using array = await openRemoteArray(url, quick);
    server.always = fault;
    server.requests.length = 0;
    await expect(array.get([100])).rejects.toMatchObject({ name: "IoError", details: { path: url } });
    expect(server.requests.length).toBe(4);
    server.always = undefined;
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
  });

  it("after as long as the server asks", async () => {
    using array = await openRemoteArray(url, { retry: { minDelay: 60_000, maxDelay: 60_000 } });
    server.misbehave = [{ kind: "status", status: 429, headers: { "retry-after": "0" } }];
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
  });

  it("a server that does not answer in time", async () => {
    using array = await openRemoteArray(url, { ...quick, timeout: 50 });
    server.misbehave = [{ kind: "hang" }];
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
    server.always = { kind: "hang" };
    await expect(array.get([129])).rejects.toMatchObject({ details: { reason: "timeout" } });
  });

  it("a request that does not heed its signal", async () => {
    let heeds = true;
    const fetch = (request: Request): Promise<Response> =>
      heeds ? globalThis.fetch(request) : new Promise<never>(() => {});
    using array = await openRemoteArray(url, { ...quick, timeout: 50, fetch });
    heeds = false;
    await expect(array.get([100])).rejects.toMatchObject({ details: { reason: "timeout" } });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("given up")), 20);
    await expect(array.getSlice([129], [130], [], { signal: controller.signal })).rejects.toThrow("given up");
    heeds = true;
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
  });
});

describe("what does not pass is told by what the server's owner must change", () => {
  it.each([
    [401, "BLOSC2_IO_FAILED", "unauthorized"],
    [403, "BLOSC2_IO_FAILED", "denied"],
    [404, "BLOSC2_IO_NOT_FOUND", "missing"],
    [410, "BLOSC2_IO_NOT_FOUND", "missing"],
  ])("HTTP %i", async (status, code, reason) => {
    server.always = { kind: "status", status };
    await expect(openRemote(url, quick)).rejects.toMatchObject({ code, details: { status, reason } });
    expect(server.requests.length).toBe(1);
  });

  it("all of the file in place of a range, unless that is allowed", async () => {
    server.always = { kind: "whole" };
    await expect(openRemote(url, quick)).rejects.toMatchObject({ details: { reason: "no-ranges" } });
    await expect(openRemote(url, { ...quick, fullDownload: 1000 })).rejects.toMatchObject({
      details: { reason: "no-ranges" },
    });
    server.requests.length = 0;
    using array = await openRemoteArray(url, { ...quick, fullDownload: 100e6 });
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
    expect(server.requests.length).toBe(1);
  });

  it("a range that is called the whole file is taken for what it is", async () => {
    server.always = { kind: "ok-for-range" };
    using array = await openRemoteArray(url, quick);
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
  });

  it("compressed ranges", async () => {
    server.always = { kind: "gzip" };
    await expect(openRemote(url, quick)).rejects.toMatchObject({ details: { reason: "compressed" } });
  });

  it("something that is no frame, and a frame that ends too soon", async () => {
    const page = server.put(
      "page.b2nd",
      new TextEncoder().encode("<!doctype html><title>Sign in</title>".padEnd(5000)),
    );
    await expect(openRemote(page, quick)).rejects.toThrow(/magic/);
    const cut = server.put("cut.b2nd", frame.subarray(0, frame.byteLength - 100));
    await expect(openRemote(cut, quick)).rejects.toMatchObject({ name: "IoError" });
  });

  it("what is no source", async () => {
    for (const source of ["nonsense", "ftp://x/y", "file:///x", 7, null, {}]) {
      await expect(openRemote(source as string)).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_INVALID" });
    }
  });
});

describe("a file that is replaced", () => {
  it("is noticed before bytes of two versions are mixed, and read again after refresh", async () => {
    using array = await openRemoteArray(url, quick);
    await array.get([70]);
    const other = asarray(noise(1000), { shape: [10, 100] }).toCframe();
    server.put("a.b2nd", Uint8Array.from([...other, ...new Uint8Array(3e6)]));
    await expect(array.get([120])).rejects.toMatchObject({ code: "BLOSC2_IO_STALE" });
    await array.refresh();
    expect(array.shape).toEqual([10, 100]);
    expect([...(await array.get([0])).data]).toEqual([...noise(100)]);
  });

  it("by a shorter one is stale as well", async () => {
    using array = await openRemoteArray(url, quick);
    server.put("a.b2nd", frame.subarray(0, 1000));
    await expect(array.get([120])).rejects.toMatchObject({ code: "BLOSC2_IO_STALE" });
  });
});

describe("what a frame says of itself", () => {
  it("is what the local one says, chunk by chunk, and names the blocks of an index", async () => {
    using array = await openRemoteArray(url);
    const { schunk } = local;
    expect([array.nchunks, array.cbytes, array.typesize, array.cparams.codec]).toEqual([3, schunk.cbytes, 1, "lz4"]);
    expect(Array.from(array.placement.offsets)).toEqual(Array.from(schunk.placement?.offsets ?? []));
    const infos = await Promise.all([0, 1, 2].map((i) => array.chunkInfo(i)));
    expect(infos).toEqual([...schunk.iterChunksInfo()]);
    await expect(array.chunkInfo(3)).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" });
    // A plane across the first axis: 130 / 16 blocks, rounded up, along the second.
    expect(array.select([5]).blockCount).toBe(9);
    expect(array.declaredDType).toBe("|u1");
  });
});

describe("giving up", () => {
  it("rejects with the signal's reason, and not those who wait for the same", async () => {
    using array = await openRemoteArray(url);
    server.delay = 50;
    const controller = new AbortController();
    const given = array.get([100], { signal: controller.signal });
    const kept = array.get([100]);
    setTimeout(() => controller.abort(new Error("moved on")), 10);
    await expect(given).rejects.toThrow("moved on");
    expect(same((await kept).bytes, [100])).toBe(true);
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
  });

  it("ends a request that nobody waits for, and leaves nothing behind", async () => {
    using array = await openRemoteArray(url);
    server.misbehave = [{ kind: "hang" }];
    const controller = new AbortController();
    const given = array.get([100], { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("moved on")), 20);
    await expect(given).rejects.toThrow("moved on");
    expect(same((await array.get([100])).bytes, [100])).toBe(true);
    await expect(openRemote(url, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
  });
});
