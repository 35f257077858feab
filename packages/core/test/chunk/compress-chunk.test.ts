import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import { defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { decodeChunkHeader } from "../../src/chunk/chunk-header.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk, compressLent } from "../../src/chunk/compress-chunk.js";
import { resolveCParams } from "../../src/chunk/cparams.js";
import { defaultCodecs } from "../../src/codec/codec-registry.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { expectBytes } from "./expect-bytes.js";

/** Content that compresses, or not, or is a stored chunk for being short. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  fc
    .record({ value: fc.nat(255), length: fc.nat(200_000) })
    .map(({ value, length }) => new Uint8Array(length).fill(value)),
  fc.nat(50_000).map((length) => Uint8Array.from({ length }, (_, i) => (i * i) >> 7)),
);
const nowhere = { structure: "new chunk", position: 0 };
const params = fc.record({
  codec: fc.constantFrom("lz4", "lz4hc", "blosclz", "zlib"),
  clevel: fc.nat(9),
  typesize: fc.constantFrom(1, 4, 8),
  filters: fc.constantFrom([], ["shuffle"], ["bitshuffle"], ["delta", "shuffle"]),
  blocksize: fc.constantFrom(0, 512, 4096),
});

describe.each(["kernels", "portable"] as const)("compressing with the %s engine", (engine) => {
  const environment = defaultEnvironment({ engine });

  it("gives the same bytes lent as not, with what is in the header, whatever was compressed before", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(content, params), { minLength: 1, maxLength: 4 }), (all) => {
        const chunks = all.map(([bytes, given]) => {
          const made = compressLent(bytes, given, environment);
          const borrowed = made.bytes.slice();
          const { typesize, nbytes, cbytes, vlBlocks, special } = decodeChunkHeader(borrowed, nowhere);
          expect(made.header).toMatchObject({ typesize, nbytes, cbytes, vlBlocks, special });
          made.end();
          const own = compressChunk(bytes, given, environment);
          expectBytes(own, borrowed);
          expect(own.buffer.byteLength).toBe(own.byteLength);
          return own;
        });
        // The chunks are still what they were, though the engine has been used since.
        chunks.forEach((chunk, i) => {
          expectBytes(Chunk.open(chunkFromBytes(chunk), environment).decompress(), all[i]?.[0] as Uint8Array);
        });
      }),
      { numRuns: 60 },
    );
  });

  it("stores what it was given, also where an insertion writes other chunks first", () => {
    using s = SChunk.create({ engine, typesize: 4, chunksize: 4000, cparams: { codec: "lz4" } });
    s.fillSpecial(3000, "zeros");
    const odd = Int32Array.from({ length: 77 }, (_, i) => i * 3);
    s.insertData(1, odd);
    expect(new Int32Array(s.decompressChunk(1).slice().buffer)).toEqual(odd);
    expect([...s.iterChunks()].map((chunk) => chunk.byteLength)).toEqual([4000, 308, 4000, 4000]);
  });

  it("takes up a codec that replaces another between two chunks with the same parameters", () => {
    const codecs = defaultCodecs.clone();
    const codec = {
      id: 200,
      name: "first",
      formatCode: 6,
      dictionaries: false,
      compress: () => 0,
      decompress: (source: Uint8Array, target: Uint8Array) => target.set(source.subarray(0, target.byteLength)),
    };
    const used: string[] = [];
    const named = (name: string) => ({
      ...codec,
      compress: () => {
        used.push(name);
        return 0;
      },
    });
    codecs.register(named("first"), { probe: false });
    const own = defaultEnvironment({ engine, codecs });
    const resolved = resolveCParams({ codec: 200, typesize: 1, filters: [] }, codecs, own.filters);
    const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i * 7);
    compressChunk(bytes, resolved, own);
    codecs.register(named("second"), { probe: false, replace: true });
    compressChunk(bytes, resolved, own);
    expect(new Set(used)).toEqual(new Set(["first", "second"]));
  });
});
