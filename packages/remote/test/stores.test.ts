import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { asarray, NDArray, SChunk } from "@b2frame/core";
import { readingCodecs } from "@b2frame/core/read";
import { stdio } from "@b2frame/io-stdio";
import { createStore, openStore } from "@b2frame/stores";
import { noise } from "@b2frame/test-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RangeServer } from "../../torture/src/remote/range-server.js";
import { openRemote, RemoteArray, RemoteSChunk } from "../src/index.js";
import {
  directoryFiles,
  type FolderHandle,
  httpFiles,
  openRemoteSparse,
  openRemoteStore,
  type RemoteFiles,
} from "../src/stores/index.js";

const FIXTURES = new URL("../../../fixtures/stores/", import.meta.url).pathname;
const quick = { retry: { minDelay: 1, maxDelay: 5 } } as const;

let server: RangeServer;
let folder: string;
beforeAll(async () => {
  server = await RangeServer.start();
  folder = mkdtempSync(join(tmpdir(), "b2frame-remote-"));
});
beforeEach(() => {
  server.misbehave = [];
  server.always = undefined;
  server.delay = 0;
  server.contentRange = true;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

/** Paths of all files in a folder. */
function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)));
}

/** A folder on the disk as a browser gives it. */
function handleOf(path: string, name: string): FolderHandle {
  return {
    kind: "directory",
    name,
    async *entries() {
      await Promise.resolve();
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const inside = join(path, entry.name);
        if (entry.isDirectory()) yield [entry.name, handleOf(inside, entry.name)];
        else yield [entry.name, { kind: "file", name: entry.name, getFile: () => Promise.resolve(blobOf(inside)) }];
      }
    },
  };
}

function blobOf(path: string): Blob {
  return new Blob([readFileSync(path)]);
}

/** Puts a folder on the server. */
function serve(path: string, name: string): RemoteFiles {
  let url = "";
  const names = filesIn(path);
  for (const file of names) url = server.put(`${name}/${file}`, readFileSync(join(path, file))).slice(0, -file.length);
  return httpFiles(url, quick, names);
}

/** Kinds of members that open as super-chunks. */
const OPENED: readonly string[] = ["super-chunk", "object-array", "batch-array", "list-array"];
const fixtures = readdirSync(FIXTURES).filter((name) => /^(?!deflated).*\.b2[zde]$/.test(name));

describe.each(fixtures)("%s, written by python-blosc2", (name) => {
  const path = join(FIXTURES, name);
  const place = (): Parameters<typeof openRemoteStore>[0] =>
    name.endsWith(".b2d") ? serve(path, name) : server.put(name, readFileSync(path));

  it("has what the local store has, content included", async () => {
    using local = openStore(path, stdio(), { codecs: readingCodecs });
    using remote = await openRemoteStore(place(), quick);
    expect([remote.type, remote.format]).toEqual([local.type, local.format]);
    expect(await remote.keys()).toEqual(local.keys());
    expect(await remote.walk()).toEqual([...local.walk()]);
    expect(await remote.children()).toEqual(local.children());
    if (local.type === "tree") expect(await remote.attributes()).toEqual(local.attributes());
    for (const key of local.keys()) {
      const kind = local.kind(key);
      expect(await remote.kind(key), key).toBe(kind);
      if (kind === "array") {
        using array = local.openArray(key);
        const far = await remote.openArray(key);
        expect(far.shape).toEqual(array.shape);
        expect(Buffer.from((await far.get()).bytes).equals(Buffer.from(array.get().bytes)), key).toBe(true);
      } else if (OPENED.includes(kind)) {
        using schunk = local.openSChunk(key);
        const far = await remote.openSChunk(key);
        expect(far.nchunks).toBe(schunk.nchunks);
        for (let chunk = 0; chunk < schunk.nchunks; chunk++) {
          const bytes = Buffer.from(await far.decompressChunk(chunk));
          expect(bytes.equals(Buffer.from(schunk.decompressChunk(chunk))), key).toBe(true);
        }
        await expect(remote.openArray(key)).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_INVALID" });
      } else {
        await expect(remote.openSChunk(key)).rejects.toMatchObject({ name: "UnsupportedError" });
      }
    }
    await expect(remote.openArray("/not/there")).rejects.toMatchObject({ name: "ArgumentError" });
  });
});

describe("a large .b2z", () => {
  const values = noise(3_000_000);
  let bytes: Uint8Array;
  beforeAll(() => {
    const path = join(folder, "large.b2z");
    {
      using store = createStore(path, stdio());
      for (const key of ["/a/one", "/a/two", "/b"]) {
        store.set(key, values, { shape: [300, 10_000], chunks: [50, 10_000], blocks: [5, 1000] });
      }
    }
    bytes = readFileSync(path);
  });

  it("is opened in a few requests, and a crop takes little more than its blocks", async () => {
    using store = await openRemoteStore(server.put("l.b2z", bytes), quick);
    const opening = store.stats;
    expect(opening.requests).toBeLessThanOrEqual(4);
    expect(opening.bytesFetched).toBeLessThan(200_000);
    const array = await store.openArray("/a/two");
    const before = store.stats;
    const crop = await array.getSlice([120, 3000], [125, 4000]);
    expect([...crop.bytes.subarray(0, 1000)]).toEqual([...values.subarray(120 * 10_000 + 3000, 120 * 10_000 + 4000)]);
    // One block of 5000 incompressible bytes lies in a chunk of less than 1 MiB, which is fetched whole: 500,000 bytes.
    expect(store.stats.bytesFetched - before.bytesFetched).toBeLessThan(520_000);
    const after = store.stats.requests;
    await array.getSlice([120, 3000], [125, 4000]);
    expect(store.stats.requests).toBe(after);
  });

  it("needs the size of the file: from Content-Range, by HEAD, or by option", async () => {
    server.contentRange = false;
    const url = server.put("s.b2z", bytes);
    server.requests.length = 0;
    using asked = await openRemoteStore(url, quick);
    expect(await asked.keys()).toEqual(["/a/one", "/a/two", "/b"]);
    expect(server.requests.filter(({ method }) => method === "HEAD").length).toBe(1);
    server.requests.length = 0;
    using told = await openRemoteStore(url, { ...quick, size: bytes.byteLength });
    expect(await told.has("/b")).toBe(true);
    expect(server.requests.filter(({ method }) => method === "HEAD").length).toBe(0);
  });

  it("that is replaced is stale for the store and its members", async () => {
    using store = await openRemoteStore(server.put("r.b2z", bytes), quick);
    const array = await store.openArray("/a/one");
    server.put("r.b2z", bytes);
    await expect(array.getSlice([200], [201])).rejects.toMatchObject({ code: "BLOSC2_IO_STALE" });
    await expect(store.openArray("/b")).rejects.toMatchObject({ code: "BLOSC2_IO_STALE" });
  });

  it("in a Blob and behind a file handle", async () => {
    const file = new File([bytes as Uint8Array<ArrayBuffer>], "picked.b2z");
    for (const place of [file, { kind: "file", name: "picked.b2z", getFile: () => Promise.resolve(file) } as const]) {
      using store = await openRemoteStore(place);
      expect(store.name).toBe("picked.b2z");
      const array = await store.openArray("/b");
      expect((await array.getSlice([7], [8])).bytes).toEqual(values.slice(70_000, 80_000));
    }
  });

  it("that is cut, or something else, is refused by name", async () => {
    const cut = server.put("cut.b2z", bytes.subarray(0, 100_000));
    await expect(openRemoteStore(cut, quick)).rejects.toMatchObject({ name: "FormatError" });
    await expect(openRemoteStore(server.put("x.b2z", noise(5000)), quick)).rejects.toMatchObject({
      name: "FormatError",
    });
    await expect(openRemoteStore(`${cut}x`, quick)).rejects.toMatchObject({ code: "BLOSC2_IO_NOT_FOUND" });
    await expect(openRemoteStore(httpFiles("http://127.0.0.1:9"))).rejects.toMatchObject({
      code: "BLOSC2_ARGUMENT_INVALID",
    });
  });
});

it("compressed members of a .b2z are refused by name", async () => {
  using store = await openRemoteStore(server.put("d.b2z", readFileSync(join(FIXTURES, "deflated.b2z"))), quick);
  await expect(store.openArray("/deep/large")).rejects.toMatchObject({
    name: "UnsupportedError",
    message: expect.stringContaining("deflate"),
  });
});

it("a .b2d in a folder that was picked", async () => {
  const name = fixtures.find((fixture) => fixture.endsWith(".b2d")) as string;
  using local = openStore(join(FIXTURES, name), stdio());
  using remote = await openRemoteStore(handleOf(join(FIXTURES, name), name));
  expect(await remote.keys()).toEqual(local.keys());
  const files = await directoryFiles(handleOf(join(FIXTURES, name), name));
  await expect(files.source("missing").readRange({ position: 0, byteLength: 1 })).rejects.toMatchObject({
    code: "BLOSC2_IO_NOT_FOUND",
  });
});

describe("a sparse frame", () => {
  const values = noise(120_000);
  let path: string;
  beforeAll(() => {
    path = join(folder, "sparse.b2nd");
    using array = asarray(values, {
      shape: [300, 400],
      chunks: [50, 100],
      blocks: [10, 50],
      urlpath: path,
      io: stdio(),
      contiguous: false,
    });
    expect(array).toBeInstanceOf(NDArray);
  });

  it("behind HTTP takes one request for each chunk that is touched, and no list", async () => {
    const url = `${serve(path, "sparse").name}/`;
    const array = await openRemoteSparse(url, quick);
    if (!(array instanceof RemoteArray)) throw new Error("expected an array");
    server.requests.length = 0;
    const crop = await array.getSlice([40, 150], [60, 160]);
    expect(crop.shape).toEqual([20, 10]);
    for (let row = 0; row < 20; row++) {
      const from = (40 + row) * 400 + 150;
      expect(crop.bytes.subarray(row * 10, row * 10 + 10)).toEqual(values.subarray(from, from + 10));
    }
    expect(server.requests.length).toBe(2);
    await array.getSlice([40, 150], [60, 160]);
    expect(server.requests.length).toBe(2);
    expect(array.plan([0, 0]).length).toBe(1);
    expect(Buffer.from((await array.get()).bytes).equals(Buffer.from(values))).toBe(true);
    array.close();
  });

  it("keeps no more than it is told to, and reads on", async () => {
    const array = await openRemoteSparse(serve(path, "small"), { ...quick, cacheBytes: 20_000 });
    if (!(array instanceof RemoteArray)) throw new Error("expected an array");
    for (const row of [10, 60, 110, 160, 210, 260, 10]) {
      expect((await array.get([row])).bytes).toEqual(values.slice(row * 400, row * 400 + 400));
      expect(array.stats.bytesCached).toBeLessThan(25_000);
    }
    array.close();
  });

  it("in a folder that was picked; a super-chunk", async () => {
    const where = join(folder, "items");
    SChunk.create({ data: values, chunksize: 10_000, urlpath: where, io: stdio(), contiguous: false }).close();
    const schunk = await openRemoteSparse(handleOf(where, "items"));
    if (!(schunk instanceof RemoteSChunk)) throw new Error("expected a super-chunk");
    const pieces: Uint8Array[] = [];
    for await (const piece of schunk.iterChunks()) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(Buffer.from(values))).toBe(true);
    schunk.close();
  });

  it("that lacks a chunk's file is refused by its path", async () => {
    const files = serve(path, "broken");
    const lost = filesIn(path).find((name) => name.endsWith(".chunk")) as string;
    const names = filesIn(path).filter((name) => name !== lost);
    const array = await openRemoteSparse(httpFiles(files.name, quick, names), quick);
    if (!(array instanceof RemoteArray)) throw new Error("expected an array");
    await expect(array.get()).rejects.toMatchObject({ code: "BLOSC2_IO_NOT_FOUND" });
    array.close();
  });
});

it("a file handle is opened as the file that it stands for", async () => {
  const frame = asarray([1, 2, 3]).toCframe() as Uint8Array<ArrayBuffer>;
  const array = await openRemote({
    kind: "file",
    name: "three.b2nd",
    getFile: () => Promise.resolve(new File([frame], "three.b2nd")),
  });
  if (!(array instanceof RemoteArray)) throw new Error("expected an array");
  expect([array.name, [...(await array.get()).data]]).toEqual(["three.b2nd", [1, 2, 3]]);
  array.close();
});
