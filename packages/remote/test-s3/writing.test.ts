import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { arrayFromCframe, asarray, SChunk, zeros } from "@b2frame/core";
import { noise } from "@b2frame/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pythonWithBlosc2 } from "../../interop/src/virtual-environment.js";
import { openRemoteArray } from "../src/index.js";
import {
  deleteS3,
  putS3,
  type S3WriteOptions,
  s3Source,
  updateS3Array,
  updateS3SChunk,
  writeS3Frame,
} from "../src/s3/index.js";
import { access, get, openUploads, put } from "./s3-server.js";

const MIB = 2 ** 20;
const ROW = 1000 * 1000;
const image = noise(ROW);
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "b2frame-s3-writing-"));
  await put("writing");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Rows that are the image, each changed by its number. */
function rows(from: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count * ROW);
  for (let row = 0; row < count; row++) {
    const start = row * ROW;
    for (let i = 0; i < ROW; i++) bytes[start + i] = (image[i] as number) ^ (from + row);
  }
  return bytes;
}

function framed(count: number): Uint8Array {
  using array = asarray(rows(0, count), {
    shape: [count, 1000, 1000],
    chunks: [1, 1000, 1000],
    blocks: [1, 100, 1000],
  });
  return array.toCframe();
}

/** Tells what was asked of S3. */
function counting(): { readonly options: S3WriteOptions; readonly sent: () => number; readonly urls: string[] } {
  const urls: string[] = [];
  let bytes = 0;
  const onRequest: S3WriteOptions["onRequest"] = (url, { byteLength }) => {
    urls.push(url);
    bytes += byteLength;
  };
  return { options: { ...access, onRequest }, sent: () => bytes, urls };
}

/** What python-blosc2 finds: the shape, and bytes at the beginning of some rows. */
function readByPython(bytes: Uint8Array, at: readonly number[]): unknown {
  const path = join(folder, "python.b2nd");
  writeFileSync(path, bytes);
  const script =
    "import blosc2, json, sys; a = blosc2.open(sys.argv[1]); print(json.dumps([list(a.shape), [int(a[r, 0, 7]) for r in json.loads(sys.argv[2])]]))";
  return JSON.parse(execFileSync(pythonWithBlosc2(), ["-c", script, path, JSON.stringify(at)]).toString());
}

const byteOf = (row: number): number => (image[7] as number) ^ row;

describe("whole objects", () => {
  const large = noise(20 * MIB + 7);

  it.each([
    ["bytes", () => large],
    ["a Blob", () => new Blob([large])],
    ["a stream", () => new Blob([large]).stream() as ReadableStream<Uint8Array>],
    [
      "an iterable of pieces of odd lengths",
      () => Readable.from(Array.from({ length: 27 }, (_, i) => large.subarray(i * 777_777, (i + 1) * 777_777))),
    ],
  ])("are put from %s", async (_, content) => {
    const { options, urls } = counting();
    const made = content();
    const { etag, byteLength } = await putS3("s3://writing/large.bin", made, options);
    expect(byteLength).toBe(large.byteLength);
    expect(etag).toMatch(/^".+-3"$/);
    expect(urls.length).toBe(5);
    expect(Buffer.from(await get("writing/large.bin")).equals(Buffer.from(large))).toBe(true);
  });

  it("of few bytes, or none, take one request", async () => {
    for (const bytes of [new Uint8Array(0), noise(1000)]) {
      const { options, urls } = counting();
      await putS3("s3://writing/small (1)+ä.bin", bytes, options);
      expect(urls.length).toBe(1);
      expect(await get("writing/small (1)+ä.bin")).toEqual(bytes);
    }
  });

  it("are written under a condition, or not at all, and removed", async () => {
    const url = "s3://writing/condition.bin";
    const first = await putS3(url, noise(10), { ...access, ifAbsent: true });
    for (const content of [noise(10), large]) {
      for (const condition of [{ ifAbsent: true }, { ifMatch: '"0123"' }]) {
        await expect(putS3(url, content, { ...access, ...condition })).rejects.toMatchObject({
          code: "BLOSC2_IO_CONFLICT",
        });
      }
    }
    expect(await openUploads("writing")).toEqual([]);
    await putS3(url, noise(11), { ...access, ifMatch: first.etag });
    expect((await get("writing/condition.bin")).byteLength).toBe(11);
    await deleteS3(url, access);
    await deleteS3(url, access);
    await expect(get("writing/condition.bin")).rejects.toThrow("404");
  });

  it("leave no upload behind when their content fails, or the signal fires", async () => {
    const controller = new AbortController();
    function* failing(): Generator<Uint8Array> {
      yield large;
      yield large;
      throw new Error("the camera is gone");
    }
    await expect(putS3("s3://writing/failing.bin", Readable.from(failing()), access)).rejects.toThrow(
      "the camera is gone",
    );
    function* aborted(): Generator<Uint8Array> {
      yield large;
      controller.abort(new Error("enough"));
      yield large;
    }
    const options = { ...access, signal: controller.signal };
    await expect(putS3("s3://writing/failing.bin", Readable.from(aborted()), options)).rejects.toThrow("enough");
    expect(await openUploads("writing")).toEqual([]);
    await expect(get("writing/failing.bin")).rejects.toThrow("404");
  });

  it("need a bucket, and say so", async () => {
    const missing = putS3("s3://no-such-bucket/a", noise(10), access);
    await expect(missing).rejects.toMatchObject({ code: "BLOSC2_IO_NOT_FOUND", details: { reason: "NoSuchBucket" } });
    const denied = putS3("s3://writing/a", noise(10), { ...access, keys: undefined });
    await expect(denied).rejects.toMatchObject({ details: { status: 403 } });
  });
});

describe("frames that are written while they are made", () => {
  it("are uploaded in parts meanwhile", async () => {
    const url = "s3://writing/grown.b2nd";
    let sentBefore = 0;
    const { options, urls } = counting();
    const { byteLength } = await writeS3Frame(
      url,
      async ({ urlpath, io, room }) => {
        using array = zeros([0, 1000, 1000], {
          ...{ urlpath, io, dtype: "|u1" },
          ...{ chunks: [1, 1000, 1000], blocks: [1, 100, 1000] },
        });
        for (let row = 0; row < 40; row++) {
          array.append(rows(row, 1), 0);
          await room();
        }
        sentBefore = urls.filter((part) => part.includes("partNumber")).length;
      },
      options,
    );
    expect(byteLength).toBeGreaterThan(40 * ROW);
    // Of five parts the first one waits for the header, the last one for the end.
    expect(sentBefore).toBeGreaterThanOrEqual(1);
    expect(urls.filter((part) => part.includes("partNumber")).length).toBe(5);
    const bytes = await get("writing/grown.b2nd");
    using array = arrayFromCframe(bytes);
    expect(Buffer.from(array.get().bytes).equals(Buffer.from(rows(0, 40)))).toBe(true);
    expect(readByPython(bytes, [0, 17, 39])).toEqual([[40, 1000, 1000], [0, 17, 39].map(byteOf)]);
    using remote = await openRemoteArray(s3Source(url, access));
    expect((await remote.get([30, 0, 7])).data[0]).toBe(byteOf(30));
  });

  it("that are small take one request", async () => {
    const { options, urls } = counting();
    const write = ({ urlpath, io }: { urlpath: string; io: Parameters<typeof SChunk.open>[1] }): void => {
      SChunk.create({ urlpath, io, data: noise(1000) }).close();
    };
    await writeS3Frame("s3://writing/small.b2frame", write, options);
    expect(urls.length).toBe(1);
    using schunk = SChunk.fromCframe(await get("writing/small.b2frame"));
    expect(schunk.decompressChunk(0)).toEqual(noise(1000));
  });

  it("leave nothing behind when making them fails, and must be closed", async () => {
    const url = "s3://writing/unfinished.b2nd";
    const failing = writeS3Frame(
      url,
      async ({ urlpath, io, room }) => {
        using schunk = SChunk.create({ urlpath, io, chunksize: ROW });
        for (let i = 0; i < 30; i++) {
          schunk.appendData(rows(i, 1));
          await room();
        }
        throw new Error("the disk of the microscope is full");
      },
      access,
    );
    await expect(failing).rejects.toThrow("the disk of the microscope is full");
    const open = writeS3Frame(url, ({ urlpath, io }) => void SChunk.create({ urlpath, io, data: noise(10) }), access);
    await expect(open).rejects.toThrow("the frame is still open");
    await expect(writeS3Frame(url, () => {}, access)).rejects.toThrow("write made no frame at urlpath");
    expect(await openUploads("writing")).toEqual([]);
    await expect(get("writing/unfinished.b2nd")).rejects.toThrow("404");
  });
});

describe("changing frames in objects", () => {
  it.each([undefined, 6 * MIB])("appends without uploading what stays (parts of %s bytes)", async (partSize) => {
    await put("writing/appended.b2nd", framed(40));
    const { options, sent, urls } = counting();
    const url = "s3://writing/appended.b2nd";
    const { tries, byteLength } = await updateS3Array(url, (array) => array.append(rows(40, 2)), {
      ...options,
      partSize,
    });
    expect(tries).toBe(1);
    expect(urls.filter((part) => part.includes("partNumber")).length).toBe(partSize === undefined ? 3 : 7);
    // The first part down and up, the description, and two rows.
    expect(sent()).toBeLessThan(partSize === undefined ? 15 * MIB : 24 * MIB);
    const bytes = await get("writing/appended.b2nd");
    expect(bytes.byteLength).toBe(byteLength);
    using array = arrayFromCframe(bytes);
    expect(Buffer.from(array.get().bytes).equals(Buffer.from(rows(0, 42)))).toBe(true);
    expect(readByPython(bytes, [0, 39, 41])).toEqual([[42, 1000, 1000], [0, 39, 41].map(byteOf)]);
  });

  it("changes any chunk, metadata, and compacts", async () => {
    await put("writing/changed.b2nd", framed(24));
    const url = "s3://writing/changed.b2nd";
    const change = await updateS3Array(
      url,
      (array) => {
        array.set([12], new Uint8Array(ROW).fill(9));
        array.schunk.vlmeta.set("changed", new Uint8Array([1]));
        return array.shape[0];
      },
      access,
    );
    expect(change.result).toBe(24);
    const before = change.byteLength;
    const { byteLength } = await updateS3Array(url, (array) => array.schunk.compact(), access);
    expect(byteLength).toBeLessThan(before - 0.9 * ROW);
    const bytes = await get("writing/changed.b2nd");
    using array = arrayFromCframe(bytes);
    expect([array.get([12, 5, 5]).data[0], array.get([13, 0, 7]).data[0]]).toEqual([9, byteOf(13)]);
    expect(array.schunk.vlmeta.get("changed")).toEqual(new Uint8Array([1]));
  });

  it("keeps the object's headers, and does not write what did not change", async () => {
    const url = "s3://writing/headers.b2frame";
    const objectHeaders = { "content-type": "application/x-blosc2", "x-amz-meta-owner": "lab 7" };
    using empty = SChunk.create({ data: noise(5000), chunksize: 5000 });
    await putS3(url, empty.toCframe(), { ...access, objectHeaders });
    const first = await updateS3SChunk(url, (schunk) => schunk.appendData(noise(5000)), access);
    const { etag } = await updateS3SChunk(url, () => {}, access);
    expect(etag).toBe(first.etag);
    const seen: Record<string, string | null> = {};
    const look = async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      for (const name of Object.keys(objectHeaders)) seen[name] = response.headers.get(name);
      return response;
    };
    await updateS3SChunk(url, () => {}, { ...access, fetch: look });
    expect(seen).toEqual(objectHeaders);
  });

  it("begins again on what another writer put there, and gives up after so many", async () => {
    const url = "s3://writing/raced.b2frame";
    using one = SChunk.create({ data: noise(1000), chunksize: 1000 });
    await putS3(url, one.toCframe(), access);
    let others = 2;
    const change = (schunk: SChunk): number => {
      const { nchunks } = schunk;
      schunk.appendData(new Uint8Array(1000).fill(1));
      return nchunks;
    };
    const racing = async (schunk: SChunk): Promise<number> => {
      if (others-- > 0) await updateS3SChunk(url, (other) => other.appendData(new Uint8Array(1000).fill(2)), access);
      return change(schunk);
    };
    const conflicts = { minDelay: 1 };
    const { tries, result } = await updateS3SChunk(url, racing, { ...access, conflicts });
    expect([tries, result]).toEqual([3, 3]);
    others = 99;
    const lost = updateS3SChunk(url, racing, { ...access, conflicts: { ...conflicts, tries: 2 } });
    await expect(lost).rejects.toMatchObject({ code: "BLOSC2_IO_CONFLICT", details: { tries: 2 } });
    using schunk = SChunk.fromCframe(await get("writing/raced.b2frame"));
    expect(Array.from({ length: 6 }, (_, i) => schunk.decompressChunk(i)[0])).toEqual([noise(1000)[0], 2, 2, 1, 2, 2]);
    expect(await openUploads("writing")).toEqual([]);
  });

  it.each([
    ["an object put whole", 1],
    ["an object put in parts", 12],
  ])("counts a commit whose answer was lost once: %s", async (_, count) => {
    const url = "s3://writing/lost.b2nd";
    await put("writing/lost.b2nd", framed(count));
    let losing = true;
    const losingAnswers = async (request: Request): Promise<Response> => {
      const publishes = request.headers.get("if-match") !== null;
      const response = await fetch(request);
      if (!publishes || !losing) return response;
      losing = false;
      await response.arrayBuffer();
      throw new TypeError("the connection was reset");
    };
    const options = { ...access, fetch: losingAnswers, retry: { tries: 3, minDelay: 1 } };
    const { tries } = await updateS3Array(url, (array) => array.append(rows(count, 1)), options);
    expect([losing, tries]).toEqual([false, 1]);
    using array = arrayFromCframe(await get("writing/lost.b2nd"));
    expect(array.shape).toEqual([count + 1, 1000, 1000]);
  });

  it("throws what the change throws, and what is no frame", async () => {
    await put("writing/untouched.b2nd", framed(1));
    const wrong = updateS3Array("s3://writing/untouched.b2nd", () => Promise.reject(new Error("no")), access);
    await expect(wrong).rejects.toThrow("no");
    expect(Buffer.from(await get("writing/untouched.b2nd")).equals(Buffer.from(framed(1)))).toBe(true);
    await put("writing/none.b2nd", noise(1000));
    await expect(updateS3Array("s3://writing/none.b2nd", () => {}, access)).rejects.toMatchObject({
      name: "FormatError",
    });
    await expect(updateS3Array("s3://writing/missing.b2nd", () => {}, access)).rejects.toMatchObject({
      code: "BLOSC2_IO_NOT_FOUND",
    });
  });
});
