import { isBlosc2Error, memoryHandle } from "@b2frame/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "../../src/zip/crc32.js";
import { locateMember } from "../../src/zip/locate-member.js";
import { readZipDirectory } from "../../src/zip/read-zip-directory.js";
import { decodeName, encodeName } from "../../src/zip/zip-name.js";
import { ZipWriter } from "../../src/zip/zip-writer.js";
import { fixtureBytes } from "../store-fixtures.js";

const LIMIT = 1 << 20;

/** Numbers as bytes, little-endian: `[value, byteLength]` each. */
function fields(...numbers: readonly (readonly [number | bigint, number])[]): Uint8Array {
  const bytes: number[] = [];
  for (const [value, length] of numbers) {
    for (let i = 0n; i < BigInt(length); i++) bytes.push(Number((BigInt(value) >> (8n * i)) & 0xffn));
  }
  return new Uint8Array(bytes);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

interface Zip64Parts {
  readonly extra?: Uint8Array;
  readonly entries?: number;
  readonly recordSize?: number;
  readonly locatorOffset?: (endPosition: number) => number;
}

/** A ZIP file of one stored member "a" with content 1 2 3, all of whose numbers are in zip64 fields. */
function zip64File(parts: Zip64Parts = {}): Uint8Array {
  const ones = 0xffffffff;
  const crc = crc32(new Uint8Array([1, 2, 3]));
  const localExtra = fields([1, 2], [16, 2], [3, 8], [3, 8]);
  const local = joined(
    fields([0x04034b50, 4], [45, 2], [0, 2], [0, 2], [0, 4], [crc, 4], [ones, 4], [ones, 4], [1, 2], [20, 2]),
    new Uint8Array([97]),
    localExtra,
    new Uint8Array([1, 2, 3]),
  );
  const extra = parts.extra ?? fields([0x9999, 2], [2, 2], [0, 2], [1, 2], [24, 2], [3, 8], [3, 8], [0, 8]);
  const central = joined(
    fields([0x02014b50, 4], [45, 2], [45, 2], [0, 2], [0, 2], [0, 4], [crc, 4], [ones, 4], [ones, 4], [1, 2]),
    fields([extra.byteLength, 2], [0, 2], [0, 2], [0, 2], [0, 4], [ones, 4]),
    new Uint8Array([97]),
    extra,
  );
  const endPosition = local.byteLength + central.byteLength;
  const entries = parts.entries ?? 1;
  return joined(
    local,
    central,
    fields([0x06064b50, 4], [parts.recordSize ?? 44, 8], [45, 2], [45, 2], [0, 4], [0, 4], [entries, 8], [entries, 8]),
    fields([central.byteLength, 8], [local.byteLength, 8]),
    fields([0x07064b50, 4], [0, 4], [parts.locatorOffset?.(endPosition) ?? endPosition, 8], [1, 4]),
    fields([0x06054b50, 4], [0xffff, 2], [0xffff, 2], [0xffff, 2], [0xffff, 2], [ones, 4], [ones, 4], [0, 2]),
  );
}

function readAll(bytes: Uint8Array): Map<string, Uint8Array> {
  const handle = memoryHandle(bytes);
  const content = new Map<string, Uint8Array>();
  for (const [name, entry] of readZipDirectory(handle, "t.zip", LIMIT)) {
    if (entry.method !== 0) continue;
    content.set(name, handle.read(locateMember(handle, entry, "t.zip"), entry.size).slice());
  }
  return content;
}

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (isBlosc2Error(error)) return error.message;
    throw error;
  }
  return "";
}

describe("crc32", () => {
  it("is the one of the ZIP format", () => {
    // The check value that catalogues of CRCs give.
    expect(crc32(new Uint8Array(Buffer.from("123456789")))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });

  it("can be taken piece by piece", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, cut) => {
        const whole = crc32(bytes);
        expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(whole);
        let slow = 0xffffffff;
        for (const byte of bytes) {
          slow ^= byte;
          for (let bit = 0; bit < 8; bit++) slow = slow & 1 ? (slow >>> 1) ^ 0xedb88320 : slow >>> 1;
        }
        expect(whole).toBe(~slow >>> 0);
      }),
    );
  });
});

describe("names", () => {
  it("are UTF-8 where they say so, else of code page 437", () => {
    expect(decodeName(new Uint8Array([0x67, 0x94, 0xe1]), 0)).toBe("göß");
    expect(decodeName(new Uint8Array([0xc3, 0xb6]), 0x800)).toBe("ö");
    expect(decodeName(new Uint8Array([0xc3]), 0x800)).toBe(undefined);
    expect(encodeName("plain").flags).toBe(0);
    const { bytes, flags } = encodeName("größe");
    expect(decodeName(bytes, flags)).toBe("größe");
  });
});

describe("a written ZIP file", () => {
  it("has the members that were added, and none that were removed or replaced", () => {
    const name = fc.constantFrom("a", "b", "dir/c", "größe");
    const operation = fc.tuple(name, fc.option(fc.uint8Array({ maxLength: 40 }), { nil: undefined }));
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), (operations) => {
        const handle = memoryHandle(new Uint8Array(0), { mode: "r+" });
        const writer = new ZipWriter(handle);
        const model = new Map<string, Uint8Array>();
        for (const [key, content] of operations) {
          if (content === undefined) {
            writer.remove(key);
            model.delete(key);
          } else {
            writer.add(key, () => handle.write(handle.size(), content));
            model.set(key, content);
          }
        }
        writer.finish();
        const read = readAll(handle.read(0, handle.size()).slice());
        expect([...read].sort()).toEqual([...model].sort());
      }),
    );
  });

  it("with more members than a 16-bit field counts has a zip64 end record", () => {
    const handle = memoryHandle(new Uint8Array(0), { mode: "r+" });
    const writer = new ZipWriter(handle);
    for (let i = 0; i < 65_536; i++) writer.add(`m${i}`, () => handle.write(handle.size(), new Uint8Array([i & 0xff])));
    writer.finish();
    const entries = readZipDirectory(handle, "t.zip", 1 << 26);
    expect(entries.size).toBe(65_536);
    const last = entries.get("m65535")!;
    expect([...handle.read(locateMember(handle, last, "t.zip"), 1)]).toEqual([0xff]);
  });
});

describe("zip64 numbers", () => {
  it("are used where the 32-bit fields say so", () => {
    expect([...readAll(zip64File())]).toEqual([["a", new Uint8Array([1, 2, 3])]]);
  });

  it.each<[string, Zip64Parts, RegExp]>([
    ["no extra field", { extra: new Uint8Array(0) }, /stored|end|position/],
    ["a short extra field", { extra: fields([1, 2], [8, 2], [3, 8]) }, /compressed size in the zip64 extra field/],
    ["an extra field past its room", { extra: fields([1, 2], [99, 2], [3, 8]) }, /zip64 extra field/],
    ["2^53", { extra: fields([1, 2], [24, 2], [2n ** 53n, 8], [3, 8], [0, 8]) }, /less than 2\^53/],
    ["2^63", { extra: fields([1, 2], [24, 2], [3, 8], [3, 8], [2n ** 63n, 8]) }, /less than 2\^53/],
    ["a position outside", { extra: fields([1, 2], [24, 2], [3, 8], [3, 8], [1000, 8]) }, /next structure begins/],
    ["too many records", { entries: 1e9 }, /number of records/],
    ["a record size that is too large", { recordSize: 45 }, /record size/],
    ["a locator that points past itself", { locatorOffset: (end) => end + 1 }, /zip64 end record offset/],
    ["a locator that points elsewhere", { locatorOffset: (end) => end - 1 }, /signature/],
  ])("refused: %s", (_, parts, message) => {
    expect(messageOf(() => readAll(zip64File(parts)))).toMatch(message);
  });
});

describe("a malformed ZIP file", () => {
  const whole = fixtureBytes("tree.b2z");

  it("gives only our errors when it is cut anywhere", () => {
    for (let length = 0; length < whole.byteLength; length++) {
      expect(
        messageOf(() => readAll(whole.subarray(0, length))),
        `${length} bytes`,
      ).not.toBe("");
    }
  });

  it("gives only our errors whatever byte of its structures is another, and never bytes of another place", () => {
    const expected = new Map([...readAll(whole)].map(([name, content]) => [name, content]));
    const frames = new Set([...expected.values()].map((content) => Buffer.from(content).toString("hex")));
    const structures = structurePositions(whole);
    for (const position of structures) {
      for (const change of [0x01, 0x80, 0xff]) {
        const bytes = whole.slice();
        bytes[position]! ^= change;
        let read: Map<string, Uint8Array>;
        try {
          read = readAll(bytes);
        } catch (error) {
          if (isBlosc2Error(error)) continue;
          throw error;
        }
        for (const content of read.values()) expect(frames.has(Buffer.from(content).toString("hex"))).toBe(true);
      }
    }
  });

  it("is refused when members overlap or share a name", () => {
    const records = centralPositions(whole);
    const overlapping = whole.slice();
    overlapping.set(whole.subarray(records[0]! + 42, records[0]! + 46), records[1]! + 42);
    expect(messageOf(() => readAll(overlapping))).toMatch(/next structure begins/);
    const handle = memoryHandle(new Uint8Array(0), { mode: "r+" });
    const writer = new ZipWriter(handle);
    writer.add("aa", () => {});
    writer.add("ab", () => {});
    writer.finish();
    const twice = handle.read(0, handle.size()).slice();
    for (let i = 0; i + 1 < twice.byteLength; i++) if (twice[i] === 97 && twice[i + 1] === 98) twice[i + 1] = 97;
    expect(messageOf(() => readAll(twice))).toMatch(/unique/);
  });

  it("takes no memory for what a length only claims", () => {
    expect(messageOf(() => readZipDirectory(memoryHandle(whole), "t.zip", 10))).toMatch(/maxAllocation/);
  });
});

/** Positions of the records of the central directory. */
function centralPositions(zip: Uint8Array): number[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.byteLength - 22;
  const positions: number[] = [];
  for (let at = view.getUint32(end + 16, true); at < end; ) {
    positions.push(at);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return positions;
}

/** Positions of all bytes that are structure, not content. */
function structurePositions(zip: Uint8Array): number[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const positions: number[] = [];
  const records = centralPositions(zip);
  for (const record of records) {
    const local = view.getUint32(record + 42, true);
    const length = 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    for (let i = 0; i < length; i++) positions.push(local + i);
  }
  for (let at = records[0]!; at < zip.byteLength; at++) positions.push(at);
  return positions;
}
