/** The codecs of every origin that this process has, through the suite that all codecs pass; and that all of them read what any wrote. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runCodecSuite } from "../../core/test/codec/codec-suite.js";
import { CODEC_ORIGINS, codecFrom, codecLibraries } from "../src/codec-origins.js";

const NAMES = ["zlib", "zstd"] as const;
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const exportsZstd = major > 22 || (major === 22 && minor >= 15);

const available = NAMES.flatMap((name) =>
  CODEC_ORIGINS.flatMap((origin) => {
    const codec = codecFrom(name, origin);
    return codec === undefined ? [] : [{ name, origin, codec }];
  }),
);

for (const { name, origin, codec } of available) {
  runCodecSuite({ name: `${name} of ${origin}`, codec: () => codec, checksummed: name === "zlib" });
}

describe("origins", () => {
  it("are those that this Node has", () => {
    const origins = (wanted: string): string[] =>
      available.filter(({ name }) => name === wanted).map(({ origin }) => origin);
    expect(origins("zlib")).toEqual(expect.arrayContaining(["program", "node", "portable"]));
    expect(origins("zstd")).toContain("portable");
    expect(origins("zstd").includes("program")).toBe(exportsZstd);
  });

  it("are told, with the reasons against those that are passed over", () => {
    const [zlib, zstd] = codecLibraries();
    expect(zlib).toMatchObject({ codec: "zlib", origin: "program", passedOver: [] });
    expect(zlib?.library).toMatch(/^zlib 1\.\d+.* of the running program$/);
    expect(zstd?.origin === "program").toBe(exportsZstd);
    for (const { reason } of zstd?.passedOver ?? []) expect(reason).not.toBe("");
  });

  it.each(NAMES)("of %s all read what any of them wrote", (name) => {
    const codecs = available.filter((entry) => entry.name === name).map(({ codec }) => codec);
    const content = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 3000 }),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 300 }))
        .map(([unit, times]) => {
          const bytes = new Uint8Array(unit.length * times);
          for (let i = 0; i < times; i++) bytes.set(unit, i * unit.length);
          return bytes;
        }),
    );
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 9 }), fc.boolean(), (bytes, clevel, withDictionary) => {
        const dictionary = withDictionary && name === "zstd" ? bytes.slice(0, 500) : undefined;
        const context = { clevel, typesize: 1, meta: 0, dictionary, geometry: undefined };
        for (const from of codecs) {
          const stream = new Uint8Array(bytes.byteLength + 200);
          const written = from.compress?.(bytes, stream, context) ?? 0;
          expect(written).toBeGreaterThan(0);
          for (const to of codecs) {
            const back = new Uint8Array(bytes.byteLength);
            to.decompress(stream.subarray(0, written), back, context);
            expect(Buffer.compare(back, bytes)).toBe(0);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
