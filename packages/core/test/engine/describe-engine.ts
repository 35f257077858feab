/** What every engine must do: decode what C-Blosc2 wrote, give back what it encoded, refuse what is malformed. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/block/engine.js";
import { Chunk } from "../../src/chunk/chunk.js";
import { type ChunkEnvironment, defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { compressVlBlocks } from "../../src/chunk/compress-vl-blocks.js";
import type { CParams, SplitMode } from "../../src/chunk/cparams.js";
import { type CodecRegistry, defaultCodecs } from "../../src/codec/codec-registry.js";
import { isBlosc2Error } from "../../src/errors.js";
import { defaultFilters, type FilterRegistry } from "../../src/filter/filter-registry.js";
import type { FilterSpec } from "../../src/filter/filter-slots.js";
import { loadZstd } from "../../src/zstd.js";
import { CHUNK_FIXTURES, type ChunkFixture, fixtureBytes, sha256 } from "../chunk/chunk-fixtures.js";
import { expectBytes } from "../chunk/expect-bytes.js";
import { DATA_KINDS, sampleData } from "../chunk/sample-data.js";

const CODECS: readonly string[] = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];
const PIPELINES: readonly (readonly FilterSpec[])[] = [
  [],
  ["shuffle"],
  ["bitshuffle"],
  ["delta"],
  ["delta", "shuffle"],
  ["shuffle", "delta"],
  [{ filter: "shuffle" }, { filter: "bytedelta", meta: 3 }],
  ["shuffle", "bitshuffle", "delta", "shuffle"],
  ["delta", "shuffle", "bitshuffle", "delta", "shuffle", "bitshuffle"],
];
const SPLIT_MODES: readonly SplitMode[] = ["always", "never", "auto", "forward_compat"];

const arbitraryParams: fc.Arbitrary<Partial<CParams> & { typesize: number }> = fc.record({
  codec: fc.constantFrom(...CODECS),
  clevel: fc.integer({ min: 0, max: 9 }),
  typesize: fc.constantFrom(1, 2, 3, 4, 7, 8, 16, 17, 131, 255, 256, 300),
  filters: fc.constantFrom(...PIPELINES),
  blocksize: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6000 })),
  splitmode: fc.constantFrom(...SPLIT_MODES),
});
const arbitraryLength = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 41, max: 20_000 }));

/** Decodes; undefined when it is refused with one of b2frame's own errors. */
function decodeOrRefuse(bytes: Uint8Array, environment: ChunkEnvironment): Uint8Array | undefined {
  try {
    return Chunk.open(chunkFromBytes(bytes), environment).decompress();
  } catch (error) {
    if (isBlosc2Error(error)) return undefined;
    throw error;
  }
}

/**
 * Runs the suite for one engine.
 *
 * @param makeEngine gets registries that hold zstd as well.
 */
export function describeEngine(
  name: string,
  makeEngine: (codecs: CodecRegistry, filters: FilterRegistry) => Engine,
): void {
  describe(`engine ${name}`, () => {
    let environment: ChunkEnvironment;

    beforeAll(async () => {
      const codecs = defaultCodecs.clone();
      codecs.register(await loadZstd(), { allowReserved: true, replace: true });
      environment = defaultEnvironment({ engine: makeEngine(codecs, defaultFilters), codecs, filters: defaultFilters });
    });

    const open = (bytes: Uint8Array): Chunk => Chunk.open(chunkFromBytes(bytes), environment);
    const ofKind = (kind: ChunkFixture["kind"]): readonly ChunkFixture[] =>
      CHUNK_FIXTURES.filter((each) => each.kind === kind);

    describe("decodes what C-Blosc2 wrote", () => {
      it.each(ofKind("chunk").map((each) => [each.id, each] as const))("%s", (_, fixture) => {
        const bytes = fixtureBytes(fixture);
        const chunk = open(bytes);
        const decoded = chunk.decompress();
        expect(decoded.byteLength).toBe(fixture.nbytes);
        if (fixture.uninit !== true) {
          expect(sha256(decoded.subarray(0, decoded.byteLength - (fixture.undefined_tail ?? 0)))).toBe(fixture.sha256);
        }
        for (const { start, nitems, sha256: expected } of fixture.getitem ?? []) {
          expect(sha256(chunk.readItems(start, nitems))).toBe(expected);
        }
        if (fixture.vlblocks !== undefined) {
          const blocks = chunk.vlBlocks().map((block) => ({ nbytes: block.byteLength, sha256: sha256(block) }));
          expect(blocks).toEqual(fixture.vlblocks);
        }
        expectBytes(bytes, fixtureBytes(fixture));
      });
    });

    it.each(ofKind("chunk-c-unreadable").map((each) => [each.id, each] as const))(
      "recovers what C-Blosc2 wrote and can't read: %s",
      (_, fixture) => {
        expect(sha256(open(fixtureBytes(fixture)).decompress())).toBe(fixture.sha256);
      },
    );

    it.each(ofKind("malformed-chunk").map((each) => [each.id, each] as const))(
      "treats as it should: %s",
      (_, fixture) => {
        const decoded = decodeOrRefuse(fixtureBytes(fixture), environment);
        if (fixture.expect === "accept") expect(decoded).toBeDefined();
        if (fixture.expect === "reject") expect(decoded).toBeUndefined();
        if (decoded !== undefined && fixture.expect !== "reject-preferred")
          expect(sha256(decoded)).toBe(fixture.sha256);
      },
    );

    it("gives back what it compressed, in any part, and leaves the input alone", () => {
      fc.assert(
        fc.property(
          arbitraryParams,
          arbitraryLength,
          fc.constantFrom(...DATA_KINDS),
          fc.integer({ min: 0, max: 1000 }),
          fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
          (params, length, kind, seed, [a, b]) => {
            const data = sampleData(kind, length, params.typesize, seed);
            const input = data.slice();
            const compressed = compressChunk(input, params, environment);
            expectBytes(input, data);
            expect(compressed.byteLength).toBeLessThanOrEqual(length + 32);
            const chunk = open(compressed);
            expect(chunk.cbytes).toBe(compressed.byteLength);
            const from = Math.floor(Math.min(a, b) * length);
            const to = Math.ceil(Math.max(a, b) * length);
            const part = new Uint8Array(to - from + 2).fill(0xa5);
            chunk.readBytes(from, to, part, 1);
            expectBytes(part.subarray(1, -1), data.subarray(from, to));
            expect([part[0], part[part.byteLength - 1]]).toEqual([0xa5, 0xa5]);
            expectBytes(chunk.decompress(), data);
          },
        ),
        { numRuns: 250 },
      );
    });

    it("gives back variable-length blocks", () => {
      fc.assert(
        fc.property(
          arbitraryParams,
          fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 12 }),
          fc.constantFrom(...DATA_KINDS),
          (params, lengths, kind) => {
            const blocks = lengths.map((length, i) => sampleData(kind, length, params.typesize, i));
            const chunk = open(compressVlBlocks(blocks, params, environment));
            expect(chunk.vlBlocks()).toEqual(blocks);
            expect(chunk.nblocks).toBe(blocks.length);
            const last = new Uint8Array(lengths.at(-1) as number);
            chunk.readBlockInto(blocks.length - 1, last);
            expect(last).toEqual(blocks.at(-1));
          },
        ),
        { numRuns: 100 },
      );
    });

    it.each(["zstd", "lz4", "lz4hc"])("uses dictionaries: %s", (codec) => {
      const text = Array.from({ length: 3000 }, (_, i) => `line ${i % 97} of the ledger, amount ${(i * 7919) % 1000};`);
      const data = new TextEncoder().encode(text.join("\n"));
      const params = { codec, typesize: 1, filters: [], blocksize: 2048 };
      const compressed = compressChunk(data, { ...params, useDict: true }, environment);
      const chunk = open(compressed);
      expect(chunk.header.dictionary).toBe(true);
      expect(compressed.byteLength).toBeLessThan(data.byteLength / 2);
      expectBytes(chunk.decompress(), data);
      expect(chunk.readItems(70_001, 33)).toEqual(data.subarray(70_001, 70_034));
      const pieces = [data.subarray(0, 5000), data.subarray(5000, 9001), data.subarray(9001, 20_000)];
      expect(open(compressVlBlocks(pieces, { ...params, useDict: true }, environment)).vlBlocks()).toEqual(pieces);
    });

    const small = CHUNK_FIXTURES.filter((each) => each.kind === "chunk" && each.length <= 150 && each.length > 36);
    const mutated = ["blosclz", "lz4", "lz4hc", "zlib", "zstd", "vlblocks", "runs", "special"].flatMap((word) =>
      small.filter((each) => each.id.includes(word)).slice(0, 1),
    );

    it.each(mutated.map((each) => [each.id, each] as const))(
      "survives any changed byte and any cut: %s",
      (_, fixture) => {
        const bytes = fixtureBytes(fixture);
        const limited = { ...environment, limits: { ...environment.limits, maxChunkBytes: 1 << 20 } };
        for (let at = 0; at < bytes.byteLength; at++) {
          const original = bytes[at] as number;
          for (const value of [
            original ^ 1,
            original ^ 0x80,
            0,
            0xff,
            (original + 1) & 0xff,
            (original * 3 + 7) & 0xff,
          ]) {
            bytes[at] = value;
            const decoded = decodeOrRefuse(bytes, limited);
            if (decoded !== undefined) expect(decoded.byteLength).toBeLessThanOrEqual(1 << 20);
          }
          bytes[at] = original;
          expect(decodeOrRefuse(bytes.subarray(0, at), limited)).toBeUndefined();
        }
        expect(decodeOrRefuse(bytes, limited)).toBeDefined();
      },
    );
  });
}
