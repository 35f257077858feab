import { describe, expect, it } from "vitest";
import { memory } from "../../src/io/memory-backend.js";
import { createUdio, openUdio } from "../../src/super-chunk/open-udio.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { directoryBackend } from "../frame/directory-backend.js";
import { frameBytes, frameFixture } from "../frame/frame-fixtures.js";

const PATH = "s.b2frame";

function ramp(count: number, first = 0): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => first + i);
}

function ints(bytes: Uint8Array): number[] {
  return [...new Int32Array(bytes.slice().buffer)];
}

const invalid = expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" });
const outOfRange = expect.objectContaining({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" });

describe("slices", () => {
  it("read within and across chunks, into the caller's memory if wanted", () => {
    using s = SChunk.create({ data: ramp(1000), chunksize: 396, cparams: { blocksize: 64 } });
    for (const [start, stop] of [
      [0, 0],
      [0, 1],
      [98, 100],
      [0, 1000],
      [500, 501],
      [999, 1000],
      [1000, 1000],
    ] as const) {
      expect(ints(s.getSlice(start, stop))).toEqual([...ramp(stop - start, start)]);
    }
    const target = new Uint8Array(16);
    expect(s.getSlice(97, 101, { target })).toEqual(target);
    expect(ints(target)).toEqual([97, 98, 99, 100]);
    expect(() => s.getSlice(97, 102, { target })).toThrow(outOfRange);
  });

  it.each([
    [-1, 5],
    [5, 4],
    [0, 1001],
    [0.5, 1],
    [1001, 1001],
  ])("refuse %d..%d", (start, stop) => {
    using s = SChunk.create({ data: ramp(1000) });
    expect(() => s.getSlice(start, stop)).toThrow(outOfRange);
  });

  it("are written, and extend the last chunk and then append more", () => {
    using s = SChunk.create({ data: ramp(23), chunksize: 40 });
    s.setSlice(8, Int32Array.of(-1, -2, -3));
    s.setSlice(21, ramp(30, 100));
    expect(ints(s.getSlice())).toEqual([...ramp(8), -1, -2, -3, ...ramp(10, 11), ...ramp(30, 100)]);
    expect([s.nchunks, s.chunksize]).toEqual([6, 40]);
    expect(() => s.setSlice(52, ramp(1))).toThrow(outOfRange);
    expect(() => s.setSlice(0, new Uint8Array(3))).toThrow(outOfRange);
  });

  it("gather items from anywhere, repeated and unsorted", () => {
    using s = SChunk.create({ data: ramp(1000), chunksize: 400, cparams: { blocksize: 64 } });
    const indices = [999, 0, 5, 5, 101, 100, 99, 500];
    expect(ints(s.getSparse(indices))).toEqual(indices);
    expect(s.getSparse([])).toEqual(new Uint8Array(0));
    expect(() => s.getSparse([1000])).toThrow(outOfRange);
  });

  it("gather items that lie in two blocks", () => {
    using s = SChunk.create({
      typesize: 300,
      data: new Uint8Array(3000).map((_, i) => i % 251),
      chunksize: 1000,
      cparams: { blocksize: 128 },
    });
    const all = s.getSlice();
    expect(s.getSparse([9, 3, 0])).toEqual(
      Uint8Array.from([9, 3, 0].flatMap((i) => [...all.subarray(i * 300, i * 300 + 300)])),
    );
  });
});

describe("metalayers", () => {
  it("are added while there are no chunks, and overwritten in place later", () => {
    using s = SChunk.create({ meta: { a: Uint8Array.of(1, 2, 3) } });
    s.meta.set("b", Uint8Array.of(9));
    s.appendData(ramp(3));
    expect(() => s.meta.set("c", Uint8Array.of(9))).toThrow("has chunks already");
    expect(() => s.meta.set("a", new Uint8Array(4))).toThrow("can't grow");
    s.meta.update("a", Uint8Array.of(7));
    expect(() => s.meta.update("c", Uint8Array.of(7))).toThrow(outOfRange);
    using reader = SChunk.fromCframe(s.toCframe());
    // The length stays, as C-Blosc2 has it.
    expect([...reader.meta]).toEqual([
      ["a", Uint8Array.of(7, 2, 3)],
      ["b", Uint8Array.of(9)],
    ]);
    expect(() => reader.meta.get("c")).toThrow(outOfRange);
  });

  it("reach the file with the commit", () => {
    const backend = memory();
    using s = createUdio(PATH, backend, { data: ramp(5), meta: { a: Uint8Array.of(1, 2, 3) } });
    s.meta.set("a", Uint8Array.of(4, 5, 6));
    using before = openUdio(PATH, backend);
    expect(before.meta.get("a")).toEqual(Uint8Array.of(1, 2, 3));
    s.flush();
    before.refresh();
    expect(before.meta.get("a")).toEqual(Uint8Array.of(4, 5, 6));
  });

  it("hold msgpack values", () => {
    using s = SChunk.create();
    const value = { name: "x", list: [1, 2.5, true, null], big: 2n ** 60n };
    s.meta.setValue("m", value);
    s.vlmeta.setValue("v", value);
    using reader = SChunk.fromCframe(s.toCframe());
    expect(reader.meta.getValue("m")).toEqual(value);
    expect(reader.vlmeta.getValue("v")).toEqual(value);
    s.vlmeta.set("raw", Uint8Array.of(0xc1));
    expect(() => s.vlmeta.getValue("raw")).toThrow(invalid);
  });

  it("of variable length number 16 at most when they are written", () => {
    using s = SChunk.create();
    for (let i = 0; i < 16; i++) s.vlmeta.set(`v${i}`, new Uint8Array(i));
    expect(() => s.vlmeta.set("more", new Uint8Array(1))).toThrow(
      expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }),
    );
    s.vlmeta.set("v3", Uint8Array.of(5));
    expect(s.vlmeta.delete("v0")).toBe(true);
    expect(s.vlmeta.delete("v0")).toBe(false);
    expect(s.vlmeta.keys()[2]).toBe("v3");
    expect(SChunk.fromCframe(s.toCframe()).vlmeta.get("v3")).toEqual(Uint8Array.of(5));
  });
});

describe("copies", () => {
  const source = () => SChunk.fromCframe(frameBytes(frameFixture("frame/special-mix")));

  it("keep chunks as they are when nothing is to differ", () => {
    using from = source();
    using to = from.copy();
    expect([...to.iterChunksInfo()].map(({ special, cbytes }) => [special, cbytes])).toEqual(
      [...from.iterChunksInfo()].map(({ special, cbytes }) => [special, cbytes]),
    );
    to.updateData(1, new Uint8Array(from.chunksize));
    expect(from.decompressChunk(1)).not.toEqual(to.decompressChunk(1));
  });

  it("compress anew with other parameters, other sizes, and to other places", () => {
    const backend = directoryBackend();
    using from = source();
    from.vlmeta.set("v", Uint8Array.of(1, 2));
    const all = from.getSlice();
    for (const options of [
      { cparams: { codec: "zlib", clevel: 1 } },
      { chunksize: 1200 },
      { cparams: { filters: [] }, chunksize: 333 },
    ]) {
      for (const contiguous of [true, false]) {
        using to = from.copy({ ...options, urlpath: "c.b2frame", io: backend, contiguous });
        expect(to.getSlice()).toEqual(all);
        expect(to.vlmeta.get("v")).toEqual(Uint8Array.of(1, 2));
        expect(to.contiguous).toBe(contiguous);
        if (options.chunksize !== undefined) expect(to.chunksize).toBe(options.chunksize);
      }
    }
  });

  it("keep variable-length blocks", () => {
    using from = SChunk.fromCframe(frameBytes(frameFixture("frame/vlblocks")));
    using to = from.copy({ cparams: { codec: "zlib" } });
    for (let i = 0; i < from.nchunks; i++) expect(to.vlBlocks(i)).toEqual(from.vlBlocks(i));
  });
});
