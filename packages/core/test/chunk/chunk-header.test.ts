import { describe, expect, it } from "vitest";
import { blockCount, decodeChunkHeader, effectiveBlocksize, encodeChunkHeader } from "../../src/chunk/chunk-header.js";
import { isBlosc2Error } from "../../src/errors.js";

const location = { path: "a.b2frame", structure: "chunk 3", position: 1000 };

/** An extended header of a plausible chunk: 10,000 bytes in 5 blocks, 500 compressed. */
function makeHeader(change?: (bytes: Uint8Array, view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(500);
  const filters = Uint8Array.of(0, 0, 0, 0, 3, 1);
  const filtersMeta = Uint8Array.of(0, 0, 0, 0, 0, 7);
  encodeChunkHeader(
    {
      typesize: 8,
      nbytes: 10_000,
      blocksize: 2048,
      cbytes: 500,
      filters,
      filtersMeta,
      formatCode: 1,
      compcode: 2,
      delta: true,
    },
    bytes,
  );
  change?.(bytes, new DataView(bytes.buffer));
  return bytes;
}

function messageOf(bytes: Uint8Array, available = bytes.byteLength): string {
  try {
    decodeChunkHeader(bytes, location, available);
  } catch (error) {
    if (isBlosc2Error(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return "accepted";
}

describe("extended header", () => {
  it("has the bytes that the format documents give", () => {
    const text = Array.from(makeHeader().subarray(0, 32), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    expect(text).toBe(
      "05 01 2d 08 10 27 00 00 00 08 00 00 f4 01 00 00 00 00 00 00 03 01 02 00 00 00 00 00 00 07 00 00",
    );
  });

  it("reads back what was written", () => {
    expect(decodeChunkHeader(makeHeader(), location)).toMatchObject({
      version: 5,
      versionlz: 1,
      typesize: 8,
      nbytes: 10_000,
      blocksize: 2048,
      cbytes: 500,
      headerLength: 32,
      formatCode: 1,
      compcode: 2,
      split: true,
      memcpyed: false,
      dictionary: false,
      vlBlocks: false,
      special: undefined,
    });
  });

  it("stores a typesize above 255 as 1", () => {
    const bytes = new Uint8Array(32);
    encodeChunkHeader({ typesize: 300, nbytes: 0, blocksize: 1, cbytes: 32 }, bytes);
    expect(decodeChunkHeader(bytes, location).typesize).toBe(1);
  });

  it("has no sixth filter slot in version 3", () => {
    const header = decodeChunkHeader(
      makeHeader((bytes) => {
        bytes[0] = 3;
      }),
      location,
    );
    expect(Array.from(header.filters)).toEqual([0, 0, 0, 0, 3, 0]);
    expect(header.filtersMeta[5]).toBe(0);
  });

  it("caps the blocksize to nbytes", () => {
    expect(effectiveBlocksize({ blocksize: 4096, nbytes: 1001 })).toBe(1001);
    expect(blockCount({ blocksize: 4096, nbytes: 1001, vlBlocks: false })).toBe(1);
    expect(blockCount({ blocksize: 1000, nbytes: 1001, vlBlocks: false })).toBe(2);
    expect(blockCount({ blocksize: 1, nbytes: 0, vlBlocks: false })).toBe(0);
  });
});

describe("16-byte header", () => {
  const short = (flags: number): Uint8Array => {
    const bytes = makeHeader().slice(0, 100);
    bytes[2] = flags;
    new DataView(bytes.buffer).setInt32(12, 100, true);
    return bytes;
  };

  it.each([
    ["no filter", 0x20, [0, 0, 0, 0, 0, 0], 1],
    ["shuffle", 0x21, [0, 0, 0, 0, 0, 1], 1],
    ["bitshuffle", 0x64, [0, 0, 0, 0, 0, 2], 4],
    ["delta and shuffle", 0x89, [0, 0, 0, 0, 3, 1], 5],
  ])("takes its filters and its codec from the flags: %s", (_, flags, filters, compcode) => {
    const header = decodeChunkHeader(short(flags), location);
    expect(header.headerLength).toBe(16);
    expect(Array.from(header.filters)).toEqual(filters);
    expect(header.compcode).toBe(compcode);
  });

  it("needs no more than its 16 bytes", () => {
    const bytes = short(0x02).slice(0, 16);
    new DataView(bytes.buffer).setInt32(4, 0, true);
    new DataView(bytes.buffer).setInt32(12, 16, true);
    expect(decodeChunkHeader(bytes, location)).toMatchObject({ nbytes: 0, memcpyed: true });
  });
});

describe("refuses", () => {
  it.each<[string, string, (bytes: Uint8Array, view: DataView) => void]>([
    ["negative nbytes", "nbytes", (_, view) => view.setInt32(4, -1, true)],
    ["blocksize 0", "blocksize", (_, view) => view.setInt32(8, 0, true)],
    ["a negative blocksize", "blocksize", (_, view) => view.setInt32(8, -8, true)],
    ["a blocksize above the limit", "blocksize", (_, view) => view.setInt32(8, 536866817, true)],
    ["cbytes below the header's length", "cbytes", (_, view) => view.setInt32(12, 31, true)],
    ["negative cbytes", "cbytes", (_, view) => view.setInt32(12, -5, true)],
    ["cbytes past the end", "cbytes", (_, view) => view.setInt32(12, 501, true)],
    ["more blocks than cbytes has room for", "cbytes", (_, view) => view.setInt32(8, 1, true)],
    [
      "typesize 0",
      "typesize",
      (bytes) => {
        bytes[3] = 0;
      },
    ],
    [
      "the lazy bit",
      "blosc2_flags",
      (bytes) => {
        bytes[31] = 0x08;
      },
    ],
    [
      "the instrumented bit",
      "blosc2_flags",
      (bytes) => {
        bytes[31] = 0x80;
      },
    ],
    [
      "special type 5",
      "special type",
      (bytes) => {
        bytes[31] = 0x50;
      },
    ],
    [
      "special type 7",
      "special type",
      (bytes) => {
        bytes[31] = 0x70;
      },
    ],
    [
      "NaN of typesize 2",
      "typesize",
      (bytes) => {
        bytes[31] = 0x20;
        bytes[3] = 2;
      },
    ],
    [
      "a part of an item in NaN",
      "nbytes",
      (bytes, view) => {
        bytes[31] = 0x20;
        view.setInt32(4, 10_001, true);
      },
    ],
    [
      "a value that does not divide nbytes",
      "cbytes",
      (bytes) => {
        bytes[31] = 0x30;
      },
    ],
    [
      "a value of no bytes",
      "cbytes",
      (bytes, view) => {
        bytes[31] = 0x30;
        view.setInt32(12, 32, true);
      },
    ],
    [
      "variable-length blocks in a stored chunk",
      "flags",
      (bytes) => {
        bytes[30] = 1;
        (bytes[2] as number) |= 2;
      },
    ],
    [
      "variable-length blocks in a special chunk",
      "special type",
      (bytes) => {
        bytes[30] = 1;
        bytes[31] = 0x10;
      },
    ],
    [
      "a stored chunk of another length",
      "cbytes",
      (bytes) => {
        (bytes[2] as number) |= 2;
      },
    ],
    ["an empty chunk with content", "cbytes", (_, view) => view.setInt32(4, 0, true)],
    [
      "a later version with unknown features",
      "version",
      (bytes) => {
        bytes[0] = 7;
        bytes[30] = 2;
      },
    ],
  ])("%s, and says where", (_, field, change) => {
    const message = messageOf(makeHeader(change));
    expect(message).toMatch(/^BLOSC2_FORMAT_/);
    expect(message).toContain(`a.b2frame: chunk 3: ${field} at position 10`);
    expect(message).toMatch(/expected .*, found /);
  });

  it("any cut", () => {
    for (let length = 0; length < 500; length++) {
      expect(messageOf(makeHeader().slice(0, length))).toMatch(/^BLOSC2_FORMAT_TRUNCATED/);
    }
  });

  it("two gigabytes in forty bytes", () => {
    const bytes = makeHeader((_, view) => {
      view.setInt32(4, 0x7fffffff, true);
      view.setInt32(8, 536866816, true);
      view.setInt32(12, 40, true);
    }).slice(0, 40);
    expect(messageOf(bytes)).toContain("cbytes at position 1012: expected at least");
  });
});
