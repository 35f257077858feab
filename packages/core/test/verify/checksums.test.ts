import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32c } from "../../src/bytes/crc32c.js";
import type { IoBackend } from "../../src/io/backend.js";
import { memory } from "../../src/io/memory-backend.js";
import { openSChunkReader } from "../../src/super-chunk/open-reader.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { verifyFrame } from "../../src/verify/verify-frame.js";
import { directoryBackend } from "../frame/directory-backend.js";

const NAME = "b2frame.checksums";
const ANY = expect.objectContaining({ code: expect.stringMatching(/^BLOSC2_/) });
const WRONG = expect.objectContaining({ code: "BLOSC2_FORMAT_CHECKSUM" });

function numbers(seed: number, count = 250): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => seed * 1000003 + ((i * i) % 997));
}

function counts(path: string, backend: IoBackend): { verified: number; missing: number; failed: number } {
  const report = verifyFrame(path, backend);
  expect(report.problems).toEqual([]);
  return report.checksums;
}

function edit(path: string, backend: IoBackend, change: (bytes: Uint8Array) => void): void {
  const handle = backend.open(path, "r+");
  const bytes = handle.read(0, handle.size()).slice();
  change(bytes);
  handle.write(0, bytes);
  handle.close();
}

describe("checksums of chunks", () => {
  it("are absent unless asked for", () => {
    const backend = memory();
    SChunk.create({ urlpath: "f", io: backend, data: numbers(1) }).close();
    expect(counts("f", backend)).toEqual({ verified: 0, missing: 1, failed: 0 });
    expect(SChunk.open("f", backend).vlmeta.keys()).toEqual([]);
  });

  it("are the documented pairs of cbytes and CRC-32C, which the chunk's number is part of", () => {
    const s = SChunk.create({ chunksize: 1000, checksum: true, typesize: 4 });
    s.appendData(numbers(1));
    s.appendData(new Int32Array(250));
    s.appendData(numbers(2));
    using read = SChunk.fromCframe(s.toCframe());
    const { algorithm, chunks } = read.vlmeta.getValue(NAME) as { algorithm: string; chunks: Uint8Array };
    expect(algorithm).toBe("crc32c");
    const view = new DataView(chunks.buffer, chunks.byteOffset, chunks.byteLength);
    const pairs = [0, 1, 2].map((i) => [view.getUint32(8 * i, true), view.getUint32(8 * i + 4, true)]);
    const of = (i: number): number[] => [
      s.getChunk(i).byteLength,
      (crc32c(s.getChunk(i)) ^ crc32c(Uint8Array.of(i, 0, 0, 0))) >>> 0,
    ];
    // The zeros in the middle are an index entry and nothing else.
    expect(pairs).toEqual([of(0), [0, 0], of(2)]);
  });

  it.each([
    ["contiguous", true],
    ["sparse", false],
  ])("follow every edit of a %s frame", (_, contiguous) => {
    const step = fc.record({
      kind: fc.constantFrom("append", "insert", "update", "delete", "reverse", "flush", "compact", "reopen"),
      at: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const backend = directoryBackend();
        let s = SChunk.create({ urlpath: "f", io: backend, contiguous, typesize: 4, chunksize: 1000, checksum: true });
        let stored = 0;
        steps.forEach(({ kind, at }, i) => {
          const n = s.nchunks;
          if (kind === "append") s.appendData(numbers(i));
          else if (kind === "insert") s.insertData(at % (n + 1), numbers(i));
          else if (kind === "update" && n > 0) s.updateData(at % n, i % 3 === 0 ? new Int32Array(250) : numbers(i));
          else if (kind === "delete" && n > 0) s.deleteChunk(at % n);
          else if (kind === "reverse") s.reorderOffsets(Array.from({ length: n }, (_, k) => n - 1 - k));
          else if (kind === "flush") s.flush();
          else if (kind === "compact") s.compact();
          else if (kind === "reopen") {
            s.close();
            s = SChunk.open("f", backend, { mode: "r+" });
          }
        });
        for (const { special, position } of s.iterChunksInfo())
          if (special !== "zeros" || position !== undefined) stored++;
        s.close();
        expect(counts("f", backend)).toEqual({ verified: stored, missing: 0, failed: 0 });
      }),
      { numRuns: 60 },
    );
  });

  it("follow the chunks of a frame in memory that is compacted", () => {
    using s = SChunk.create({ typesize: 4, chunksize: 1000, checksum: true, cparams: { clevel: 0 } });
    for (let i = 0; i < 4; i++) s.appendData(numbers(i));
    s.deleteChunk(0);
    s.compact();
    s.appendData(numbers(4));
    using copy = SChunk.fromCframe(s.toCframe(), { checksum: true });
    expect([...copy.iterChunks()]).toEqual([1, 2, 3, 4].map((i) => new Uint8Array(numbers(i).buffer)));
  });

  it("that can't be read leave a frame that is read anew as it was", () => {
    const backend = memory();
    const writer = SChunk.create({ urlpath: "f", io: backend, typesize: 4, chunksize: 1000 });
    writer.appendData(numbers(1));
    writer.flush();
    using follower = SChunk.open("f", backend, { mode: "r+" });
    // Others may write anything under that name. The compacted frame is another file, where the chunk lies elsewhere.
    writer.insertData(0, numbers(2));
    const other = NAME.replace("check", "Check");
    writer.vlmeta.set(other, new Uint8Array([1, 2, 3]));
    writer.compact();
    writer.close();
    edit("f", backend, (bytes) => {
      bytes.set(new TextEncoder().encode(NAME), Buffer.from(bytes).indexOf(other));
    });
    expect(() => follower.refresh()).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_CHECKSUM" }));
    expect([...follower.iterChunks()]).toEqual([new Uint8Array(numbers(1).buffer)]);
  });

  it("find a changed byte that decoding does not notice", () => {
    const backend = memory();
    // Stored as it is, so any byte will do.
    const s = SChunk.create({ urlpath: "f", io: backend, chunksize: 1000, cparams: { clevel: 0 }, checksum: true });
    for (let i = 0; i < 3; i++) s.appendData(new Uint8Array(numbers(i).buffer));
    const [, info] = [...s.iterChunksInfo()];
    s.close();
    edit("f", backend, (bytes) => {
      const at = (info?.position as number) + 500;
      bytes[at] = (bytes[at] as number) ^ 1;
    });
    const report = verifyFrame("f", backend);
    expect(report.checksums).toEqual({ verified: 2, missing: 0, failed: 1 });
    expect(report.problems).toMatchObject([{ structure: "chunk 1", code: "BLOSC2_FORMAT_CHECKSUM" }]);
    using careless = SChunk.open("f", backend, { checksum: false });
    expect(careless.decompressChunk(1).byteLength).toBe(1000);
    const whole = careless.getChunk(1);
    using anew = SChunk.fromCframe(careless.toCframe());
    expect(anew.getChunk(1)).toEqual(whole);
    using careful = SChunk.open("f", backend);
    expect(careful.decompressChunk(0).byteLength).toBe(1000);
    const out = new Uint8Array(1000);
    const reads: (() => unknown)[] = [
      () => careful.decompressChunk(1),
      () => careful.decompressChunk(1, { target: out }),
      () => careful.getChunk(1),
      () => careful.getSlice(1010, 1020),
      () => careful.getSparse([1500]),
      () => careful.openChunk(1),
      () => [...careful.iterChunks()],
      () => [...careful.lendChunks()],
      () => careful.copy(),
      () => careful.copy({ cparams: { codec: "zlib" } }),
      () => careful.toCframe(),
    ];
    for (const read of reads) expect(read, String(read)).toThrow(WRONG);
  });

  it("are held against chunks that are stored as they are while they are read, whichever byte is another one", () => {
    const lengths = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 131_000, max: 400_000 }));
    const input = fc.record({ length: lengths, seed: fc.nat(), at: fc.nat(), shift: fc.nat(40) });
    fc.assert(
      fc.property(input, ({ length, seed, at, shift }) => {
        const backend = memory();
        const data = noise(length, seed);
        const options = { urlpath: "f", io: backend, chunksize: length, typesize: 1, cparams: { clevel: 0 } };
        SChunk.create({ ...options, data, checksum: true }).close();
        const target = new Uint8Array(length + shift + 1).fill(7);
        {
          using s = SChunk.open("f", backend);
          s.decompressChunk(0, { target: target.subarray(shift, shift + length) });
          expect(Buffer.compare(target.subarray(shift, shift + length), data)).toBe(0);
          expect(target[shift + length]).toBe(7);
        }
        edit("f", backend, (bytes) => {
          const start = Buffer.from(bytes.buffer).indexOf(data);
          if (start < 0) throw new Error("the chunk is not stored as it is");
          bytes[start + (at % length)] = (bytes[start + (at % length)] as number) ^ 1;
        });
        using damaged = SChunk.open("f", backend);
        expect(() => damaged.decompressChunk(0)).toThrow(WRONG);
      }),
      { numRuns: 40 },
    );
  });

  it("tell two chunks that have changed places, and one that another program has replaced", () => {
    const backend = memory();
    const s = SChunk.create({ urlpath: "f", io: backend, chunksize: 1000, cparams: { clevel: 0 }, checksum: true });
    for (let i = 0; i < 3; i++) s.appendData(new Uint8Array(numbers(i).buffer));
    const [first, second] = [...s.iterChunksInfo()].map(({ position }) => position as number);
    s.close();
    edit("f", backend, (bytes) => {
      const [one, other] = [first, second].map((at) => bytes.slice(at as number, (at as number) + 1032));
      bytes.set(one as Uint8Array, second);
      bytes.set(other as Uint8Array, first);
    });
    using changed = SChunk.open("f", backend);
    expect(() => changed.decompressChunk(0)).toThrow(WRONG);
    expect(() => changed.getSlice(1500, 1501)).toThrow(WRONG);
    expect(changed.decompressChunk(2)).toEqual(new Uint8Array(numbers(2).buffer));
    expect(verifyFrame("f", backend).checksums).toEqual({ verified: 1, missing: 0, failed: 2 });
  });

  it("are of the right chunk although blocks are read in parts, alone and in turns", () => {
    const backend = memory();
    const items = Int32Array.from({ length: 100_000 }, (_, i) => i * 7919);
    SChunk.create({ urlpath: "f", io: backend, chunksize: 200_000, data: items, checksum: true }).close();
    using s = SChunk.open("f", backend);
    fc.assert(
      fc.property(fc.nat(99_999), fc.nat(60_000), (start, count) => {
        const stop = Math.min(items.length, start + count);
        expect(new Int32Array(s.getSlice(start, stop).buffer)).toEqual(items.slice(start, stop));
      }),
      { numRuns: 50 },
    );
  });

  it("are computed for a frame that had none, when it is opened for changes with them", () => {
    const backend = memory();
    SChunk.create({
      urlpath: "f",
      io: backend,
      chunksize: 1000,
      data: new Uint8Array(numbers(1, 1000).buffer),
    }).close();
    SChunk.open("f", backend, { mode: "r+", checksum: true }).close();
    expect(counts("f", backend)).toEqual({ verified: 4, missing: 0, failed: 0 });
  });

  it("that another writer has left as they were are an error, until they are removed", () => {
    const backend = memory();
    const s = SChunk.create({ urlpath: "f", io: backend, chunksize: 1000, checksum: true });
    for (let i = 0; i < 3; i++) s.appendData(new Uint8Array(numbers(i).buffer));
    s.close();
    const other = SChunk.open("f", backend, { mode: "r+" });
    const kept = other.vlmeta.get(NAME);
    other.vlmeta.delete(NAME);
    other.appendData(new Uint8Array(numbers(8).buffer));
    // The old list under the new chunks, as a writer leaves it that takes it for the user's.
    other.vlmeta.set("b2frame.checksumz", kept);
    other.close();
    edit("f", backend, (bytes) => {
      const name = new TextEncoder().encode("b2frame.checksumz");
      const at = bytes.findIndex((_, i) => name.every((byte, k) => bytes[i + k] === byte));
      bytes[at + name.byteLength - 1] = "s".charCodeAt(0);
    });
    const report = verifyFrame("f", backend);
    expect(report.checksums).toEqual({ verified: 3, missing: 0, failed: 1 });
    expect(report.problems).toMatchObject([{ field: "fingerprint" }, { structure: "chunk 3" }]);
    expect(() => SChunk.open("f", backend)).toThrow(WRONG);
    const accepted = SChunk.open("f", backend, { mode: "r+", checksum: false });
    expect(accepted.decompressChunk(3)).toEqual(new Uint8Array(numbers(8).buffer));
    accepted.vlmeta.delete(NAME);
    accepted.close();
    SChunk.open("f", backend, { mode: "r+", checksum: true }).close();
    expect(counts("f", backend)).toEqual({ verified: 4, missing: 0, failed: 0 });
  });

  it("go with copies, recompressed ones too, and can be left behind", () => {
    const s = SChunk.create({ chunksize: 1000, checksum: true });
    for (let i = 0; i < 3; i++) s.appendData(new Uint8Array(numbers(i).buffer));
    const backend = memory();
    s.copy({ urlpath: "same", io: backend }).close();
    s.copy({ urlpath: "other", io: backend, cparams: { codec: "zlib" } }).close();
    s.copy({ urlpath: "without", io: backend, checksum: false }).close();
    s.appendFile("appended", backend);
    for (const path of ["same", "other", "appended"]) {
      expect(counts(path, backend)).toEqual({ verified: 3, missing: 0, failed: 0 });
    }
    expect(counts("without", backend)).toEqual({ verified: 0, missing: 3, failed: 0 });
  });

  it("cover all that describes a frame: every bit of it", () => {
    const backend = memory();
    const s = SChunk.create({ urlpath: "f", io: backend, meta: { m: Uint8Array.of(1, 2, 3) }, checksum: true });
    s.appendData(new Uint8Array(numbers(1).buffer));
    s.vlmeta.setValue("factor", 1.25);
    const [{ position = 0, cbytes }] = [...s.iterChunksInfo()] as [{ position: number; cbytes: number }];
    s.close();
    const handle = backend.open("f", "r");
    const bytes = handle.read(0, handle.size()).slice();
    handle.close();
    for (let bit = 0; bit < 8 * bytes.byteLength; bit++) {
      const at = bit >> 3;
      if (at >= position && at < position + cbytes) continue;
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] as number) ^ (1 << (bit & 7));
      expect(() => openSChunkReader(damaged), `bit ${bit}`).toThrow(ANY);
    }
  });

  it("take one of the 16 vlmetalayers", () => {
    const s = SChunk.create({ checksum: true });
    for (let i = 0; i < 15; i++) s.vlmeta.setValue(`v${i}`, i);
    expect(() => s.vlmeta.setValue("one too many", 0)).toThrow(
      expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }),
    );
    const backend = memory();
    const full = SChunk.create({ urlpath: "f", io: backend });
    for (let i = 0; i < 16; i++) full.vlmeta.setValue(`v${i}`, i);
    full.close();
    const open = (): SChunk => SChunk.open("f", backend, { mode: "r+", checksum: true });
    expect(open).toThrow(expect.objectContaining({ code: "BLOSC2_LIMIT_EXCEEDED" }));
  });

  it("are not the caller's to set, but to remove", () => {
    const s = SChunk.create({ checksum: true });
    expect(() => s.vlmeta.set(NAME, new Uint8Array(3))).toThrow(
      expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }),
    );
    expect(s.vlmeta.delete(NAME)).toBe(true);
    s.appendData(new Uint8Array(100));
    expect(SChunk.fromCframe(s.toCframe()).vlmeta.keys()).toEqual([]);
  });
});
