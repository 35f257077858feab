import { describe, expect, it } from "vitest";
import type { BlockCoding, BlockDecodeRequest } from "../../src/block/engine.js";
import { StreamTable, streamCount } from "../../src/block/stream-table.js";
import { writeInt32 } from "../../src/bytes/little-endian.js";
import { isBlosc2Error } from "../../src/errors.js";

const coding: BlockCoding = {
  typesize: 2,
  superChunkTypesize: 2,
  blocksize: 20,
  formatCode: 1,
  compcode: 1,
  codecMeta: 0,
  clevel: 5,
  filters: new Uint8Array(6),
  filtersMeta: new Uint8Array(6),
  split: true,
  chunkVersion: 5,
  runs: true,
  dictionary: undefined,
  geometry: undefined,
};

/** A request for one block whose source is these csize fields, each followed by as many bytes as it says (or a token). */
function request(fields: (number | "token" | "cut")[], change: Partial<BlockDecodeRequest> = {}): BlockDecodeRequest {
  const source = new Uint8Array(200);
  let at = 8;
  for (const field of fields) {
    if (field === "token") source[at++] = 1;
    else if (field !== "cut") {
      writeInt32(source, at, field);
      at += 4 + Math.max(0, Math.min(field, 100));
    }
  }
  return {
    place: { location: { path: "a.b2frame", structure: "chunk 2", position: 1000 } },
    source,
    sourceOffset: 40,
    sourceStart: 8,
    sourceEnd: at,
    blockIndex: 3,
    blockByteLength: 20,
    from: 0,
    to: 20,
    target: new Uint8Array(20),
    targetOffset: 0,
    reference: undefined,
    variableLength: false,
    ...change,
  };
}

function messageOf(each: BlockDecodeRequest, where: BlockCoding = coding): string {
  try {
    new StreamTable().locate(where, each);
  } catch (error) {
    if (isBlosc2Error(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return "accepted";
}

describe("streams of a block", () => {
  it("are as many as the typesize in a full block, and one in a shorter one", () => {
    expect(streamCount(coding, 20)).toBe(2);
    expect(streamCount(coding, 19)).toBe(1);
    expect(streamCount({ ...coding, split: false }, 20)).toBe(1);
  });

  it("are found behind their csize fields", () => {
    const table = new StreamTable();
    expect(table.locate(coding, request([7, 10]))).toBe(8 + 4 + 7 + 4 + 10);
    expect(table.count).toBe(2);
    expect(table.streamLength).toBe(10);
    expect(Array.from(table.offsets.subarray(0, 2))).toEqual([12, 23]);
    expect(Array.from(table.sizes.subarray(0, 2))).toEqual([7, 10]);
  });

  it("may be runs of zeros or of another byte", () => {
    const table = new StreamTable();
    expect(table.locate(coding, request([0, -255, "token"]))).toBe(8 + 4 + 4 + 1);
    expect(Array.from(table.sizes.subarray(0, 2))).toEqual([0, -255]);
  });

  it("fill the span of a variable-length block", () => {
    const table = new StreamTable();
    table.locate(coding, request([], { variableLength: true, sourceEnd: 29, blockByteLength: 31 }));
    expect([table.count, table.offsets[0], table.sizes[0], table.streamLength]).toEqual([1, 8, 21, 31]);
  });

  it.each<[string, BlockDecodeRequest, string]>([
    ["no csize field", request(["cut"]), "BLOSC2_FORMAT_TRUNCATED a.b2frame: chunk 2, block 3: csize at position 1048"],
    [
      "a stream past the end",
      request([7, 50], { sourceEnd: 60 }),
      "BLOSC2_FORMAT_TRUNCATED a.b2frame: chunk 2, block 3: stream",
    ],
    ["a run without its token", request([0, -7]), "BLOSC2_FORMAT_TRUNCATED a.b2frame: chunk 2, block 3: token"],
    ["a token without its bit", request([-7, 0]), "BLOSC2_FORMAT_INVALID a.b2frame: chunk 2, block 3: token"],
    ["a run of no byte", request([-256, "token", 0]), "BLOSC2_FORMAT_INVALID a.b2frame: chunk 2, block 3: csize"],
    ["a very negative csize", request([-0x80000000]), "BLOSC2_FORMAT_INVALID a.b2frame: chunk 2, block 3: csize"],
    ["no bytes in a variable-length block", request([], { variableLength: true }), "BLOSC2_FORMAT_TRUNCATED"],
  ])("are refused: %s", (_, each, message) => {
    expect(messageOf(each)).toContain(message);
  });

  it("are refused when they can't fill the block evenly", () => {
    expect(messageOf(request([3, 3], { blockByteLength: 21 }), { ...coding, blocksize: 21 })).toContain(
      "stream length",
    );
    expect(messageOf(request([1, 1], { blockByteLength: 1 }), { ...coding, blocksize: 1 })).toContain("stream length");
  });

  it("are refused when no codec of the format could make so much of so little", () => {
    const huge = { ...coding, blocksize: 400_000_000 };
    const each = request([5, 5], { blockByteLength: 400_000_000 });
    expect(messageOf(each, huge)).toMatch(/^BLOSC2_FORMAT_BAD_LENGTH/);
    expect(messageOf(each, { ...huge, formatCode: 6 })).toBe("accepted");
  });
});
