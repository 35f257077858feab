/** Faults that users of such software have met, each with what must happen here. */
import { noise } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { decodeChunkHeader } from "../../src/chunk/chunk-header.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { isBlosc2Error } from "../../src/errors.js";
import { memory, memoryHandle } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { expectBytes } from "../chunk/expect-bytes.js";

const PATH = "f.b2frame";

function sizeOf(backend: ReturnType<typeof memory>): number {
  const handle = backend.open(PATH, "r");
  const size = handle.size();
  handle.close();
  return size;
}

it("B09: a frame without chunks reopens, and an empty chunk is refused where its number would be lost", () => {
  const backend = memory();
  const s = SChunk.create({ urlpath: PATH, io: backend });
  expect(() => s.appendData(new Uint8Array(0))).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
  s.close();
  using reader = SChunk.open(PATH, backend, { mode: "r+" });
  expect([reader.nchunks, reader.nbytes, reader.itemCount, reader.cratio]).toEqual([0, 0, 0, 0]);
  expect(reader.getSlice()).toEqual(new Uint8Array(0));
  reader.appendData(noise(8));
  reader.appendData(new Uint8Array(0));
  expect([...reader.iterChunks()]).toEqual([noise(8), new Uint8Array(0)]);
  expect(() => reader.deleteChunk(0)).toThrow("can't all be empty");
  expect(SChunk.fromCframe(reader.toCframe()).nchunks).toBe(2);
});

it("B14: a typesize above 255 is the frame's, and 1 in the chunks", () => {
  for (const typesize of [256, 70_000]) {
    using s = SChunk.create({ typesize });
    s.appendData(noise(typesize * 2));
    expect(s.typesize).toBe(typesize);
    expect(decodeChunkHeader(s.getChunk(0), { structure: "chunk", position: 0 }).typesize).toBe(1);
    using reader = SChunk.fromCframe(s.toCframe());
    expect(reader.typesize).toBe(typesize);
    expect(reader.getSlice(1, 2)).toEqual(noise(typesize * 2).subarray(typesize));
  }
});

it("B18: the typesize of a typed array reaches the chunk header on every way in", () => {
  const ramp = Float64Array.from({ length: 100 }, (_, i) => i);
  const typesizeIn = (s: SChunk, i: number) =>
    decodeChunkHeader(s.getChunk(i), { structure: "chunk", position: 0 }).typesize;
  const ways: ((s: SChunk) => void)[] = [
    (s) => s.appendData(ramp),
    (s) => s.insertData(0, ramp),
    (s) => s.setSlice(0, ramp),
  ];
  for (const way of ways) {
    using s = SChunk.create();
    way(s);
    s.updateData(0, ramp);
    expect([s.typesize, typesizeIn(s, 0)]).toEqual([8, 8]);
    expect(SChunk.fromCframe(s.toCframe()).typesize).toBe(8);
  }
  expect(SChunk.create({ data: ramp }).typesize).toBe(8);
  expect(SChunk.create({ data: ramp }).copy().typesize).toBe(8);
});

it("B19: an update in the middle, smaller and then bigger, leaves all others alone", () => {
  const backend = memory();
  const chunks = Array.from({ length: 10 }, (_, i) => noise(500, i + 1));
  {
    using s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1 });
    for (const chunk of chunks) s.appendData(chunk);
  }
  for (const next of [new Uint8Array(500).fill(3), noise(500, 99)]) {
    {
      using s = SChunk.open(PATH, backend, { mode: "r+" });
      s.updateData(3, next);
    }
    chunks[3] = next;
    using reader = SChunk.open(PATH, backend);
    expect([...reader.iterChunks()]).toEqual(chunks);
  }
});

it("B23: a chunk after a shorter one makes the frame one of variable-size chunks, which reads right", () => {
  const backend = memory();
  const chunks = [noise(1000, 1), noise(300, 2), noise(1000, 3)];
  const s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1, chunksize: 1000 });
  for (const chunk of chunks.slice(0, 2)) s.appendData(chunk);
  expect(s.chunksize).toBe(1000);
  s.flush();
  s.appendData(chunks[2] as Uint8Array);
  expect(s.chunksize).toBe(0);
  {
    // Until the commit the file is the frame of two chunks.
    using reader = SChunk.open(PATH, backend);
    expect([...reader.iterChunks()]).toEqual(chunks.slice(0, 2));
  }
  s.close();
  using reader = SChunk.open(PATH, backend);
  expect([...reader.iterChunks()]).toEqual(chunks);
  expect(reader.chunksize).toBe(0);
  expect(reader.getSlice(900, 1400)).toEqual(
    Uint8Array.from(chunks.flatMap((chunk) => [...chunk])).subarray(900, 1400),
  );
  const handle = backend.open(PATH, "r");
  // Version 3, 64-bit offsets, variable-size chunks.
  expect(handle.read(25, 1)[0]).toBe(0x53);
});

it("B23: special chunks become stored ones then, because a bare one would lose its size", () => {
  using s = SChunk.create({ typesize: 4 });
  s.fillSpecial(30, "zeros");
  s.updateData(0, new Uint8Array(120));
  s.appendData(noise(80));
  s.appendData(new Uint8Array(120));
  s.appendChunk(compressChunk(new Uint8Array(64), { typesize: 4 }));
  expect([...s.iterChunksInfo()].map(({ special, nbytes }) => [special, nbytes])).toEqual([
    ["value", 120],
    [undefined, 80],
    ["value", 120],
    ["value", 64],
  ]);
  using reader = SChunk.fromCframe(s.toCframe());
  expect([...reader.iterChunks()]).toEqual([new Uint8Array(120), noise(80), new Uint8Array(120), new Uint8Array(64)]);
});

it("B24: a copied frame stands when the bytes that it came from change", () => {
  using s = SChunk.create({ typesize: 1, chunksize: 7 });
  s.appendData(new Uint8Array(7));
  s.appendData(new Uint8Array(7).fill(1));
  const buffer = s.toCframe();
  using copied = SChunk.fromCframe(buffer);
  buffer.fill(0);
  copied.appendData(new Uint8Array(7).fill(2));
  expect([...copied.iterChunks()].map((chunk) => chunk[6])).toEqual([0, 1, 2]);
});

it("B25: without a copy the bytes are read in place, and never written to", () => {
  using s = SChunk.create({ typesize: 1, data: noise(100), cparams: { clevel: 0 } });
  const buffer = s.toCframe();
  using inPlace = SChunk.fromCframe(buffer, { copy: false });
  using untouched = SChunk.fromCframe(buffer, { copy: true });
  buffer.fill(9, 97 + 32, 97 + 132);
  expect(inPlace.decompressChunk(0)).toEqual(new Uint8Array(100).fill(9));
  expect(untouched.decompressChunk(0)).toEqual(noise(100));
  const before = buffer.slice();
  inPlace.appendData(noise(100, 5));
  inPlace.vlmeta.set("v", noise(5));
  expect(buffer).toEqual(before);
  buffer.fill(0);
  expect([...inPlace.iterChunks()]).toEqual([new Uint8Array(100).fill(9), noise(100, 5)]);
});

it("B26: vlmetalayers survive, are seen after a refresh, and give their room back when they shrink", () => {
  const backend = memory();
  using a = SChunk.create({ urlpath: PATH, io: backend, typesize: 1, data: noise(100) });
  using b = SChunk.open(PATH, backend);
  a.vlmeta.set("big", noise(1_000_000));
  a.flush();
  expect(b.vlmeta.has("big")).toBe(false);
  b.refresh();
  expect(b.vlmeta.keys()).toEqual(["big"]);
  expectBytes(b.vlmeta.get("big"), noise(1_000_000));
  const before = sizeOf(backend);
  a.vlmeta.set("big", noise(1));
  a.close();
  expect(before - sizeOf(backend)).toBeGreaterThan(900_000);
  const handle = backend.open(PATH, "r");
  const size = handle.size();
  const trailer = new DataView(handle.read(size - 22, 4).slice().buffer).getUint32(0);
  expect(handle.read(size - trailer, 2)).toEqual(Uint8Array.of(0x94, 0x01));
  using c = SChunk.open(PATH, backend);
  expect(c.vlmeta.get("big")).toEqual(noise(1));
});

it("B28: items past 2^32 are reached, and positions stay exact", () => {
  using s = SChunk.create({ typesize: 8, chunksize: 2 ** 30 });
  const count = 2 ** 33;
  s.fillSpecial(count, "zeros");
  expect([s.nchunks, s.itemCount, s.nbytes]).toEqual([64, count, 2 ** 36]);
  const last = new Float64Array([1, 2, 3]);
  s.setSlice(count, last);
  expect(s.itemCount).toBe(count + 3);
  expect(new Float64Array(s.getSlice(count - 1, count + 3).buffer)).toEqual(new Float64Array([0, 1, 2, 3]));
  expect(new Float64Array(s.getSparse([count + 2, 5, count]).buffer)).toEqual(new Float64Array([3, 0, 1]));
  using reader = SChunk.fromCframe(s.toCframe());
  expect(new Float64Array(reader.getSlice(count + 1).buffer)).toEqual(new Float64Array([2, 3]));
});

it("B36: 10,000 updates keep cbytes exact, and compact brings the file back to a fresh one's size", () => {
  const backend = memory();
  const chunks = Array.from({ length: 10 }, (_, i) => noise(200, i + 1));
  const s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1 });
  for (const chunk of chunks) s.appendData(chunk);
  s.flush();
  const fresh = sizeOf(backend);
  for (let i = 0; i < 10_000; i++) {
    const at = (i * 7) % 10;
    chunks[at] = noise(200, i + 1);
    s.updateData(at, chunks[at] as Uint8Array);
    if (i % 100 === 99) s.flush();
  }
  s.flush();
  const live = [...s.iterChunksInfo()].reduce((sum, { cbytes }) => sum + cbytes, 0);
  expect(s.cbytes - s.deadBytes).toBe(live);
  expect(sizeOf(backend) - s.cbytes).toBeLessThan(400);
  s.compact();
  expect(s.deadBytes).toBe(0);
  expect(sizeOf(backend)).toBeLessThanOrEqual(fresh * 1.1);
  expect([...s.iterChunks()]).toEqual(chunks);
  s.close();
  using reader = SChunk.open(PATH, backend);
  expect([...reader.iterChunks()]).toEqual(chunks);
});

it("B37: a reader that opens while a writer commits sees whole commits only", () => {
  const backend = memory();
  using s = SChunk.create({ urlpath: PATH, io: backend, typesize: 1, commitEvery: 500 });
  const seen = new Set<number>();
  for (let i = 0; i < 300; i++) {
    s.appendData(noise(100, i + 1));
    using reader = SChunk.open(PATH, backend);
    seen.add(reader.nchunks);
    for (let j = 0; j < reader.nchunks; j += 37) expect(reader.decompressChunk(j)).toEqual(noise(100, j + 1));
  }
  expect(seen.size).toBeGreaterThan(50);
});

describe("B65: a frame with any one byte changed, or cut anywhere", () => {
  using s = SChunk.create({ typesize: 1, meta: { m: noise(3) }, cparams: { codec: "lz4" } });
  s.appendData(Uint8Array.from({ length: 64 }, (_, i) => i >> 3));
  s.appendData(new Uint8Array(64));
  s.vlmeta.set("v", noise(9));
  const frame = s.toCframe();

  function readOrRefuse(bytes: Uint8Array): void {
    try {
      const reader = SChunk.openHandle(memoryHandle(bytes), {
        limits: { maxAllocation: 2 ** 24, maxChunkBytes: 2 ** 24 },
      });
      for (const _ of reader.iterChunks());
      for (const _ of reader.vlmeta);
      for (const _ of reader.meta);
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
    }
  }

  it("gives a value or a named error", () => {
    for (let offset = 0; offset < frame.byteLength; offset++) {
      // Every change of the header's lengths; elsewhere each bit alone, and all of them.
      const isLength = offset >= 10 && offset < 62;
      for (let change = 1; change < 256; change = isLength ? change + 1 : change === 128 ? 255 : change * 2) {
        const bytes = frame.slice();
        bytes[offset] = (bytes[offset] as number) ^ change;
        readOrRefuse(bytes);
      }
    }
  });

  it("is refused when cut", () => {
    for (let length = 0; length < frame.byteLength; length++) {
      expect(() => SChunk.openHandle(memoryHandle(frame.slice(0, length)))).toThrow(
        expect.objectContaining({ name: "FormatError" }),
      );
    }
  });
});

it("B66: a header that claims 2^31 bytes of index or chunk is refused without allocating them", () => {
  using s = SChunk.create({ typesize: 1, chunksize: 8 });
  s.fillSpecial(800, "zeros");
  const frame = s.toCframe();
  const view = new DataView(frame.buffer);
  view.setBigInt64(30, BigInt(8 * (2 ** 28 - 8)));
  view.setInt32(97 + 4, 8 * (2 ** 28 - 8), true);
  const limits = { maxAllocation: 2 ** 26 };
  expect(() => SChunk.fromCframe(frame, { limits })).toThrow(
    expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }),
  );
});

it("B67: failed opens let go of the handle", () => {
  let open = 0;
  for (let i = 0; i < 100; i++) {
    const handle = memoryHandle(noise(200, i + 1));
    open++;
    const counted = {
      size: () => handle.size(),
      read: (position: number, length: number) => handle.read(position, length),
      readInto: (position: number, target: Uint8Array) => handle.readInto(position, target),
      write: () => {},
      truncate: () => {},
      flush: () => {},
      close: () => {
        open--;
      },
    };
    expect(() => SChunk.openHandle(counted)).toThrow();
  }
  expect(open).toBe(0);
});
