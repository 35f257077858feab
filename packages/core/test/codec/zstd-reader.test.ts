import { createHash } from "node:crypto";
import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createZstdCodec } from "../../src/codec/create-zstd-codec.js";
import { compileZstd, instantiateZstd } from "../../src/codec/zstd-library.js";
import { zstdReader } from "../../src/codec/zstd-reader.js";
import { compressed, contextOf, decompressed, structuredInputs } from "./codec-suite.js";

const library = createZstdCodec(instantiateZstd(await compileZstd()));
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

function streamOf(source: Uint8Array, clevel: number, dictionary?: Uint8Array): Uint8Array {
  const stream = compressed(library, source, source.byteLength + 1024, contextOf(clevel, dictionary));
  if (stream === undefined) throw new Error("expected a stream");
  return stream;
}

/** What a decoder makes of a stream; `undefined` when it refuses it. */
function reading(codec: typeof zstdReader, stream: Uint8Array, byteLength: number): Uint8Array | undefined {
  try {
    return decompressed(codec, stream, byteLength, contextOf(5));
  } catch {
    return undefined;
  }
}

/** A frame of one raw block with a checksum; XXH64 is seeded with 0. */
function summed(content: readonly number[], checksum: readonly number[]): Uint8Array {
  return Uint8Array.from([...MAGIC, 0x24, content.length, (content.length << 3) | 1, 0, 0, ...content, ...checksum]);
}

describe("the kernels' zstd decoder", () => {
  it("gives what was compressed by the library, at all sizes and levels", () => {
    for (const byteLength of [1, 31, 300, 5000, 131_072, 131_073, 300_000]) {
      for (const [name, source] of structuredInputs(byteLength)) {
        for (const clevel of byteLength > 10_000 ? [1, 5] : [1, 3, 5, 7, 9]) {
          const found = decompressed(zstdReader, streamOf(source, clevel), byteLength, contextOf(clevel));
          if (Buffer.compare(found, source) !== 0) expect.fail(`${name}, ${byteLength} bytes, clevel ${clevel}`);
        }
      }
    }
  });

  it("reads streams with any dictionary", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 3000 }),
        fc.array(fc.tuple(fc.nat(2999), fc.integer({ min: 1, max: 200 })), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (dictionary, pieces, clevel) => {
          const source = Buffer.concat(pieces.map(([at, length]) => dictionary.subarray(at, at + length)));
          fc.pre(source.byteLength > 0);
          const stream = streamOf(source, clevel, dictionary);
          const found = decompressed(zstdReader, stream, source.byteLength, contextOf(clevel, dictionary));
          expect(Buffer.compare(found, source)).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("makes of damaged streams what the library makes of them, if it reads them at all", () => {
    const streams = structuredInputs(3000).map(([, source]) => streamOf(source, 5));
    const edits = fc.array(fc.tuple(fc.nat(3999), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(fc.nat(streams.length - 1), edits, (which, changes) => {
        const damaged = streams[which].slice();
        for (const [at, flip] of changes) damaged[at % damaged.byteLength] ^= flip;
        const found = reading(zstdReader, damaged, 3000);
        const expected = reading(library, damaged, 3000);
        if (found !== undefined && expected !== undefined) expect(Buffer.compare(found, expected)).toBe(0);
        expect(found === undefined).toBe(expected === undefined);
      }),
      { numRuns: 2000 },
    );
  });

  // XXH64 of nothing is ef46db3751d8e999 and of "abc" 44bc2cf5ad770999, as its specification's reference program prints them.
  it.each([
    ["nothing", [], [0x99, 0xe9, 0xd8, 0x51]],
    ["abc", [97, 98, 99], [0x99, 0x09, 0x77, 0xad]],
  ])("compares the checksum of %s", (_name, content, checksum) => {
    expect([...decompressed(zstdReader, summed(content, checksum), content.length, contextOf(5))]).toEqual(content);
    for (let byte = 0; byte < 4; byte++) {
      const wrong = checksum.map((value, at) => (at === byte ? value ^ 1 : value));
      expect(() =>
        zstdReader.decompress(summed(content, wrong), new Uint8Array(content.length), contextOf(5)),
      ).toThrowError(/^zstd stream at offset \d+: the content's checksum differs/);
    }
  });

  it("names what is wrong, and where", () => {
    const treeless = Uint8Array.from([...MAGIC, 0x20, 8, 0x25, 0, 0, 0x83, 0x40, 0, 1]);
    expect(() => zstdReader.decompress(treeless, new Uint8Array(8), contextOf(5))).toThrowError(
      "zstd stream at offset 6: the block uses a Huffman tree that no block before it has",
    );
    const repeated = Uint8Array.from([...MAGIC, 0x20, 8, 0x25, 0, 0, 0x08, 65, 1, 0xc0]);
    expect(() => zstdReader.decompress(repeated, new Uint8Array(8), contextOf(5))).toThrowError(
      "zstd stream at offset 6: the block uses an FSE table that no block before it has",
    );
  });

  it("keeps nothing of one stream for the next", () => {
    const [first, second] = [noise(100, 1), structuredInputs(70_000)[4][1]];
    const hashes = [first, second, first].map((source) => {
      const found = decompressed(zstdReader, streamOf(source, 5), source.byteLength, contextOf(5));
      return createHash("sha256").update(found).digest("hex");
    });
    const expected = [first, second, first].map((source) => createHash("sha256").update(source).digest("hex"));
    expect(hashes).toEqual(expected);
  });
});
