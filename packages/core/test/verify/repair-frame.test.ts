import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { asarray } from "../../src/b2nd/create-array.js";
import { openArray } from "../../src/b2nd/open-array.js";
import { registerCodec } from "../../src/codec/codec-registry.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { type RepairReport, repairFrame } from "../../src/verify/repair-frame.js";
import { verifyFrame } from "../../src/verify/verify-frame.js";
import { loadZstd } from "../../src/zstd.js";
import { frameBytes, frameFixture } from "../frame/frame-fixtures.js";
import { committedCbytes, headerLength, hex, repaired, samples, written } from "./repaired-frame.js";

beforeAll(async () => registerCodec(await loadZstd(), { replace: true, allowReserved: true }));

describe("a frame that is whole", () => {
  it("comes out the same, without its superseded bytes", () => {
    const { bytes, chunks } = written(8, (s) => {
      s.flush();
      s.deleteChunk(2);
      s.updateData(4, samples(99));
    });
    const { report, chunks: found, frame } = repaired(bytes);
    expect(found).toEqual(chunks);
    expect(report).toMatchObject({
      kind: "contiguous",
      indexSource: "committed",
      chunksRecovered: 7,
      chunksLost: 0,
      zeroedChunks: [],
      uncommittedChunks: 0,
      headerKept: true,
      metalayersKept: true,
      vlmetalayers: 1,
      problems: [],
    });
    expect(frame.meta.get("first")).toEqual(Uint8Array.of(1, 2, 3));
    expect(frame.vlmeta.getValue("note")).toBe("kept");
    expect(frame.deadBytes).toBe(0);
  });

  it.each([
    "frame/special-mix",
    "frame/varchunks",
    "frame/fill-then-update",
    "frame/vlblocks-var",
    "frame/typesize300",
  ])("of C-Blosc2 comes out the same: %s", (id) => {
    const bytes = frameBytes(frameFixture(id));
    using before = SChunk.fromCframe(bytes);
    expect(repaired(bytes).chunks).toEqual([...before.iterChunks()].map(hex));
  });

  it("is not overwritten, and neither is what is there", () => {
    const { backend } = repaired(written(2).bytes);
    const again = (): RepairReport => repairFrame("broken", backend, "whole", backend);
    expect(again).toThrow(expect.objectContaining({ code: "BLOSC2_IO_EXISTS" }));
    expect(repairFrame("broken", backend, "whole", backend, { mode: "w" }).chunksRecovered).toBe(2);
  });
});

describe("what a killed writer of ours leaves", () => {
  const base = written(5, (s) => s.deleteChunk(4));
  const added = [samples(50), samples(51), samples(52)];
  const grown = written(5, (s) => {
    s.deleteChunk(4);
    s.flush();
    for (const data of added) s.appendData(data);
  });
  const expected = [...base.chunks, ...added.map((data) => hex(new Uint8Array(data.buffer)))];

  it("is its last commit and the whole chunks behind it, wherever it was cut", () => {
    expect(grown.chunks).toEqual(expected);
    for (let end = base.bytes.byteLength; end <= grown.bytes.byteLength; end += 5) {
      const bytes = grown.bytes.slice(0, end);
      // The header is written last.
      bytes.set(base.bytes.subarray(0, headerLength(base.bytes)));
      const { report, chunks } = repaired(bytes);
      expect(chunks).toEqual(expected.slice(0, chunks.length));
      expect(chunks.length).toBeGreaterThanOrEqual(4);
      expect(report).toMatchObject({ chunksRecovered: chunks.length, chunksLost: 0 });
      // An index without its trailer will do.
      expect(report.uncommittedChunks).toBe(report.indexSource === "found" ? 0 : chunks.length - 4);
    }
  });

  it("is the whole commit when only its last write is missing", () => {
    const bytes = grown.bytes.slice();
    bytes.set(base.bytes.subarray(0, headerLength(base.bytes)));
    expect(repaired(bytes).report).toMatchObject({ indexSource: "found", chunksRecovered: 7, uncommittedChunks: 0 });
    expect(repaired(bytes).chunks).toEqual(expected);
  });

  it("is the last commit alone if that is asked for", () => {
    const bytes = grown.bytes.slice();
    bytes.set(base.bytes.subarray(0, headerLength(base.bytes)));
    const { report, chunks } = repaired(bytes, { uncommitted: false });
    expect(chunks).toEqual(base.chunks);
    expect(report).toMatchObject({ indexSource: "committed", uncommittedChunks: 0, ignoredChunks: 3 });
  });
});

describe("what a killed writer of C-Blosc2 leaves", () => {
  // It writes a new chunk over the index, then index and trailer behind it, then the header's fields.
  const before = written(6, (s) => s.deleteChunk(5));
  const after = written(6, (s) => {
    s.deleteChunk(5);
    s.compact();
    s.appendData(samples(70));
    s.compact();
  });
  const compacted = written(5, (s) => {
    s.updateData(4, samples(4));
    s.compact();
  });

  it("gives every whole chunk, however far it got", () => {
    const start = headerLength(compacted.bytes) + committedCbytes(compacted.bytes);
    expect(after.chunks.slice(0, 5)).toEqual(before.chunks);
    expect(compacted.chunks).toEqual(before.chunks);
    // The chunk, index and trailer that it goes on to write.
    const rest = after.bytes.subarray(start);
    const chunkLength = committedCbytes(after.bytes) - committedCbytes(compacted.bytes);
    for (let done = 1; done <= rest.byteLength; done += 3) {
      const bytes = new Uint8Array(Math.max(compacted.bytes.byteLength, start + done));
      bytes.set(compacted.bytes);
      bytes.set(rest.subarray(0, done), start);
      const { report, chunks } = repaired(bytes);
      const whole = done >= chunkLength ? after.chunks : before.chunks;
      expect(chunks).toEqual(whole);
      expect(report.chunksRecovered).toBe(whole.length);
    }
  });

  it("gives every whole chunk of a file that was cut short", () => {
    const starts = [...SChunk.fromCframe(after.bytes).iterChunksInfo()].map(
      ({ position, cbytes }) => (position as number) + cbytes,
    );
    for (let end = headerLength(after.bytes) + 10; end < after.bytes.byteLength; end += 11) {
      const { chunks } = repaired(after.bytes.slice(0, end));
      expect(chunks).toEqual(after.chunks.slice(0, starts.filter((chunkEnd) => chunkEnd <= end).length));
    }
  });

  it("with a stale header is what the file holds", () => {
    const bytes = after.bytes.slice();
    bytes.set(compacted.bytes.subarray(0, 62));
    const { report, chunks, frame } = repaired(bytes);
    expect(chunks).toEqual(after.chunks);
    expect(report).toMatchObject({ indexSource: "found", chunksLost: 0 });
    expect(frame.vlmeta.getValue("note")).toBe("kept");
  });
});

describe("any damage to what describes the chunks", () => {
  const { bytes: sound, chunks: expected, cbytes } = written(9);
  const start = headerLength(sound);

  function expectWhole(bytes: Uint8Array): void {
    const { report, chunks } = repaired(bytes);
    expect(chunks).toEqual(expected);
    expect(report).toMatchObject({ chunksRecovered: 9, chunksLost: 0 });
  }

  it("leaves the chunks as they were: each byte of header, index and trailer in turn", () => {
    for (let at = 0; at < sound.byteLength; at++) {
      if (at === start) at += cbytes;
      const byte = sound[at] as number;
      for (const changed of [byte ^ 1, byte ^ 0x80, 0, 0xff]) {
        const bytes = sound.slice();
        bytes[at] = changed;
        expectWhole(bytes);
      }
    }
  });

  it.each([
    ["the header", 0, start],
    ["the trailer", sound.byteLength - 80, sound.byteLength],
  ])("leaves the chunks as they were: many bytes of %s", (_, from, to) => {
    const change = fc.record({ at: fc.integer({ min: from, max: to - 1 }), byte: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 2, maxLength: 30 }), (changes) => {
        const bytes = sound.slice();
        for (const { at, byte } of changes) bytes[at] = byte;
        expectWhole(bytes);
      }),
      { numRuns: 150 },
    );
  });

  it("leaves the chunks as they were: all of the index, and all behind the chunks", () => {
    const index = start + cbytes;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 48, maxLength: 300 }), fc.boolean(), (garbage, cut) => {
        const bytes = sound.slice(0, cut ? index + garbage.byteLength : sound.byteLength);
        bytes.set(garbage.subarray(0, bytes.byteLength - index), index);
        expectWhole(bytes);
      }),
      { numRuns: 100 },
    );
  });

  it("takes the metalayers with it only if it is theirs", () => {
    const bytes = sound.slice();
    bytes[0] = 0;
    const { report, frame } = repaired(bytes);
    expect(report).toMatchObject({ headerKept: false, metalayersKept: true, vlmetalayers: 1 });
    expect(frame.meta.get("first")).toEqual(Uint8Array.of(1, 2, 3));
    expect(frame.typesize).toBe(4);
    expect(frame.cparams.codec).toBe("lz4");
  });
});

describe("chunks that are lost", () => {
  it("become zeros, so that the others keep their places", () => {
    const { bytes, chunks } = written(5);
    const [, , third] = [...SChunk.fromCframe(bytes).iterChunksInfo()];
    bytes.fill(0xff, (third?.position as number) + 8, (third?.position as number) + 12);
    const { report, chunks: found } = repaired(bytes);
    expect(report).toMatchObject({ chunksRecovered: 4, chunksLost: 1, zeroedChunks: [{ start: 2, stop: 3 }] });
    expect(report.problems).toHaveLength(1);
    expect(found).toEqual(chunks.map((chunk, i) => (i === 2 ? hex(new Uint8Array(1200)) : chunk)));
  });

  it("are left out where chunks differ in size", () => {
    const s = SChunk.create();
    for (const length of [100, 200, 50, 300]) s.appendData(samples(length, length));
    const bytes = s.toCframe();
    const [, second] = [...SChunk.fromCframe(bytes).iterChunksInfo()];
    bytes[(second?.position as number) + 11] = 0x80;
    const { report, chunks } = repaired(bytes);
    expect(report).toMatchObject({ chunksRecovered: 3, chunksLost: 1, zeroedChunks: [] });
    expect(chunks.map((chunk) => chunk.split(":")[0])).toEqual(["400", "200", "1200"]);
  });

  it("are told by their checksum where decoding says nothing", () => {
    const s = SChunk.create({ chunksize: 1200, checksum: true, cparams: { clevel: 0 } });
    for (let i = 0; i < 3; i++) s.appendData(new Uint8Array(samples(i).buffer));
    const bytes = s.toCframe();
    bytes[97 + 1232 + 500] = (bytes[97 + 1232 + 500] as number) ^ 1;
    const { report, backend } = repaired(bytes);
    expect(report).toMatchObject({ chunksLost: 1, zeroedChunks: [{ start: 1, stop: 2 }] });
    expect(report.problems).toMatchObject([{ code: "BLOSC2_FORMAT_CHECKSUM" }]);
    expect(verifyFrame("whole", backend).checksums).toEqual({ verified: 2, missing: 0, failed: 0 });
  });
});

describe("chunks that are gone together with the index", () => {
  it("count as lost: the header says how many there were", () => {
    const { bytes, chunks } = written(40);
    const infos = [...SChunk.fromCframe(bytes).iterChunksInfo()];
    const index = headerLength(bytes) + committedCbytes(bytes);
    bytes.fill(0, index, index + 100);
    bytes.fill(0, infos[20]?.position, infos[33]?.position);
    const { report, chunks: found } = repaired(bytes);
    expect(report).toMatchObject({ indexSource: "walked", chunksRecovered: 27, chunksLost: 13, zeroedChunks: [] });
    expect(found).toEqual([...chunks.slice(0, 20), ...chunks.slice(33)]);
  });
});

describe("arrays", () => {
  const data = Float64Array.from({ length: 400 }, (_, i) => i * 1.5);
  function arrayBytes(): Uint8Array {
    using array = asarray(data, { shape: [20, 20], chunks: [5, 20], blocks: [5, 10] });
    return array.toCframe();
  }

  it("keep their shape when the index is gone", () => {
    const bytes = arrayBytes();
    const at = headerLength(bytes) + committedCbytes(bytes);
    bytes.fill(0xaa, at, at + 50);
    const { report, backend } = repaired(bytes);
    expect(report).toMatchObject({ indexSource: "walked", chunksRecovered: 4, chunksLost: 0 });
    using array = openArray("whole", { io: backend });
    expect(array.get().data).toEqual(data);
  });

  it("have zeros where chunks are missing at the end", () => {
    const bytes = arrayBytes();
    const infos = [...SChunk.fromCframe(bytes).iterChunksInfo()];
    const { report, backend } = repaired(bytes.slice(0, (infos[3]?.position as number) + 20));
    expect(report).toMatchObject({ chunksRecovered: 3, chunksLost: 1, zeroedChunks: [{ start: 3, stop: 4 }] });
    using array = openArray("whole", { io: backend });
    expect(array.getSlice([0], [15]).data).toEqual(data.subarray(0, 300));
    expect(array.getSlice([15]).data).toEqual(new Float64Array(100));
  });
});

describe("what is no frame", () => {
  it("gives an empty one", () => {
    expect(repaired(new Uint8Array(3)).report).toMatchObject({ chunksRecovered: 0, headerKept: false });
    expect(repaired(new Uint8Array(5000).fill(7)).report).toMatchObject({ chunksRecovered: 0 });
  });

  it("never makes repair fail in another way, nor invent chunks", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(repaired(bytes).report.chunksRecovered).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it("is given up when asked to", () => {
    const { bytes } = written(3);
    const signal = { aborted: true };
    expect(() => repaired(bytes, { signal })).toThrow(expect.objectContaining({ code: "BLOSC2_ABORTED" }));
  });
});
