import { describe, expect, it } from "vitest";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { encodeSpecialChunk } from "../../src/chunk/special-chunk.js";
import { memory } from "../../src/io/memory-backend.js";
import { createUdio, openUdio } from "../../src/super-chunk/open-udio.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";

const PATH = "s.b2frame";

function ramp(count: number, first = 0): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => first + i);
}

function ints(bytes: Uint8Array): number[] {
  return [...new Int32Array(bytes.slice().buffer)];
}

const invalid = expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" });
const outOfRange = expect.objectContaining({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" });

describe("creating", () => {
  it("takes data and cuts it into chunks", () => {
    using s = createUdio(PATH, memory(), { data: ramp(250), chunksize: 400 });
    expect([s.nchunks, s.chunksize, s.nbytes, s.typesize, s.itemCount]).toEqual([3, 400, 1000, 4, 250]);
    expect(ints(s.decompressChunk(2))).toEqual([...ramp(50, 200)]);
    expect(s.urlpath).toBe(PATH);
  });

  it("fills with one value", () => {
    using s = SChunk.create({
      typesize: 4,
      chunksize: 40,
      fill: { itemCount: 25, kind: "value", value: Uint8Array.of(1, 0, 0, 0) },
    });
    expect(ints(s.getSlice())).toEqual(new Array(25).fill(1));
    expect([...s.iterChunksInfo()].map(({ special, nbytes }) => [special, nbytes])).toEqual([
      ["value", 40],
      ["value", 40],
      ["value", 20],
    ]);
    expect(() => s.fillSpecial(5, "zeros")).toThrow(invalid);
  });

  it("keeps the parameters in the frame", () => {
    const cparams = {
      codec: "lz4hc",
      clevel: 9,
      splitmode: "never",
      filters: [{ filter: "trunc_prec", meta: 10 }, "shuffle"],
      blocksize: 64,
    } as const;
    using s = SChunk.create({ typesize: 4, cparams });
    using reader = SChunk.fromCframe(s.toCframe());
    expect(reader.cparams).toMatchObject({ codec: "lz4hc", clevel: 9, splitmode: "never", typesize: 4, blocksize: 64 });
    expect(reader.cparams.filters.slice(0, 2)).toEqual([
      { filter: 4, meta: 10 },
      { filter: 1, meta: 0 },
    ]);
  });

  it("replaces what is there, or with mode x does not", () => {
    const backend = memory();
    createUdio(PATH, backend, { data: ramp(5) }).close();
    expect(() => createUdio(PATH, backend, { mode: "x" })).toThrow(
      expect.objectContaining({ code: "BLOSC2_IO_EXISTS" }),
    );
    createUdio(PATH, backend).close();
    using s = openUdio(PATH, backend);
    expect(s.nchunks).toBe(0);
  });

  it.each([
    { chunksize: 0 },
    { chunksize: 1.5 },
    { typesize: 0 },
    { commitEvery: -1 },
    { urlpath: PATH },
    { cparams: { clevel: 10 } },
  ])("refuses %j", (options) => {
    expect(() => SChunk.create(options)).toThrow(invalid);
  });

  it("refuses a seventeenth metalayer and a name too long", () => {
    const meta = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`m${i}`, new Uint8Array(1)]));
    expect(() => SChunk.create({ meta })).toThrow(expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }));
    expect(() => SChunk.create({ meta: { ["x".repeat(32)]: new Uint8Array(1) } })).toThrow(invalid);
  });
});

describe("opening", () => {
  it("names the path when nothing is there", () => {
    expect(() => openUdio("none.b2frame", memory())).toThrow(expect.objectContaining({ code: "BLOSC2_IO_NOT_FOUND" }));
    expect(() => openUdio("none.b2frame", memory())).toThrow("none.b2frame");
  });

  it("refuses a mode that empties the file, and an offset that can't be", () => {
    const backend = memory();
    createUdio(PATH, backend, { data: ramp(5) }).close();
    expect(() => openUdio(PATH, backend, { mode: "w+" })).toThrow(invalid);
    expect(() => openUdio(PATH, backend, { offset: -1 })).toThrow(invalid);
    expect(() => openUdio(PATH, backend, { offset: 10_000 })).toThrow(expect.objectContaining({ name: "FormatError" }));
    using s = openUdio(PATH, backend);
    expect(s.nchunks).toBe(1);
  });

  it("for reading refuses every change, and changes nothing", () => {
    const backend = memory();
    createUdio(PATH, backend, { data: ramp(5), meta: { m: new Uint8Array(2) } }).close();
    using s = openUdio(PATH, backend);
    const changes: (() => unknown)[] = [
      () => s.appendData(ramp(5)),
      () => s.appendChunk(s.getChunk(0)),
      () => s.appendVlBlocks([ramp(2)]),
      () => s.insertData(0, ramp(5)),
      () => s.insertChunk(0, s.getChunk(0)),
      () => s.updateData(0, ramp(5)),
      () => s.updateChunk(0, s.getChunk(0)),
      () => s.deleteChunk(0),
      () => s.reorderOffsets([0]),
      () => s.setSlice(0, ramp(1)),
      () => s.fillSpecial(1, "zeros"),
      () => s.vlmeta.set("v", new Uint8Array(1)),
      () => s.vlmeta.delete("v"),
      () => s.meta.set("m", new Uint8Array(1)),
      () => s.compact(),
    ];
    for (const change of changes) expect(change).toThrow(expect.objectContaining({ code: "BLOSC2_IO_READ_ONLY" }));
    expect(ints(s.getSlice())).toEqual([0, 1, 2, 3, 4]);
    expect(() => s.flush()).not.toThrow();
  });

  it("copy-on-write leaves the file alone", () => {
    const backend = memory();
    createUdio(PATH, backend, { data: ramp(5) }).close();
    {
      using s = openUdio(PATH, backend, { mode: "c" });
      s.appendData(ramp(5, 5));
      s.flush();
      expect(ints(s.getSlice())).toEqual([...ramp(10)]);
    }
    using reader = openUdio(PATH, backend);
    expect(reader.nchunks).toBe(1);
  });

  it("closed, refuses everything but closing", () => {
    const s = SChunk.create({ data: ramp(5) });
    s.close();
    s.close();
    const uses: (() => unknown)[] = [
      () => s.nchunks,
      () => s.nbytes,
      () => s.cbytes,
      () => s.typesize,
      () => s.itemCount,
      () => s.cparams,
      () => s.deadBytes,
      () => s.decompressChunk(0),
      () => s.getChunk(0),
      () => s.openChunk(0),
      () => s.getSlice(0, 1),
      () => s.getSparse([0]),
      () => [...s.iterChunks()],
      () => [...s.iterChunksInfo()],
      () => s.appendData(ramp(1)),
      () => s.setSlice(0, ramp(1)),
      () => s.reorderOffsets([]),
      () => s.meta.keys(),
      () => s.meta.has("m"),
      () => s.vlmeta.get("v"),
      () => s.vlmeta.set("v", new Uint8Array(1)),
      () => s.copy(),
      () => s.toCframe(),
      () => s.appendFile("x", memory()),
      () => s.flush(),
      () => s.refresh(),
      () => s.compact(),
    ];
    for (const use of uses) expect(use).toThrow(expect.objectContaining({ code: "BLOSC2_IO_CLOSED" }));
  });
});

describe("chunks", () => {
  it("are appended as they are, special ones by the index alone", () => {
    using s = SChunk.create({ typesize: 4 });
    const stored = compressChunk(ramp(100), { codec: "lz4" });
    expect(s.appendChunk(stored)).toBe(1);
    s.appendChunk(encodeSpecialChunk("nan", 400, 4));
    s.appendChunk(encodeSpecialChunk("uninit", 400, 4));
    s.appendChunk(compressChunk(new Int32Array(100)));
    expect(s.getChunk(0)).toEqual(stored);
    expect(s.cbytes).toBe(stored.byteLength);
    expect([...s.iterChunksInfo()].map(({ special }) => special)).toEqual([undefined, "nan", "uninit", "zeros"]);
    expect(new Float32Array(s.decompressChunk(1).buffer)).toEqual(new Float32Array(100).fill(Number.NaN));
  });

  it("of NaN keep their own typesize", () => {
    using s = SChunk.create({ typesize: 4 });
    s.appendChunk(encodeSpecialChunk("nan", 800, 8));
    expect(new Float64Array(s.decompressChunk(0).buffer)).toEqual(new Float64Array(100).fill(Number.NaN));
  });

  it("that repeat a value shorter than the typesize are stored in a form that C-Blosc2 reads", () => {
    const short = Uint8Array.of(7);
    using s = SChunk.create({ typesize: 4 });
    s.appendChunk(encodeSpecialChunk("value", 400, 1, short));
    s.appendChunk(encodeSpecialChunk("value", 30, 1, short));
    expect([...s.iterChunks()]).toEqual([new Uint8Array(400).fill(7), new Uint8Array(30).fill(7)]);
    // One value of 4 bytes; 30 is no multiple of 4, so that chunk is stored as it is.
    expect([...s.iterChunksInfo()].map(({ special, cbytes }) => [special, cbytes])).toEqual([
      ["value", 36],
      [undefined, 62],
    ]);
  });

  it("with the header of Blosc 1, or none, are refused before anything changes", () => {
    using s = SChunk.create({ typesize: 4, data: ramp(10) });
    const short = new Uint8Array(16 + 4);
    short.set([5, 1, 0x02, 1]);
    new DataView(short.buffer).setInt32(4, 4, true);
    new DataView(short.buffer).setInt32(8, 4, true);
    new DataView(short.buffer).setInt32(12, 20, true);
    expect(() => s.appendChunk(short)).toThrow("16-byte header of Blosc 1");
    expect(() => s.appendChunk(new Uint8Array(10))).toThrow(expect.objectContaining({ name: "FormatError" }));
    expect(s.nchunks).toBe(1);
  });

  it("of variable-length blocks do not mix with others", () => {
    using s = SChunk.create({ typesize: 1 });
    const blocks = [Uint8Array.of(1, 2, 3), Uint8Array.of(4), new Uint8Array(200).fill(7)];
    s.appendVlBlocks(blocks);
    expect(s.vlBlocks(0)).toEqual(blocks);
    expect(() => s.appendData(new Uint8Array(10))).toThrow("variable-length blocks");
    s.appendVlBlocks([new Uint8Array(5).fill(1)]);
    using reader = SChunk.fromCframe(s.toCframe());
    expect(reader.vlBlocks(0)).toEqual(blocks);
    expect(reader.toCframe()[25]).toBe(0x93);
    using ordinary = SChunk.create({ data: ramp(3) });
    expect(() => ordinary.appendVlBlocks(blocks)).toThrow("blocks of one size");
  });

  it("are checked against the size in the frame header", () => {
    using s = SChunk.create({ typesize: 1, data: new Uint8Array(40).map((_, i) => i), cparams: { clevel: 0 } });
    const frame = s.toCframe();
    new DataView(frame.buffer).setInt32(97 + 4, 39, true);
    new DataView(frame.buffer).setInt32(97 + 12, 71, true);
    using reader = SChunk.fromCframe(frame);
    expect(() => reader.decompressChunk(0)).toThrow("expected 40, from the frame header, found 39");
  });

  it.each([-1, 3, 0.5, Number.NaN])("have no index %d", (index) => {
    using s = SChunk.create({ data: ramp(30), chunksize: 40 });
    for (const use of [
      () => s.decompressChunk(index),
      () => s.getChunk(index),
      () => s.deleteChunk(index),
      () => s.updateData(index, ramp(10)),
    ]) {
      expect(use).toThrow(outOfRange);
    }
  });

  it("are reordered by any permutation and nothing else", () => {
    using s = SChunk.create({ data: ramp(25), chunksize: 40 });
    for (const order of [
      [0, 1],
      [0, 1, 1],
      [0, 1, 3],
      [0, 1, 2, 3],
      [-1, 0, 1],
    ]) {
      expect(() => s.reorderOffsets(order)).toThrow(invalid);
    }
    s.reorderOffsets([2, 0, 1]);
    expect(ints(s.getSlice())).toEqual([...ramp(5, 20), ...ramp(20)]);
    expect(s.chunksize).toBe(0);
    expect(ints(SChunk.fromCframe(s.toCframe()).getSlice())).toEqual([...ramp(5, 20), ...ramp(20)]);
  });

  it("decompress into the caller's memory", () => {
    using s = SChunk.create({ data: ramp(10) });
    const target = new Uint8Array(50);
    expect(ints(s.decompressChunk(0, { target }))).toEqual([...ramp(10)]);
    expect(target.subarray(40)).toEqual(new Uint8Array(10));
    expect(() => s.decompressChunk(0, { target: new Uint8Array(39) })).toThrow(outOfRange);
  });
});
