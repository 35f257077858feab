import { describe, expect, it } from "vitest";
import { compressChunk, defaultEnvironment } from "../src/codec.js";
import * as main from "../src/index.js";
import {
  Chunk,
  type ChunkPlacement,
  chunkFromBytes,
  memoryHandle,
  openArrayReader,
  openSChunkReader,
  planChunks,
  planHeader,
  planIndex,
  rangeCacheHandle,
  readingCodecs,
  readingEnvironment,
  SuperChunkReader,
} from "../src/read.js";
import { loadZstd, registerZstd } from "../src/zstd.js";
import { fixtureFile, frameBytes, frameFixture, frameFixtures, sha256 } from "./frame/frame-fixtures.js";

const READABLE = [
  "frame/one",
  "frame/special-mix",
  "frame/varchunks",
  "frame/clevel0",
  "frame/vlblocks",
  "frame/fill-nans",
];

describe("reading frames of C-Blosc2", () => {
  it.each(READABLE)("%s", (id) => {
    const fixture = frameFixture(id);
    using s = openSChunkReader(frameBytes(fixture));
    expect([s.nchunks, s.nbytes, s.typesize]).toEqual([fixture.nchunks, fixture.nbytes, fixture.typesize]);
    expect(sha256(...s.iterChunks())).toBe(fixture.sha256);
    for (const { start, stop, sha256: expected } of fixture.slices ?? [])
      expect(sha256(s.getSlice(start, stop))).toBe(expected);
  });

  it("at an offset of a file", () => {
    for (const id of ["frame/embedded-1", "frame/embedded-2"]) {
      const fixture = frameFixture(id);
      using s = openSChunkReader(memoryHandle(fixtureFile(fixture)), { offset: fixture.offset });
      expect(sha256(...s.iterChunks())).toBe(fixture.sha256);
    }
  });

  it("with metalayers, and a codec more", async () => {
    const codecs = readingCodecs.clone();
    codecs.register(await loadZstd(), { allowReserved: true, replace: true });
    using s = openSChunkReader(frameBytes(frameFixture("frame/vlmeta-edited")), { codecs });
    expect(s.vlmeta.keys()).toEqual(frameFixture("frame/vlmeta-edited").vlmeta.map(({ name }) => name));
    for (const [name, bytes] of s.vlmeta) expect(s.vlmeta.get(name)).toEqual(bytes);
    expect(() => s.vlmeta.get("none")).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" }));
  });

  it("by ranges fetched beforehand", () => {
    const fixture = frameFixture("frame/set-slice");
    const file = frameBytes(fixture);
    using whole = openSChunkReader(file);
    const bytesOf = ({ position, byteLength }: { position: number; byteLength: number }) => ({
      position,
      bytes: file.slice(position, position + byteLength),
    });
    const front = planHeader(0, file.byteLength);
    const index = planIndex(file.subarray(0, front.byteLength), 0, file.byteLength);
    const { handle, ranges } = rangeCacheHandle(file.byteLength, [front, ...index].map(bytesOf));
    using part = openSChunkReader(handle);
    for (const range of planChunks(part.placement as ChunkPlacement, [1])) ranges.add(bytesOf(range));
    expect(part.decompressChunk(1)).toEqual(whole.decompressChunk(1));
  });
});

describe("reading arrays of C-Blosc2", () => {
  const readable = frameFixtures("b2nd").filter(({ id }) =>
    /b2nd\/(?:2d|3d|4d|5d|struct|caterva|resized-both)$/.test(id),
  );

  it.each(readable.map((fixture) => [fixture.id, fixture] as const))("%s", (_id, fixture) => {
    const { shape, array_sha256 } = fixture as unknown as { shape: number[]; array_sha256: string };
    using a = openArrayReader(frameBytes(fixture));
    expect(a.shape).toEqual(shape);
    expect(sha256(a.getSlice().bytes)).toBe(array_sha256);
  });

  it("refuses a frame without one, and closes it", () => {
    const handle = memoryHandle(frameBytes(frameFixture("frame/one")));
    expect(() => openArrayReader(handle)).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_INVALID" }));
    expect(() => handle.size()).toThrow(expect.objectContaining({ code: "BLOSC2_IO_CLOSED" }));
  });
});

describe("what the reader is", () => {
  it("a super-chunk without changes", () => {
    const s = openSChunkReader(frameBytes(frameFixture("frame/one")), { path: "one" });
    expect(s).toBeInstanceOf(SuperChunkReader);
    for (const method of ["appendData", "deleteChunk", "flush", "compact"]) expect(s).not.toHaveProperty(method);
    expect(s.meta).not.toHaveProperty("set");
    s.close();
    s.close();
    expect(() => s.nchunks).toThrow(expect.objectContaining({ code: "BLOSC2_IO_CLOSED" }));
  });

  it("of codecs that only read", () => {
    expect(readingCodecs.keys()).toEqual(["blosclz", "lz4", "lz4hc", "zlib", "zstd"]);
    for (const name of readingCodecs.keys()) expect(readingCodecs.byName(name).compress).toBeUndefined();
    const { codecs } = readingEnvironment();
    const varied = new Uint8Array(5000).map((_, i) => i >> 3);
    expect(() => compressChunk(varied, { codec: "lz4" }, readingEnvironment())).toThrow(main.UnsupportedError);
    expect(codecs).toBe(readingCodecs);
  });

  it("on one engine per thread", () => {
    expect(readingEnvironment().engine).toBe(readingEnvironment().engine);
    expect(readingEnvironment({ engine: "portable" }).engine.name).toBe("portable");
    expect(readingEnvironment({ codecs: readingCodecs.clone() }).engine).not.toBe(readingEnvironment().engine);
  });

  it("for what the main entry writes, whatever the engine", async () => {
    const codecs = main.defaultCodecs.clone();
    await registerZstd(codecs);
    const data = Float64Array.from({ length: 5000 }, (_, i) => Math.sqrt(i));
    const bytes = new Uint8Array(data.buffer);
    for (const codec of ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]) {
      const chunk = compressChunk(bytes, { codec, typesize: 8, filters: ["shuffle"] }, defaultEnvironment({ codecs }));
      for (const engine of ["kernels", "portable"] as const)
        expect(Chunk.open(chunkFromBytes(chunk), readingEnvironment({ engine })).decompress()).toEqual(bytes);
    }
  });

  it("follows a writer, and holds chunks against their checksums", () => {
    const data = new Int32Array(1000).map((_, i) => i);
    const writer = main.SChunk.create({ data, chunksize: 1000, checksum: true });
    const cframe = writer.toCframe();
    using s = openSChunkReader(cframe, { checksum: true });
    expect(s.getSlice()).toEqual(new Uint8Array(data.buffer));
    const { position = 0, cbytes } = [...s.iterChunksInfo()][2] ?? { cbytes: 0 };
    cframe[position + cbytes - 1] ^= 1;
    using damaged = openSChunkReader(cframe, { checksum: true });
    expect(() => damaged.decompressChunk(2)).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_CHECKSUM" }));
    s.refresh();
    expect(s.nchunks).toBe(4);
  });
});

describe("what is no frame", () => {
  it("is refused", () => {
    expect(() => openSChunkReader(new Uint8Array(200))).toThrow(main.FormatError);
    expect(() => openSChunkReader(new Uint8Array(0))).toThrow(main.FormatError);
    expect(() => openSChunkReader(frameBytes(frameFixture("frame/one")), { offset: -1 })).toThrow(main.ArgumentError);
  });
});
