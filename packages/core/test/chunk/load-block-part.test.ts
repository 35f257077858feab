import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import { defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import type { ChunkSource } from "../../src/chunk/chunk-source.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import type { EngineName } from "../../src/engine/make-engine.js";
import { isBlosc2Error } from "../../src/errors.js";
import { expectBytes } from "./expect-bytes.js";

/** A chunk's bytes that counts how many of them are read. */
class CountingSource implements ChunkSource {
  readonly location = { structure: "chunk", position: 0 };
  readonly #bytes: Uint8Array;
  bytesRead = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  read(offset: number, length: number): Uint8Array {
    this.bytesRead += length;
    return this.#bytes.slice(offset, offset + length);
  }

  readInto(offset: number, target: Uint8Array): void {
    target.set(this.read(offset, target.byteLength));
  }
}

/** Items whose low bytes are noise (stored raw), whose middle bytes compress, and whose high bytes are runs. */
function noisyItems(typesize: number, itemCount: number): Uint8Array {
  const bytes = new Uint8Array(typesize * itemCount);
  let state = 1;
  for (let i = 0; i < itemCount; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    for (let j = 0; j < typesize; j++) {
      bytes[i * typesize + j] =
        j < typesize / 2 ? (state >>> (8 + 5 * (j % 4))) & 0xff : j === typesize - 1 ? 0 : i >> 6;
    }
  }
  return bytes;
}

const ENGINES: readonly EngineName[] = ["kernels", "portable"];

describe.each(ENGINES)("a few items of a large block, engine %s", (engine) => {
  const environment = defaultEnvironment({ engine });
  const params = { codec: "lz4", clevel: 5, splitmode: "always" as const };

  it("takes few bytes, at every place", () => {
    const data = noisyItems(8, 40_000);
    const bytes = compressChunk(
      data,
      { ...params, typesize: 8, filters: ["shuffle"], blocksize: 8 * 20_000 },
      environment,
    );
    const source = new CountingSource(bytes);
    const chunk = Chunk.open(source, environment);
    for (const item of [0, 1, 4095, 19_950, 20_000, 33_333, 39_950]) {
      source.bytesRead = 0;
      expectBytes(chunk.readItems(item, 50), data.subarray(item * 8, (item + 50) * 8));
      expect(source.bytesRead).toBeLessThan(50_000);
    }
    source.bytesRead = 0;
    expectBytes(chunk.readItems(0, 20_000), data.subarray(0, 160_000));
    expect(source.bytesRead).toBeGreaterThan(80_000);
  });

  it("gives what complete reading gives, whatever the filters", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(2, 3, 4, 8, 16),
        fc.constantFrom<string[][]>(["shuffle"], ["delta", "shuffle"], ["bitshuffle"], [], ["trunc_prec", "shuffle"]),
        fc.nat(),
        fc.integer({ min: 0, max: 400 }),
        (typesize, filters, at, length) => {
          fc.pre(!filters.includes("trunc_prec") || typesize === 4 || typesize === 8);
          const data = noisyItems(typesize, 33_000);
          const specs = filters.map((filter) => ({ filter, meta: filter === "trunc_prec" ? 20 : 0 }));
          const blocksize = 32_000 * typesize;
          const bytes = compressChunk(data, { ...params, typesize, filters: specs, blocksize }, environment);
          const chunk = Chunk.open(new CountingSource(bytes), environment);
          const whole = chunk.decompress();
          const from = at % data.byteLength;
          const to = Math.min(data.byteLength, from + length);
          const part = new Uint8Array(to - from);
          chunk.readBytes(from, to, part);
          expectBytes(part, whole.subarray(from, to));
        },
      ),
      { numRuns: 40 },
    );
  });

  it("gives bytes or a b2frame error when the chunk was changed", () => {
    const data = noisyItems(4, 20_000);
    const bytes = compressChunk(data, { ...params, typesize: 4, filters: ["shuffle"], blocksize: 80_000 }, environment);
    fc.assert(
      fc.property(fc.integer({ min: 32, max: bytes.byteLength - 1 }), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const changed = bytes.slice();
        // The fields of the streams are few among the bytes: every other change hits the first of them.
        changed[at % 2 === 0 ? at : 32 + (at % 16)] = value;
        try {
          Chunk.open(new CountingSource(changed), environment).readItems(at % 19_000, 50);
        } catch (error) {
          expect(isBlosc2Error(error)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
