import { constants, deflateRawSync, deflateSync, inflateRawSync, type ZlibOptions } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { adler32 } from "../../src/codec/adler32.js";
import { zlibReader } from "../../src/codec/zlib-reader.js";
import { contextOf, decompressed, structuredInputs } from "./codec-suite.js";

const HEADER = [0x78, 0x9c];

/** A zlib stream of deflate data, with the checksum of its content. */
function streamOf(deflated: Uint8Array, content: Uint8Array): Uint8Array {
  const checksum = new Uint8Array(4);
  new DataView(checksum.buffer).setUint32(0, adler32(content));
  return Uint8Array.from([...HEADER, ...deflated, ...checksum]);
}

/** What is read of a stream; `undefined` when it is refused. */
function reading(stream: Uint8Array, byteLength: number): Uint8Array | undefined {
  try {
    return decompressed(zlibReader, stream, byteLength, contextOf(5));
  } catch {
    return undefined;
  }
}

/** What zlib makes of deflate data, and how many bytes that took. */
function inflatedByZlib(deflated: Uint8Array): { content: Uint8Array; used: number } | undefined {
  try {
    const options: ZlibOptions = { maxOutputLength: 2 ** 20, info: true };
    const { buffer, engine } = inflateRawSync(deflated, options) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return { content: buffer, used: engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** Bits of a stream in the order of RFC 1951, 3.1.1; codes are written with their first bit first. */
class BitWriter {
  readonly #bits: number[] = [];

  number(value: number, count: number): this {
    for (let i = 0; i < count; i++) this.#bits.push((value >> i) & 1);
    return this;
  }

  code(...bits: number[]): this {
    this.#bits.push(...bits);
    return this;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, at) => {
      bytes[at >> 3] = (bytes[at >> 3] as number) | (bit << (at & 7));
    });
    return bytes;
  }
}

/** The order in which the code lengths of code lengths are stored (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The front of a last block with dynamic codes: how many codes it has, and the code lengths of the code lengths. */
function dynamicBlock(literals: number, distances: number, lengths: Readonly<Record<number, number>>): BitWriter {
  const writer = new BitWriter()
    .number(5, 3)
    .number(literals - 257, 5)
    .number(distances - 1, 5)
    .number(15, 4);
  for (const symbol of ORDER) writer.number(lengths[symbol] ?? 0, 3);
  return writer;
}

/** With these lengths the codes are: 0 for the length 0, 10 for 1, 110 for 2, 111 for zeros by 7 bits. */
const SHORT = { 0: 1, 1: 2, 2: 3, 18: 3 };

function zeros(writer: BitWriter, count: number): BitWriter {
  let left = count;
  for (; left >= 11; left -= Math.min(left, 138)) writer.code(1, 1, 1).number(Math.min(left, 138) - 11, 7);
  for (; left > 0; left--) writer.code(0);
  return writer;
}

/** A fixed code of 7 bits: the block's end is seven zeros, a length 256 + n is n with its highest bit first. */
function fixedLength(writer: BitWriter, symbol: number): BitWriter {
  const bits = symbol < 280 ? 7 : 8;
  const code = symbol < 280 ? symbol - 256 : symbol - 280 + 0xc0;
  for (let i = bits - 1; i >= 0; i--) writer.code((code >> i) & 1);
  return writer;
}

const fixedBlock = (): BitWriter => new BitWriter().number(3, 3);

const MALFORMED: readonly [string, Uint8Array, RegExp][] = [
  ["a cut header", Uint8Array.of(0x78), /offset 0: ends before its last byte/],
  ["a failing header check", Uint8Array.of(0x78, 0x9d, 3, 0, 0, 0, 0, 1), /offset 0: header check fails for 0x789d/],
  ["another method", Uint8Array.of(0x77, 0x85, 3, 0, 0, 0, 0, 1), /offset 0: header check fails for 0x7785/],
  ["a window past 32 KiB", Uint8Array.of(0x88, 0x1c, 3, 0, 0, 0, 0, 1), /offset 0: header check fails for 0x881c/],
  [
    "a preset dictionary",
    // Adler-32 of "Wikipedia", as that encyclopedia gives it.
    Uint8Array.from(deflateSync("text", { dictionary: Buffer.from("Wikipedia") })),
    /offset 0: needs a preset dictionary, the one with the id 0x11e60398/,
  ],
  ["the reserved block type", Uint8Array.of(...HEADER, 7), /offset 2: the block's type is invalid/],
  [
    "a stored block whose lengths disagree",
    Uint8Array.of(...HEADER, 1, 1, 0, 0xff, 0xff, 65),
    /offset 2: the stored block's length differs from its complement/,
  ],
  ["a cut stored block", Uint8Array.of(...HEADER, 1, 2, 0, 0xfd, 0xff, 65), /offset 2: ends before its last byte/],
  [
    "287 literals and lengths",
    Uint8Array.of(...HEADER, ...dynamicBlock(287, 1, SHORT).number(0, 32).bytes()),
    /codes for more symbols/,
  ],
  [
    "31 distances",
    Uint8Array.of(...HEADER, ...dynamicBlock(257, 31, SHORT).number(0, 32).bytes()),
    /codes for more symbols/,
  ],
  [
    "an incomplete code of code lengths",
    Uint8Array.of(...HEADER, ...dynamicBlock(257, 1, { 0: 1, 1: 2 }).number(0, 64).bytes()),
    /the code of the code lengths is invalid/,
  ],
  [
    "too many codes of code lengths",
    Uint8Array.of(...HEADER, ...dynamicBlock(257, 1, { 0: 1, 1: 1, 2: 1 }).number(0, 64).bytes()),
    /the code of the code lengths is invalid/,
  ],
  [
    "a repetition of nothing",
    Uint8Array.of(...HEADER, ...dynamicBlock(257, 1, { 0: 1, 16: 1 }).code(1).number(0, 64).bytes()),
    /the code lengths repeat none or are too many/,
  ],
  [
    "more code lengths than symbols",
    Uint8Array.of(
      ...HEADER,
      ...zeros(dynamicBlock(257, 1, SHORT), 276)
        .number(0, 64)
        .bytes(),
    ),
    /the code lengths repeat none or are too many/,
  ],
  [
    "no code for the block's end",
    Uint8Array.of(
      ...HEADER,
      ...zeros(dynamicBlock(257, 1, SHORT), 258)
        .number(0, 64)
        .bytes(),
    ),
    /the block has no code for its end/,
  ],
  [
    "an incomplete code of literals",
    // The symbols 255 and 256 have 2 bits.
    Uint8Array.of(
      ...HEADER,
      ...zeros(dynamicBlock(257, 1, SHORT), 255)
        .code(1, 1, 0, 1, 1, 0, 0)
        .number(0, 64)
        .bytes(),
    ),
    /the code of literals and lengths is invalid/,
  ],
  [
    "too many codes of distances",
    Uint8Array.of(
      ...HEADER,
      ...zeros(dynamicBlock(257, 3, SHORT), 255)
        .code(1, 0, 1, 0, 1, 0, 1, 0, 1, 0)
        .number(0, 64)
        .bytes(),
    ),
    /the code of distances is invalid/,
  ],
  [
    "a code that stands for no literal",
    // The only code is that of the end, 0.
    Uint8Array.of(
      ...HEADER,
      ...zeros(dynamicBlock(257, 1, SHORT), 256)
        .code(1, 0, 0)
        .code(1)
        .number(0, 64)
        .bytes(),
    ),
    /offset 2: the block uses a code that stands for no literal or length/,
  ],
  [
    "the length 286 of the fixed codes",
    Uint8Array.of(...HEADER, ...fixedLength(fixedBlock(), 286).number(0, 64).bytes()),
    /a code that stands for no literal or length/,
  ],
  [
    "the distance 30 of the fixed codes",
    Uint8Array.of(...HEADER, ...fixedLength(fixedBlock(), 257).code(1, 1, 1, 1, 0).number(0, 64).bytes()),
    /a code that stands for no distance/,
  ],
  [
    "a distance to before the first byte",
    Uint8Array.of(...HEADER, ...fixedLength(fixedBlock(), 257).code(0, 0, 0, 0, 0).number(0, 64).bytes()),
    /a match reaches back before the first byte/,
  ],
  ["a cut checksum", Uint8Array.from(deflateSync("")).subarray(0, -1), /offset 4: ends before its last byte/],
];

afterEach(() => vi.unstubAllGlobals());

describe("the kernels' inflate decoder", () => {
  it("gives what zlib compressed, at all sizes, levels, strategies and memory levels", () => {
    const strategies = [
      ...[constants.Z_DEFAULT_STRATEGY, constants.Z_FILTERED, constants.Z_HUFFMAN_ONLY],
      ...[constants.Z_RLE, constants.Z_FIXED],
    ];
    for (const byteLength of [0, 1, 15, 16, 31, 300, 5553, 32_769, 70_001, 300_000]) {
      for (const [name, source] of structuredInputs(byteLength)) {
        for (const strategy of strategies) {
          const level = (byteLength + strategy) % 10;
          const stream = new Uint8Array(deflateSync(source, { level, strategy, memLevel: 1 + (level % 9) }));
          const found = decompressed(zlibReader, stream, byteLength, contextOf(5));
          if (Buffer.compare(found, source) !== 0) expect.fail(`${name}, ${byteLength} bytes, level ${level}`);
        }
      }
    }
  });

  it("makes of damaged deflate data what zlib makes of it, if it reads it at all", () => {
    const sources = structuredInputs(3000).map(([, source]) => source);
    const deflated = sources.flatMap((source) => [
      new Uint8Array(deflateRawSync(source)),
      new Uint8Array(deflateRawSync(source, { strategy: constants.Z_FIXED })),
      new Uint8Array(deflateRawSync(source, { memLevel: 1, strategy: constants.Z_HUFFMAN_ONLY })),
    ]);
    const edits = fc.array(fc.tuple(fc.nat(5999), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 2 });
    let sound = 0;
    fc.assert(
      fc.property(fc.nat(deflated.length - 1), edits, (which, changes) => {
        const damaged = (deflated[which] as Uint8Array).slice();
        for (const [at, flip] of changes) damaged[at % damaged.byteLength] ^= flip;
        const expected = inflatedByZlib(damaged);
        if (expected === undefined) expect(reading(streamOf(damaged, new Uint8Array(0)), 3000)).toBeUndefined();
        else {
          sound += 1;
          const { content, used } = expected;
          const found = reading(streamOf(damaged.subarray(0, used), content), content.byteLength);
          expect(found !== undefined && Buffer.compare(found, content) === 0).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
    expect(sound).toBeGreaterThan(100);
  });

  it("reads codes of one symbol, and blocks without distances", () => {
    // Symbol 256 has one bit; the one distance none, and then one.
    for (const distance of [[0], [1, 0]]) {
      const block = zeros(dynamicBlock(257, 1, SHORT), 256)
        .code(1, 0, ...distance)
        .code(0);
      expect(reading(streamOf(block.bytes(), new Uint8Array(0)), 0)).toEqual(new Uint8Array(0));
    }
  });

  it.each(MALFORMED)("names %s, and where it is", (_name, stream, message) => {
    expect(() => zlibReader.decompress(stream, new Uint8Array(3), contextOf(5))).toThrowError(message);
  });

  it("compares the checksum", () => {
    const stream = Uint8Array.from(deflateSync("Wikipedia"));
    for (let byte = 1; byte <= 4; byte++) {
      const wrong = stream.slice();
      wrong[wrong.byteLength - byte] ^= 1;
      expect(() => zlibReader.decompress(wrong, new Uint8Array(9), contextOf(5))).toThrowError(
        /^zlib stream at offset \d+: Adler-32 checksum differs from the data's/,
      );
    }
  });

  it("is done without where WebAssembly is missing or forbidden, or refused by name where there is only the decoder", async () => {
    vi.resetModules();
    vi.stubGlobal("WebAssembly", undefined);
    const { zlibCodec: codec } = await import("../../src/codec/zlib-codec.js");
    const [, source] = structuredInputs(3000)[4] as [string, Uint8Array];
    const stream = new Uint8Array(deflateSync(source));
    expect(Buffer.compare(decompressed(codec, stream, 3000, contextOf(5)), source)).toBe(0);
    const { zlibReader: reader } = await import("../../src/codec/zlib-reader.js");
    expect(() => reader.decompress(stream, new Uint8Array(3000), contextOf(5))).toThrowError(
      /^zlib: its WebAssembly module can't be compiled here .*; zlibCodec of @b2frame\/core does without/,
    );
  });
});
