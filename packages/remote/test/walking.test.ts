import { asarray, SChunk } from "@b2frame/core";
import { noise } from "@b2frame/test-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RangeServer } from "../../torture/src/remote/range-server.js";
import { type ByteSource, openRemote, openRemoteArray, RemoteSChunk } from "../src/index.js";

const SHAPE = [50, 70];
const CHUNKS = [16, 32];
const values = noise(50 * 70);
const array = asarray(values, { shape: SHAPE, chunks: CHUNKS, blocks: [8, 8], cparams: { codec: "lz4" } });
const padded = noise(60_000);
const schunk = SChunk.create({ data: padded, chunksize: 4096 });

let server: RangeServer;
beforeAll(async () => {
  server = await RangeServer.start();
});
beforeEach(() => {
  server.misbehave = [];
  server.always = undefined;
  server.delay = 0;
  server.contentRange = true;
});
afterAll(() => server.stop());

describe("walking chunks", () => {
  it("of an array gives each with its place, in C order", async () => {
    using remote = await openRemoteArray(server.put("a.b2nd", array.toCframe()));
    const seen = new Uint8Array(50 * 70);
    const starts: (readonly number[])[] = [];
    for await (const { index, start, stop, items } of remote.iterChunks()) {
      expect(index).toBe(starts.length);
      starts.push(start);
      expect(items.shape).toEqual(start.map((from, dim) => (stop[dim] as number) - from));
      for (let row = start[0] as number; row < (stop[0] as number); row++) {
        const width = items.shape[1] as number;
        const at = (row - (start[0] as number)) * width;
        seen.set(items.bytes.subarray(at, at + width), row * 70 + (start[1] as number));
      }
    }
    expect(starts.slice(0, 4)).toEqual([
      [0, 0],
      [0, 32],
      [0, 64],
      [16, 0],
    ]);
    expect(starts.length).toBe(12);
    expect(Buffer.from(seen).equals(Buffer.from(values))).toBe(true);
  });

  it.each([
    [[], 1],
    [[0, 5], 0],
  ])("of shape %j gives %i", async (shape, count) => {
    const frame = asarray(new Float64Array(count), { shape }).toCframe();
    using remote = await openRemoteArray(server.put("e.b2nd", frame));
    let chunks = 0;
    for await (const chunk of remote.iterChunks()) chunks += chunk.items.shape.length === shape.length ? 1 : 0;
    expect(chunks).toBe(count);
  });

  it("of a super-chunk fetches ahead, one request for each chunk that is not there yet", async () => {
    const remote = await openRemote(server.put("s.b2frame", schunk.toCframe()), { maxGap: 0 });
    if (!(remote instanceof RemoteSChunk)) throw new Error("expected a super-chunk");
    const opening = remote.stats.requests;
    const pieces: Uint8Array[] = [];
    for await (const piece of remote.iterChunks({ readAhead: 8 })) {
      // The first four came with the header.
      if (pieces.push(piece) === 5) expect(remote.stats.requests - opening).toBeGreaterThanOrEqual(8);
    }
    expect(Buffer.concat(pieces).equals(Buffer.from(padded))).toBe(true);
    expect(pieces.length).toBe(15);
    remote.close();
  });

  it("ends what was fetched ahead when the loop is left", async () => {
    const remote = await openRemote(server.put("s.b2frame", schunk.toCframe()));
    if (!(remote instanceof RemoteSChunk)) throw new Error("expected a super-chunk");
    server.delay = 30;
    for await (const _ of remote.iterChunks()) break;
    const { bytesCached } = remote.stats;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(remote.stats.bytesCached).toBe(bytesCached);
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await expect(remote.iterChunks({ signal: controller.signal }).next()).rejects.toThrow("enough");
    remote.close();
  });
});

describe("a first answer that is cut", () => {
  const frame = array.toCframe();

  it("is asked for again where the server says what range it sent", async () => {
    const url = server.put("cut.b2nd", frame);
    server.misbehave = [{ kind: "cut", bytes: 2000 }];
    let requests = 0;
    using remote = await openRemoteArray(url, { retry: { minDelay: 1 }, onRequest: () => requests++ });
    expect(requests).toBe(2);
    expect(Buffer.from((await remote.get()).bytes).equals(Buffer.from(values))).toBe(true);
  });

  it.each([300, 1000, 2000, 3000])("and read on from where it ends, where it does not: %i bytes", async (bytes) => {
    server.contentRange = false;
    server.misbehave = [{ kind: "cut", bytes }];
    using remote = await openRemoteArray(server.put("cut.b2nd", frame), { retry: { minDelay: 1 } });
    expect(Buffer.from((await remote.get()).bytes).equals(Buffer.from(values))).toBe(true);
  });
});

describe("a source that changes", () => {
  /** Gives a frame, another one from a given read on. */
  function changing(frames: readonly Uint8Array[], from: number): ByteSource {
    let reads = 0;
    return {
      name: "changing",
      readRange: ({ position, byteLength }) => {
        const which = reads++ < from ? 0 : 1;
        const bytes = (frames[which] as Uint8Array).slice(position, position + byteLength);
        return Promise.resolve({ bytes, version: `v${which}` });
      },
    };
  }
  const long = noise(200_000);
  const frames = [long, long.map((byte) => byte ^ 1)].map((data) =>
    asarray(data, { chunks: [10_000], blocks: [1000] }).toCframe(),
  );

  it("while it is opened is read from the beginning once more", async () => {
    using remote = await openRemoteArray(changing(frames, 1));
    expect((await remote.getSlice([5], [6])).data[0]).toBe((long[5] as number) ^ 1);
  });

  it("later is refused, whatever was cached, until it is refreshed", async () => {
    using remote = await openRemoteArray(changing(frames, 2));
    await remote.getSlice([0], [10]);
    await expect(remote.getSlice([150_000], [150_001])).rejects.toMatchObject({ code: "BLOSC2_IO_STALE" });
    await expect(remote.getSlice([0], [10])).rejects.toMatchObject({ code: "BLOSC2_IO_STALE" });
    expect(remote.stats.bytesCached).toBe(0);
    await remote.refresh();
    expect((await remote.getSlice([0], [1])).data[0]).toBe((long[0] as number) ^ 1);
  });

  it("can be refreshed again where that failed, and is not read before", async () => {
    using remote = await openRemoteArray(server.put("f.b2nd", frames[0] as Uint8Array), { retry: { tries: 1 } });
    server.put("f.b2nd", frames[1] as Uint8Array);
    server.misbehave = [{ kind: "status", status: 500 }];
    await expect(remote.refresh()).rejects.toMatchObject({ details: { status: 500 } });
    for (const read of [remote.getSlice([150_000], [150_001]), remote.prefetch([0]), remote.chunkInfo(0)]) {
      await expect(read).rejects.toMatchObject({ code: "BLOSC2_IO_STALE", cause: { details: { status: 500 } } });
    }
    expect([remote.shape, remote.nchunks]).toEqual([[long.length], long.length / 10_000]);
    await remote.refresh();
    expect((await remote.getSlice([150_000], [150_001])).data[0]).toBe((long[150_000] as number) ^ 1);
  });

  it("of another size is another one, also where there is no version", async () => {
    let grown = 0;
    const source: ByteSource = {
      name: "growing",
      readRange: ({ position, byteLength }) => {
        const bytes = (frames[0] as Uint8Array).slice(position, position + byteLength);
        return Promise.resolve({ bytes, size: (frames[0] as Uint8Array).byteLength + grown });
      },
    };
    using remote = await openRemoteArray(source);
    grown = 1;
    await expect(remote.getSlice([150_000], [150_001])).rejects.toMatchObject({ code: "BLOSC2_IO_STALE" });
  });

  it("that was downloaded whole is downloaded again by refresh", async () => {
    server.always = { kind: "whole" };
    const url = server.put("w.b2nd", frames[0] as Uint8Array);
    using remote = await openRemoteArray(url, { fullDownload: 10e6 });
    expect((await remote.getSlice([7], [8])).data[0]).toBe(long[7]);
    server.put("w.b2nd", frames[1] as Uint8Array);
    await remote.refresh();
    expect((await remote.getSlice([7], [8])).data[0]).toBe((long[7] as number) ^ 1);
  });

  it("what comes after a refresh for a request before it is not taken", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let version = 0;
    let holding = false;
    const source: ByteSource = {
      name: "slow",
      readRange: async ({ position, byteLength }) => {
        const bytes = (frames[version] as Uint8Array).slice(position, position + byteLength);
        if (holding) await held;
        return { bytes };
      },
    };
    using remote = await openRemoteArray(source);
    holding = true;
    const late = remote.getSlice([100_000], [100_001]);
    late.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 1));
    holding = false;
    version = 1;
    await remote.refresh();
    release();
    await expect(late).rejects.toThrow();
    expect((await remote.getSlice([100_000], [100_001])).data[0]).toBe((long[100_000] as number) ^ 1);
  });
});

describe("streams", () => {
  const collected = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of stream) pieces.push(piece);
    return Buffer.concat(pieces);
  };

  it("of rows have the array's bytes, and fetch as they are read", async () => {
    using remote = await openRemoteArray(server.put("a.b2nd", array.toCframe()));
    expect((await collected(remote.toReadable({ pieceBytes: 700 }))).equals(Buffer.from(values))).toBe(true);
    const rows = await collected(remote.toReadable({ start: -3, stop: -1 }));
    expect(rows.equals(Buffer.from(values.subarray(47 * 70, 49 * 70)))).toBe(true);

    using fresh = await openRemoteArray(server.put("b.b2nd", array.toCframe()), { cacheBytes: 3000 });
    const reader = fresh.toReadable({ pieceBytes: 560 }).getReader();
    expect(fresh.stats.bytesFromCache).toBe(0);
    expect((await reader.read()).value?.byteLength).toBe(560);
    await reader.cancel();
  });

  it("of items have the super-chunk's bytes, or a range's", async () => {
    using remote = await openRemote(server.put("s.b2frame", schunk.toCframe()));
    if (!(remote instanceof RemoteSChunk)) throw new Error("a super-chunk");
    expect((await collected(remote.toReadable())).equals(Buffer.from(padded))).toBe(true);
    const range = await collected(remote.toReadable({ start: 5000, stop: 20_001 }));
    expect(range.equals(Buffer.from(padded.subarray(5000, 20_001)))).toBe(true);
  });

  it("fail as reading does, and with the signal's reason", async () => {
    using remote = await openRemoteArray(server.put("a.b2nd", array.toCframe()), { retry: { tries: 1 } });
    using large = await openRemoteArray(server.put("l.b2nd", asarray(noise(200_000)).toCframe()), {
      retry: { tries: 1 },
    });
    server.always = { kind: "status", status: 403 };
    await expect(collected(large.toReadable())).rejects.toMatchObject({ details: { reason: "denied" } });
    const controller = new AbortController();
    const reading = collected(remote.toReadable({ signal: controller.signal, pieceBytes: 70 }));
    controller.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
  });
});
