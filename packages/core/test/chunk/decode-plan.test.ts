import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import { type ChunkEnvironment, defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import { defaultCodecs } from "../../src/codec/codec-registry.js";
import { isBlosc2Error } from "../../src/errors.js";
import { memory, SChunk } from "../../src/index.js";
import { expectBytes } from "./expect-bytes.js";
import { sampleData } from "./sample-data.js";

const engines = ["portable", "kernels"] as const;

describe.each(engines)("chunks that share what is worked out from their headers, %s", (engine) => {
  const data = sampleData("walk", 32_000, 4);

  it("name their own place in errors", () => {
    const backend = memory();
    const frame = SChunk.create({
      urlpath: "a",
      io: backend,
      chunksize: 8000,
      typesize: 4,
      cparams: { codec: "lz4", splitmode: "never" },
    });
    for (let i = 0; i < 4; i++) frame.appendData(data.subarray(i * 8000, (i + 1) * 8000));
    const { headerLength, offsets } = frame.placement as { headerLength: number; offsets: Float64Array };
    frame.close();
    const handle = backend.open("a", "r+");
    // The length of the first stream of chunks 1 and 2: more than the chunk has. The starts are 4 bytes, behind 32 of the header.
    for (const i of [1, 2]) {
      handle.write(headerLength + (offsets[i] as number) + 36, Uint8Array.of(0xff, 0xff, 0xff, 0x7f));
    }
    handle.close();
    const damaged = SChunk.open("a", backend, { engine });
    const places = [0, 1, 2, 3, 2, 1].map((i) => {
      try {
        damaged.decompressChunk(i);
      } catch (error) {
        return isBlosc2Error(error) ? [error.details.structure, error.details.position] : error;
      }
      return "fine";
    });
    // The stream that is cut stands behind its length.
    const place = (i: number): unknown => [`chunk ${i}, block 0`, headerLength + (offsets[i] as number) + 40];
    expect(places).toEqual(["fine", place(1), place(2), "fine", place(2), place(1)]);
  });

  it("see a codec that was registered since", () => {
    const codecs = defaultCodecs.clone();
    const environment: ChunkEnvironment = defaultEnvironment({ engine, codecs });
    const countUp = (mask: number) => ({
      id: 200,
      name: "count-up",
      formatCode: 6,
      dictionaries: false,
      compress: (_source: Uint8Array, target: Uint8Array): number => {
        target[0] = 0;
        return 1;
      },
      decompress: (_source: Uint8Array, target: Uint8Array): void => {
        for (let i = 0; i < target.byteLength; i++) target[i] = (i & 0xff) ^ mask;
      },
    });
    codecs.register(countUp(0), { probe: false });
    const content = Uint8Array.from({ length: 1000 }, (_, i) => i & 0xff);
    const chunk = compressChunk(content, { codec: 200, typesize: 1, filters: [] }, environment);
    expectBytes(Chunk.open(chunkFromBytes(chunk), environment).decompress(), content);
    codecs.register(countUp(0x55), { replace: true, probe: false });
    expectBytes(
      Chunk.open(chunkFromBytes(chunk), environment).decompress(),
      content.map((byte) => byte ^ 0x55),
    );
  });

  it("property: are read right in any order, together with chunks of other headers", () => {
    const environment = defaultEnvironment({ engine });
    const variants = [
      { codec: "lz4", typesize: 4, blocksize: 4000 },
      { codec: "blosclz", typesize: 4, blocksize: 4000 },
      { codec: "lz4", typesize: 8, blocksize: 4000 },
      { codec: "lz4", typesize: 4, blocksize: 2000 },
      { codec: "lz4", typesize: 4, blocksize: 4000, filters: [1, 3] },
      { codec: "lz4", typesize: 4, blocksize: 4000, splitmode: "never" as const },
    ];
    const contents = variants.map((_, i) => data.subarray(i * 4000, i * 4000 + 8000));
    const compressed = variants.map((cparams, i) => compressChunk(contents[i] as Uint8Array, cparams, environment));
    const open = compressed.map((bytes) => Chunk.open(chunkFromBytes(bytes), environment));
    const step = fc.record({ chunk: fc.nat(5), anew: fc.boolean(), start: fc.nat(7999), length: fc.nat(8000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        for (const { chunk, anew, start, length } of steps) {
          if (anew) open[chunk] = Chunk.open(chunkFromBytes(compressed[chunk] as Uint8Array), environment);
          const stop = Math.min(8000, start + length);
          const target = new Uint8Array(stop - start);
          (open[chunk] as Chunk).readBytes(start, stop, target);
          expectBytes(target, (contents[chunk] as Uint8Array).subarray(start, stop));
        }
      }),
      { numRuns: 50 },
    );
  });
});
