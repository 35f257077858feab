import { describe, expect, it } from "vitest";
import { isBlosc2Error } from "../../src/errors.js";
import {
  decodeFrameHeader,
  decodeHeaderLength,
  encodeFrameHeader,
  patchFrameHeader,
} from "../../src/frame/frame-header.js";
import { memoryHandle } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { frameBytes, frameFixture } from "./frame-fixtures.js";

const NOWHERE = { path: undefined, position: 0 };
/** Bytes that state how many threads wrote the frame. */
const THREADS = [63, 64, 66, 67];

function withoutThreads(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  for (const offset of THREADS) copy[offset] = 0;
  return copy;
}

describe("frame headers", () => {
  it("are written byte for byte as C-Blosc2 does, but for the thread count", () => {
    using empty = SChunk.create({ typesize: 4 });
    expect(withoutThreads(empty.toCframe())).toEqual(withoutThreads(frameBytes(frameFixture("frame/empty"))));
  });

  it.each(["frame/meta", "frame/dict", "frame/varchunks", "frame/vlblocks-var", "frame/typesize300"])(
    "come out of decoding and encoding unchanged: %s",
    (id) => {
      const fixture = frameFixture(id);
      const bytes = frameBytes(fixture).slice(0, fixture.header_len);
      const { header, metalayers } = decodeFrameHeader(bytes, NOWHERE, fixture.frame_len);
      expect(withoutThreads(encodeFrameHeader({ ...header }, metalayers))).toEqual(withoutThreads(bytes));
      const patched = bytes.slice();
      patchFrameHeader(patched, header);
      expect(withoutThreads(patched).slice(0, 68)).toEqual(withoutThreads(bytes).slice(0, 68));
      expect(patched.slice(69)).toEqual(bytes.slice(69));
      expect(header).toMatchObject({
        headerLength: fixture.header_len,
        frameLength: fixture.frame_len,
        nbytes: fixture.nbytes,
        cbytes: fixture.cbytes,
        typesize: fixture.typesize,
        chunksize: fixture.chunksize,
        clevel: fixture.clevel,
        compcode: fixture.compcode,
      });
    },
  );

  it("names file, structure, field, position, expected and found", () => {
    const bytes = frameBytes(frameFixture("frame/one"));
    bytes[25] = 0x1f;
    expect(() => SChunk.openHandle(memoryHandle(bytes), { path: "dir/x.b2frame" })).toThrow(
      "dir/x.b2frame: frame header: general_flags at position 25: expected version 3 or lower, found 15",
    );
  });

  it("are refused when the magic or any marker is another byte", () => {
    const bytes = frameBytes(frameFixture("frame/one"));
    for (const offset of [0, 1, 2, 8, 9, 10, 15, 24, 29, 38, 47, 52, 57, 62, 65, 87, 88, 91, 94]) {
      const broken = bytes.slice();
      broken[offset] = (broken[offset] as number) ^ 0x55;
      expect(() => SChunk.fromCframe(broken), `offset ${offset}`).toThrow(
        expect.objectContaining({ code: "BLOSC2_FORMAT_BAD_MAGIC" }),
      );
    }
  });

  it("are refused when cut anywhere", () => {
    const bytes = frameBytes(frameFixture("frame/meta"));
    for (let length = 0; length < 219; length++) {
      expect(
        () =>
          decodeHeaderLength(bytes.subarray(0, Math.min(length, 87)), NOWHERE) > length &&
          decodeFrameHeader(bytes.subarray(0, length), NOWHERE, length),
      ).toThrow(expect.objectContaining({ name: "FormatError" }));
    }
  });
});

/** The length fields of frame "meta": header, then trailer, then the first vlmetalayer's chunk. Offset and width. */
function lengthFields(bytes: Uint8Array, headerLength: number): [string, number, number][] {
  const trailer = bytes.byteLength - new DataView(bytes.buffer).getUint32(bytes.byteLength - 22);
  const fields: [string, number, number][] = [
    ["header_len", 11, 4],
    ["frame_len", 16, 8],
    ["nbytes", 30, 8],
    ["cbytes", 39, 8],
    ["typesize", 48, 4],
    ["chunksize", 58, 4],
    ["metalayer index size", 89, 2],
    ["metalayer count", 92, 2],
    ["trailer_len", bytes.byteLength - 22, 4],
    ["vlmetalayer index size", trailer + 4, 2],
    ["vlmetalayer count", trailer + 7, 2],
  ];
  for (let at = 94; at < headerLength - 5; at++) {
    if (bytes[at] === 0xc6) fields.push([`content length at ${at}`, at + 1, 4]);
    if (bytes[at] === 0xd2) fields.push([`content offset at ${at}`, at + 1, 4]);
  }
  for (let at = trailer + 9; at < trailer + 80; at++) {
    if (bytes[at] === 0xc6) fields.push([`content length at ${at}`, at + 1, 4]);
    if (bytes[at] === 0xd2) fields.push([`content offset at ${at}`, at + 1, 4]);
  }
  return fields;
}

it("B63: any length field set to 0, 1, 2^31 - 1 or 2^32 - 1 gives a value or a named error", () => {
  const fixture = frameFixture("frame/meta");
  const original = frameBytes(fixture);
  let refused = 0;
  for (const [field, offset, width] of lengthFields(original, fixture.header_len)) {
    for (const value of [0, 1, 0x7fffffff, 0xffffffff]) {
      const bytes = original.slice();
      const view = new DataView(bytes.buffer);
      if (width === 8) view.setBigUint64(offset, BigInt(value));
      if (width === 4) view.setUint32(offset, value);
      if (width === 2) view.setUint16(offset, value & 0xffff);
      try {
        const s = SChunk.fromCframe(bytes);
        for (const _ of s.iterChunks());
        for (const _ of s.vlmeta);
        for (const _ of s.meta);
      } catch (error) {
        expect(isBlosc2Error(error), `${field} ${value}: ${String(error)}`).toBe(true);
        refused++;
      }
    }
  }
  expect(refused).toBeGreaterThan(50);
});
