import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CodecContext } from "../../src/codec/codec.js";
import { CodecRegistry, defaultCodecs } from "../../src/codec/codec-registry.js";
import { isBlosc2Error } from "../../src/errors.js";
import { ndlzCodec, registerPlugins, zfpAccuracyCodec, zfpPrecisionCodec, zfpRateCodec } from "../../src/plugins.js";

interface StreamFixture {
  readonly codec: string;
  readonly id: number;
  readonly meta: number;
  readonly dtype: string;
  readonly typesize: number;
  readonly blocks: readonly number[];
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
}

const folder = new URL("../../../../fixtures/plugin-codecs/", import.meta.url);
const { streams }: { streams: StreamFixture[] } = JSON.parse(readFileSync(new URL("streams.json", folder), "utf8"));
const blob = new Uint8Array(readFileSync(new URL("streams.bin", folder)));
const codecs = new CodecRegistry();
registerPlugins(codecs);

function itemCount(blockShape: readonly number[]): number {
  return blockShape.reduce((product, side) => product * side, 1);
}

function contextOf(
  fields: { meta?: number; typesize?: number; blocks?: readonly number[] | undefined } = {},
): CodecContext {
  const { blocks: blockShape } = fields;
  const geometry = blockShape && { shape: blockShape, chunks: blockShape, blocks: blockShape };
  return { clevel: 5, typesize: fields.typesize ?? 4, meta: fields.meta ?? 4, dictionary: undefined, geometry };
}

function decompress(fixture: StreamFixture, stream: Uint8Array): Uint8Array {
  const target = new Uint8Array(itemCount(fixture.blocks) * fixture.typesize).fill(0xa5);
  codecs.byId(fixture.id).decompress(stream, target, contextOf(fixture));
  return target;
}

function streamOf({ offset, length }: StreamFixture): Uint8Array {
  return blob.slice(offset, offset + length);
}

describe("streams of C-Blosc2's plugin codecs", () => {
  it.each(streams)("$codec meta $meta, $dtype $blocks", (fixture) => {
    const decoded = decompress(fixture, streamOf(fixture));
    expect(createHash("sha256").update(decoded).digest("hex")).toBe(fixture.sha256);
  });

  it("cover every mode in every number of dimensions and both types", () => {
    const seen = new Set(
      streams.map(({ codec, blocks: blockShape, dtype }) => `${codec} ${blockShape.length} ${dtype}`),
    );
    for (const codec of ["zfp_acc", "zfp_prec", "zfp_rate"]) {
      for (const ndim of [1, 2, 3, 4]) {
        for (const dtype of ["f4", "f8"]) expect(seen).toContain(`${codec} ${ndim} ${dtype}`);
      }
    }
  });
});

describe("malformed streams", () => {
  const some = streams.filter((_, i) => i % 5 === 0);

  it.each(some)("$codec $blocks refuses every truncation", (fixture) => {
    const stream = streamOf(fixture);
    // zfp pads its last word, so only a cut of more than that must be noticed.
    for (let length = 0; length < stream.byteLength - 8; length += 3) {
      const cut = () => decompress(fixture, stream.subarray(0, length));
      expect(cut).toThrow(expect.objectContaining({ code: "BLOSC2_CODEC_DECOMPRESS" }));
    }
  });

  it("give an error or some bytes, whatever they hold", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...streams),
        fc.uint8Array({ maxLength: 200 }),
        fc.boolean(),
        (fixture, noise, keep) => {
          const stream = keep ? streamOf(fixture) : noise;
          if (keep) for (const byte of noise) stream[(byte * 131) % stream.byteLength] ^= byte;
          try {
            decompress(fixture, stream);
          } catch (error) {
            expect(isBlosc2Error(error, "BLOSC2_CODEC_DECOMPRESS")).toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("ndlz", () => {
  const context = contextOf({ meta: 4, typesize: 1 });
  const header = [2, 4, 0, 0, 0, 4, 0, 0, 0];
  const literal = [0, ...Array.from({ length: 16 }, (_, i) => i)];

  function decode(bytes: readonly number[], byteLength = 16, meta = 4): number[] {
    const target = new Uint8Array(byteLength);
    ndlzCodec.decompress(Uint8Array.from(bytes), target, { ...context, meta });
    return [...target];
  }

  it("reads a literal cell and one of equal items", () => {
    expect(decode([...header, ...literal])).toEqual(literal.slice(1));
    expect(decode([...header, 0x40, 7])).toEqual(Array(16).fill(7));
  });

  it.each<[string, number[], number?, number?]>([
    ["a header cut short", header.slice(0, 8)],
    ["three dimensions", [3, ...header.slice(1), ...literal]],
    ["a negative side", [2, 255, 255, 255, 255, 255, 255, 255, 255, ...literal]],
    ["another block size", [...header, ...literal], 12],
    ["bytes after the last cell", [...header, ...literal, 0]],
    ["a distance of 0", [...header, 0xc0, 0, 0]],
    ["a distance past the start", [...header, 0xc0, 10, 0]],
    ["a distance into the header", [2, 4, 0, 0, 0, 8, 0, 0, 0, ...literal, 0xc0, 18, 0], 32],
    ["an unknown token", [...header, 0x81, 0, 0]],
    ["rows of a cell that is cut", [2, 4, 0, 0, 0, 7, 0, 0, 0, ...literal, 0xe0, 16, 0, 1, 2, 3, 4], 28],
    ["a triple that leaves the cell", [2, 8, 0, 0, 0, 8, 0, 0, 0, 0xae, 0, 0], 64, 8],
    ["a cell size of 5", [...header, ...literal], 16, 5],
  ])("refuses %s", (_, bytes, byteLength, meta) => {
    expect(() => decode(bytes, byteLength, meta)).toThrow(expect.objectContaining({ code: "BLOSC2_CODEC_DECOMPRESS" }));
  });
});

describe("zfp", () => {
  it.each([
    { why: "no array", context: contextOf({ blocks: undefined }), bytes: 64 },
    { why: "five dimensions", context: contextOf({ blocks: [1, 1, 1, 4, 4] }), bytes: 64 },
    { why: "items of 2 bytes", context: contextOf({ blocks: [4, 4], typesize: 2 }), bytes: 32 },
    { why: "another block size", context: contextOf({ blocks: [4, 4] }), bytes: 60 },
    { why: "a side of 0", context: contextOf({ blocks: [4, 0] }), bytes: 0 },
  ])("refuses $why", ({ context, bytes }) => {
    for (const codec of [zfpAccuracyCodec, zfpPrecisionCodec, zfpRateCodec]) {
      expect(() => codec.decompress(new Uint8Array(100), new Uint8Array(bytes), context)).toThrow(
        expect.objectContaining({ code: "BLOSC2_CODEC_DECOMPRESS" }),
      );
    }
  });

  it("reads a cell of zeros from one bit", () => {
    const target = new Uint8Array(64).fill(1);
    zfpPrecisionCodec.decompress(Uint8Array.of(0), target, contextOf({ blocks: [4, 4] }));
    expect(target.every((byte) => byte === 0)).toBe(true);
  });
});

describe("registerPlugins", () => {
  it("adds four codecs that only read, and may be called twice", () => {
    registerPlugins(codecs);
    for (const [id, name] of [
      [32, "ndlz"],
      [33, "zfp_acc"],
      [34, "zfp_prec"],
      [35, "zfp_rate"],
    ] as const) {
      expect(codecs.byId(id).name).toBe(name);
      expect(codecs.byId(id).compress).toBeUndefined();
    }
  });

  it("leaves the default registry alone unless it is meant", () => {
    expect(defaultCodecs.has(32)).toBe(false);
  });
});
