import { noise } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lz4Codec, lz4hcCodec } from "../../src/codec/lz4-codec.js";
import { isBlosc2Error } from "../../src/errors.js";
import { compressed, contextOf, decompressed, expectRoundTrip, GuardedMemory } from "./codec-suite.js";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const hex = (value: string): Uint8Array => Uint8Array.from(Buffer.from(value, "hex"));

/** One sequence of a block, read as the LZ4 block format describes it. */
interface Sequence {
  readonly literals: number;
  readonly match: { readonly offset: number; readonly length: number } | undefined;
}

function sequencesOf(block: Uint8Array): Sequence[] {
  const sequences: Sequence[] = [];
  let at = 0;
  const extended = (nibble: number): number => {
    let length = nibble;
    for (let byte = 255; nibble === 15 && byte === 255; length += byte) byte = block[at++];
    return length;
  };
  while (at < block.byteLength) {
    const token = block[at++];
    const literals = extended(token >>> 4);
    at += literals;
    if (at >= block.byteLength) {
      sequences.push({ literals, match: undefined });
      break;
    }
    const offset = block[at] + block[at + 1] * 256;
    at += 2;
    sequences.push({ literals, match: { offset, length: extended(token & 15) + 4 } });
  }
  return sequences;
}

/** The three end-of-block conditions of the format, and offsets that stay in the history. */
function expectConforming(block: Uint8Array, byteLength: number, history: number): void {
  let out = 0;
  const sequences = sequencesOf(block);
  for (const { literals, match } of sequences) {
    out += literals;
    if (match === undefined) continue;
    expect(match.offset).toBeGreaterThan(0);
    expect(match.offset).toBeLessThanOrEqual(out + history);
    expect(out).toBeLessThanOrEqual(byteLength - 12);
    out += match.length;
    expect(out).toBeLessThanOrEqual(byteLength - 5);
  }
  expect(out).toBe(byteLength);
  expect(sequences.at(-1)?.match).toBeUndefined();
}

const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 9 })), { maxLength: 40 })
  .map((pieces) =>
    Uint8Array.from(
      pieces.flatMap(([piece, times]) =>
        Array<number[]>(times)
          .fill([...piece])
          .flat(),
      ),
    ),
  );

describe.each([lz4Codec, lz4hcCodec])("blocks that $name writes", (codec) => {
  it("keep the last match 12 bytes from the end (CASES B57)", () => {
    for (const source of [
      text("Abcdefghijklmnop0000000000000000Abcdefghijk"),
      hex("00dc000000000000003a000000"),
      text("0000000000000000000000000"),
    ]) {
      const block = compressed(codec, source, 200, contextOf(5));
      if (block === undefined) continue;
      expectConforming(block, source.byteLength, 0);
      expect(decompressed(codec, block, source.byteLength, contextOf(5))).toEqual(source);
    }
    expect(compressed(codec, text("Abcdefghijklmnop0000000000000000Abcdefghijk"), 200, contextOf(5))).toBeDefined();
  });

  it("conform, whatever the input and the dictionary", () => {
    const dictionaries = fc.option(
      repetitive.filter((bytes) => bytes.byteLength > 0),
      { nil: undefined },
    );
    fc.assert(
      fc.property(repetitive, dictionaries, fc.integer({ min: 1, max: 9 }), (source, dictionary, clevel) => {
        const block = expectRoundTrip(codec, source, contextOf(clevel, dictionary));
        if (block !== undefined) expectConforming(block, source.byteLength, dictionary?.byteLength ?? 0);
      }),
      { numRuns: 400 },
    );
  });

  it("conform with every length of the last run of literals", () => {
    for (let tail = 0; tail < 600; tail++) {
      const source = new Uint8Array(80 + tail);
      source.set(noise(tail, tail + 1), 80);
      const block = expectRoundTrip(codec, source, contextOf(5));
      if (block !== undefined) expectConforming(block, source.byteLength, 0);
    }
  });

  it("are not made of incompressible bytes (CASES B56)", () => {
    expect(compressed(codec, noise(4096, 1), 8192, contextOf(5))).toBeUndefined();
    expect(compressed(codec, new Uint8Array(0), 64, contextOf(5))).toBeUndefined();
  });

  it("do not depend on what was compressed before (CASES B58)", () => {
    for (let round = 0; round < 10_000; round++) {
      const source = noise(20 + (round % 50), round + 1).map((byte) => byte & (round % 3 === 0 ? 1 : 0x91));
      expectRoundTrip(codec, source, contextOf(1 + (round % 9)));
    }
  });

  it("reach back over the longest offset and no further", () => {
    for (const gap of [65_500, 65_531, 65_535, 65_536, 70_000]) {
      const source = noise(gap + 400, 11);
      source.copyWithin(gap, 0, 100);
      const block = expectRoundTrip(codec, source, contextOf(9));
      if (block !== undefined) expectConforming(block, source.byteLength, 0);
    }
  });
});

describe("malformed LZ4 blocks (CASES B59)", () => {
  it.each([
    ["an offset before the start", "10410500500102030405", 10],
    ["offset 0", "10410000500102030405", 10],
    ["literals past the end", "a0010203", 10],
    ["a literal length past the end", "f0ffff", 300],
    ["a match length past the end", "1f410100ff", 300],
    ["more output than the target", "1f410100c8500102030405", 8],
    ["an end on a match", "14410100", 9],
    ["an end inside an offset", "144101", 9],
    ["a match that starts in the last 12 bytes", "1041010060010203040506", 11],
    ["a match that reaches into the last 5 bytes", "1a4101004001020304", 19],
    ["fewer bytes than the target", "30010203", 4],
    ["more literals than the target", "30010203", 2],
    ["bytes after the last run", "3001020300", 3],
    ["an empty block", "", 0],
    ["an empty block for some bytes", "", 5],
  ])("%s is refused", (_name, block, byteLength) => {
    const memory = new GuardedMemory(byteLength);
    expect(() => lz4Codec.decompress(hex(block), memory.inner, contextOf(5))).toThrowError(/^lz4 stream/);
    memory.expectIntact();
  });

  it("is told from a whole one that only looks odd", () => {
    expect([...decompressed(lz4Codec, hex("00"), 0, contextOf(5))]).toEqual([]);
    expect([...decompressed(lz4Codec, hex("30010203"), 3, contextOf(5))]).toEqual([1, 2, 3]);
    expect([...decompressed(lz4Codec, hex("13410100500102030405"), 13, contextOf(5))]).toEqual([
      65, 65, 65, 65, 65, 65, 65, 65, 1, 2, 3, 4, 5,
    ]);
  });

  it("names the codec and the offset", () => {
    try {
      lz4hcCodec.decompress(hex("10410500500102030405"), new Uint8Array(10), contextOf(5));
      expect.unreachable();
    } catch (error) {
      expect(isBlosc2Error(error, "BLOSC2_CODEC_DECOMPRESS")).toBe(true);
      expect(error).toMatchObject({ details: { codec: "lz4hc", direction: "decompress", offset: 2 } });
    }
  });
});

describe("LZ4 dictionaries", () => {
  it("are history in front of the block", () => {
    // Token 0x04: no literals, 8 bytes from offset 6; then 5 literals. The first 6 come from the dictionary.
    const block = hex("0406005078797a7b7c");
    const decoded = decompressed(lz4Codec, block, 13, contextOf(5, text("..abcdef")));
    expect(new TextDecoder().decode(decoded)).toBe("abcdefabxyz{|");
    expect(() => lz4Codec.decompress(block, new Uint8Array(13), contextOf(5, text("bcdef")))).toThrowError(/offset 6/);
  });

  it("lets a block reach the dictionary's first byte", () => {
    const dictionary = noise(2000, 4);
    const source = Uint8Array.from([...dictionary.subarray(0, 40), ...noise(30, 8)]);
    for (const codec of [lz4Codec, lz4hcCodec]) {
      const block = expectRoundTrip(codec, source, contextOf(5, dictionary));
      expect(block?.byteLength ?? 99).toBeLessThan(45);
    }
  });
});
