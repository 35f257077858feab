import { beforeAll, describe, expect, it } from "vitest";
import { asarray } from "../../src/b2nd/create-array.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { registerCodec } from "../../src/codec/codec-registry.js";
import { isBlosc2Error } from "../../src/errors.js";
import { memory } from "../../src/io/memory-backend.js";
import { registerPlugins } from "../../src/plugins.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { type VerifyReport, verifyFrame } from "../../src/verify/verify-frame.js";
import { loadZstd } from "../../src/zstd.js";
import { directoryBackend } from "../frame/directory-backend.js";
import { fixtureFile, frameBytes, frameFixtures, sparseFixture } from "../frame/frame-fixtures.js";

beforeAll(async () => {
  registerCodec(await loadZstd(), { replace: true, allowReserved: true });
  registerPlugins();
});

function stored(bytes: Uint8Array): ReturnType<typeof memory> {
  const backend = memory();
  const handle = backend.open("f", "w+");
  handle.write(0, bytes);
  handle.close();
  return backend;
}

function verified(bytes: Uint8Array): VerifyReport {
  return verifyFrame("f", stored(bytes));
}

/** Three chunks of 1000 numbers and a vlmetalayer. */
function frame(options: { checksum?: boolean } = {}): SChunk {
  const s = SChunk.create({ typesize: 4, chunksize: 4000, cparams: { codec: "zlib" }, ...options });
  for (let i = 0; i < 3; i++) s.appendData(Int32Array.from({ length: 1000 }, (_, k) => i * 1000 + k * k));
  s.vlmeta.setValue("note", "kept");
  return s;
}

function positions(s: SChunk): number[] {
  using read = SChunk.fromCframe(s.toCframe());
  return [...read.iterChunksInfo()].map((info) => info.position as number);
}

describe("frames that are whole", () => {
  const fixtures = [...frameFixtures("cframe"), ...frameFixtures("b2nd")].filter(
    (each) => !each.file.endsWith("sparse.b2nd"),
  );

  it.each(fixtures.map((each) => [each.id, each] as const))("%s has no problems", (_, fixture) => {
    const { offset } = fixture;
    const report = verifyFrame("f", stored(fixtureFile(fixture)), { offset });
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ ok: true, kind: "contiguous", nbytes: fixture.nbytes });
  });

  it.each(frameFixtures("sframe").map((each) => [each.id, each] as const))("%s has no problems", (_, fixture) => {
    const report = verifyFrame(fixture.file, sparseFixture(fixture));
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ ok: true, kind: "sparse", nchunks: fixture.nchunks });
  });

  it("tells counts, and goes through the chunks one by one", () => {
    const steps: [number, number][] = [];
    const s = frame();
    s.deleteChunk(0);
    const backend = stored(SChunk.fromCframe(s.toCframe()).toCframe());
    const report = verifyFrame("f", backend, { onProgress: (done, total) => steps.push([done, total]) });
    expect(report).toMatchObject({ path: "f", ok: true, nchunks: 2, nbytes: 8000, deadBytes: 0, strayBytes: 0 });
    expect(steps).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it("counts what follows the frame, without calling it a problem", () => {
    const bytes = frame().toCframe();
    const longer = new Uint8Array(bytes.byteLength + 77).fill(1);
    longer.set(bytes);
    expect(verified(longer)).toMatchObject({ ok: true, strayBytes: 77 });
  });

  it("stops when asked to", () => {
    const signal = { aborted: false, reason: "enough" };
    const onProgress = (): void => {
      signal.aborted = true;
    };
    const backend = stored(frame().toCframe());
    try {
      verifyFrame("f", backend, { signal, onProgress });
      expect.unreachable();
    } catch (error) {
      expect(isBlosc2Error(error, "BLOSC2_ABORTED")).toBe(true);
      expect((error as Error).cause).toBe("enough");
    }
  });
});

describe("frames that C-Blosc2 and b2frame refuse", () => {
  const rejected = [...frameFixtures("malformed-frame"), ...frameFixtures("malformed-b2nd")].filter(
    // The array's metalayer under another name leaves a sound frame without an array.
    (each) => each.expect === "reject" && !/\/(name|caterva)$/.test(each.id),
  );

  it.each(rejected.map((each) => [each.id, each] as const))("%s has problems", (_, fixture) => {
    const report = verified(frameBytes(fixture));
    expect(report.ok).toBe(false);
    expect(report.problems.length).toBeGreaterThan(0);
  });

  it.each(frameFixtures("malformed-sframe").map((each) => [each.id, each] as const))(
    "%s has problems",
    (_, fixture) => {
      expect(verifyFrame(fixture.file, sparseFixture(fixture)).ok).toBe(false);
    },
  );
});

describe("damage", () => {
  it("of the header is told with its field and place", () => {
    const bytes = frame().toCframe();
    bytes[48] = 0x80;
    expect(verified(bytes)).toMatchObject({
      ok: false,
      nchunks: 0,
      problems: [{ structure: "frame header", field: "typesize", position: 48, code: "BLOSC2_FORMAT_BAD_LENGTH" }],
    });
  });

  it("of the trailer does not keep the chunks from being checked", () => {
    const s = frame();
    const [, second] = positions(s) as [number, number];
    const bytes = s.toCframe();
    bytes[bytes.byteLength - 23] = 0;
    bytes[second + 11] = 0x80;
    const { problems, nchunks } = verified(bytes);
    expect(nchunks).toBe(3);
    expect(problems.map(({ structure }) => structure)).toEqual(["frame trailer", "chunk 1"]);
  });

  it("of the index is one problem, not one for each chunk", () => {
    const bytes = frame().toCframe();
    const cbytes = Number(new DataView(bytes.buffer).getBigInt64(39));
    bytes.fill(0xee, 97 + cbytes, 97 + cbytes + 16);
    expect(verified(bytes).problems.map(({ structure }) => structure)).toEqual(["index chunk"]);
  });

  it("of one chunk is found by decoding it", () => {
    const s = frame();
    const [, , third] = positions(s) as [number, number, number];
    const bytes = s.toCframe();
    bytes.fill(0x55, third + 60, third + 90);
    expect(verified(bytes).problems).toMatchObject([{ structure: "chunk 2", code: "BLOSC2_CODEC_DECOMPRESS" }]);
    expect(verifyFrame("f", stored(bytes), { decode: false }).ok).toBe(true);
  });

  it("of a vlmetalayer is told by its name", () => {
    const bytes = frame().toCframe();
    // Before the trailer's last 23 bytes is the chunk that holds "kept": a header, and five bytes of msgpack as they are.
    const chunk = bytes.byteLength - 23 - 37;
    bytes[chunk + 11] = 0x80;
    expect(verified(bytes).problems[0]?.structure).toBe('vlmetalayer "note"');
  });

  it("shows when two index entries share bytes", () => {
    const s = frame();
    const bytes = s.toCframe();
    const cbytes = Number(new DataView(bytes.buffer).getBigInt64(39));
    // An index of three entries is stored as it is.
    const index = new DataView(bytes.buffer, 97 + cbytes + 32, 24);
    index.setBigUint64(16, index.getBigUint64(8, true), true);
    expect(verified(bytes).problems).toMatchObject([
      { structure: "chunk 2", field: "offset", code: "BLOSC2_FORMAT_BAD_OFFSET" },
    ]);
  });

  it("shows when a chunk lies inside another, and no bytes are dead then, nor fewer than none", () => {
    using s = SChunk.create({ typesize: 1, chunksize: 1000 });
    const inner = compressChunk(new Uint8Array(100).fill(7), { typesize: 1, clevel: 0 });
    const outer = new Uint8Array(1000);
    outer.set(inner, 500);
    s.appendChunk(compressChunk(outer, { typesize: 1, clevel: 0 }));
    s.appendChunk(inner);
    const bytes = s.toCframe();
    const cbytes = Number(new DataView(bytes.buffer).getBigInt64(39));
    // The second entry, which points behind the first chunk, is made to point into it.
    new DataView(bytes.buffer).setBigUint64(97 + cbytes + 32 + 8, 532n, true);
    expect(verified(bytes)).toMatchObject({ problems: [{ structure: "chunk 1" }], deadBytes: 0 });
    using damaged = SChunk.fromCframe(bytes);
    expect(damaged.decompressChunk(1)).toEqual(new Uint8Array(100).fill(7));
    // What the second chunk took before is nobody's now.
    expect(damaged.deadBytes).toBe(inner.byteLength);
  });

  it("shows in an array whose shape asks for other chunks", () => {
    using array = asarray(new Float64Array(100), { shape: [10, 10], chunks: [5, 10], blocks: [5, 5] });
    const bytes = array.toCframe();
    const shape = bytes.indexOf(0xd3, 97);
    expect(bytes[shape + 8]).toBe(10);
    bytes[shape + 8] = 20;
    expect(verified(bytes).problems).toMatchObject([{ structure: "b2nd metalayer", field: "number of chunks" }]);
  });

  it("of a sparse frame's files is found, and files it does not name are dead bytes", () => {
    const backend = directoryBackend();
    using s = SChunk.create({ urlpath: "d", io: backend, contiguous: false, typesize: 4 });
    for (let i = 0; i < 3; i++) s.appendData(Int32Array.from({ length: 100 }, (_, k) => i + k));
    s.flush();
    const stray = backend.open("d/00000040.chunk", "w+");
    stray.write(0, new Uint8Array(50));
    stray.close();
    expect(verifyFrame("d", backend)).toMatchObject({ ok: true, kind: "sparse", deadBytes: 50 });
    backend.remove("d/00000001.chunk");
    const { problems } = verifyFrame("d", backend);
    expect(problems).toMatchObject([{ code: "BLOSC2_IO_NOT_FOUND" }]);
    backend.remove("d/chunks.b2frame");
    expect(verifyFrame("d", backend).problems).toMatchObject([
      { structure: "index file", code: "BLOSC2_IO_NOT_FOUND" },
    ]);
  });

  it("is not what a missing file is", () => {
    expect(() => verifyFrame("nowhere", memory())).toThrow(expect.objectContaining({ code: "BLOSC2_IO_NOT_FOUND" }));
  });
});
