import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import { defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import type { CParams } from "../../src/chunk/cparams.js";
import { defaultCodecs } from "../../src/codec/codec-registry.js";
import { KernelsEngine } from "../../src/engine/kernels-engine.js";
import { PortableEngine } from "../../src/engine/portable-engine.js";
import { isBlosc2Error } from "../../src/errors.js";
import { defaultFilters } from "../../src/filter/filter-registry.js";
import type { FilterSpec } from "../../src/filter/filter-slots.js";
import { expectBytes } from "../chunk/expect-bytes.js";
import { DATA_KINDS, sampleData } from "../chunk/sample-data.js";

const limits = { maxChunkBytes: 1 << 20 };
const kernels = defaultEnvironment({ engine: new KernelsEngine(defaultCodecs, defaultFilters), limits });
const portable = defaultEnvironment({ engine: new PortableEngine(defaultCodecs, defaultFilters), limits });

const arbitraryParams: fc.Arbitrary<Partial<CParams> & { typesize: number }> = fc.record({
  codec: fc.constantFrom("blosclz", "lz4", "lz4hc", "zlib"),
  clevel: fc.integer({ min: 1, max: 9 }),
  typesize: fc.constantFrom(1, 2, 3, 4, 8, 16, 31),
  filters: fc.array(fc.constantFrom<FilterSpec[]>("shuffle", "bitshuffle", "delta", { filter: "bytedelta", meta: 2 }), {
    maxLength: 4,
  }),
  blocksize: fc.integer({ min: 0, max: 3000 }),
  splitmode: fc.constantFrom("always", "never", "auto"),
});

/** The content, or of it the part that `a` and `b` make, or the code of the error. */
function outcome(
  bytes: Uint8Array,
  environment: typeof kernels,
  part?: readonly [number, number],
): Uint8Array | string {
  try {
    const chunk = Chunk.open(chunkFromBytes(bytes), environment);
    if (part === undefined) return chunk.decompress();
    const from = Math.min(...part) % (chunk.nbytes + 1);
    const to = from + (Math.max(...part) % (chunk.nbytes - from + 1));
    const target = new Uint8Array(to - from);
    chunk.readBytes(from, to, target);
    return target;
  } catch (error) {
    if (!isBlosc2Error(error)) throw error;
    return error.code;
  }
}

describe("the two engines", () => {
  it("read each other's chunks", () => {
    fc.assert(
      fc.property(
        arbitraryParams,
        fc.integer({ min: 0, max: 12_000 }),
        fc.constantFrom(...DATA_KINDS),
        fc.integer({ min: 0, max: 1000 }),
        (params, length, kind, seed) => {
          const data = sampleData(kind, length, params.typesize, seed);
          for (const [writer, reader] of [
            [kernels, portable],
            [portable, kernels],
          ] as const) {
            const bytes = compressChunk(data, params, writer);
            expectBytes(Chunk.open(chunkFromBytes(bytes), reader).decompress(), data);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("filter alike", () => {
    fc.assert(
      fc.property(
        arbitraryParams,
        fc.integer({ min: 100, max: 3000 }),
        fc.constantFrom(...DATA_KINDS),
        (params, length, kind) => {
          // Level 1 of zlib is the same code in both engines, so equal chunks mean equal filtered blocks.
          const data = sampleData(kind, length, params.typesize, length);
          const same = { ...params, codec: "zlib", clevel: 1 };
          expectBytes(compressChunk(data, same, kernels), compressChunk(data, same, portable));
        },
      ),
      { numRuns: 150 },
    );
  });

  it("read streams that need no codec, whatever codec the chunk names", () => {
    // Half of it is one repeated byte, half is stored.
    const data = Uint8Array.from({ length: 1024 }, (_, i) => (i < 512 ? 7 : Math.imul(i, 0x9e3779b1) >>> 24));
    const bytes = compressChunk(data, { typesize: 1, filters: [], blocksize: 512, codec: "lz4" }, kernels);
    bytes[2] = ((bytes[2] as number) & 0x1f) | (5 << 5);
    expect(outcome(bytes, portable)).toEqual(data);
    expect(outcome(bytes, kernels)).toEqual(data);
  });

  it("agree on what is malformed, and how", () => {
    fc.assert(
      fc.property(
        arbitraryParams,
        fc.integer({ min: 40, max: 3000 }),
        fc.constantFrom(...DATA_KINDS),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
        fc.tuple(fc.nat(), fc.nat()),
        (params, length, kind, edits, part) => {
          const bytes = compressChunk(sampleData(kind, length, params.typesize, length), params, kernels);
          for (const [at, value] of edits) bytes[at % bytes.byteLength] = value;
          const whole = outcome(bytes, portable);
          const found = outcome(bytes, kernels);
          if (typeof whole === "string" || typeof found === "string") expect(found).toBe(whole);
          else expectBytes(found, whole);
          // A part may be read where the whole can't; where the whole can, parts are the same.
          if (typeof whole !== "string") {
            expect(outcome(bytes, kernels, part)).toEqual(outcome(bytes, portable, part));
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
