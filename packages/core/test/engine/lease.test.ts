import { afterEach, describe, expect, it } from "vitest";
import { checkLentMemory } from "../../src/bytes/lent.js";
import { Chunk } from "../../src/chunk/chunk.js";
import { type ChunkEnvironment, defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { type ChunkSource, chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk, compressLent } from "../../src/chunk/compress-chunk.js";
import { compressVlBlocks } from "../../src/chunk/compress-vl-blocks.js";
import { defaultCodecs } from "../../src/codec/codec-registry.js";
import { expectBytes } from "../chunk/expect-bytes.js";

/** Content that LZ4 makes shorter, in several blocks. */
const content = Uint8Array.from({ length: 20_000 }, (_, i) => i >> 6);
const IN_USE = /the engine is in use/;

/** A source that does something before each read of more than a header. */
function sourceThat(bytes: Uint8Array, does: () => void): ChunkSource {
  const inner = chunkFromBytes(bytes);
  return {
    byteLength: inner.byteLength,
    location: inner.location,
    read: (offset, length) => inner.read(offset, length),
    readInto(offset, target) {
      does();
      inner.readInto(offset, target);
    },
  };
}

describe.each(["kernels", "portable"] as const)("the lease of the %s engine", (engine) => {
  const environment = defaultEnvironment({ engine });
  const chunk = compressChunk(content, { codec: "lz4", blocksize: 4096 }, environment);
  const readAll = (): Uint8Array => Chunk.open(chunkFromBytes(chunk), environment).decompress();

  afterEach(() => checkLentMemory(false));

  it("is needed to stage bytes and for a chunk buffer", () => {
    const { lease } = environment.engine;
    expect(() => environment.engine.stage(10, 10)).toThrow("take the engine's lease");
    expect(() => environment.engine.chunkBuffer(10, 10)).toThrow("take the engine's lease");
    lease.during(() => expect(environment.engine.stage(10, 10).byteLength).toBe(10));
    expect(() => environment.engine.stage(10, 10)).toThrow("take the engine's lease");
  });

  it("keeps a new chunk from being overwritten by reads and by other new chunks until its end", () => {
    const made = compressLent(content, { codec: "lz4", blocksize: 4096 }, environment);
    try {
      expect(readAll).toThrow(IN_USE);
      expect(() => compressChunk(content, { codec: "lz4" }, environment)).toThrow(IN_USE);
      expect(() => compressLent(content, { codec: "lz4", clevel: 0 }, environment)).toThrow(IN_USE);
      expect(() => compressVlBlocks([content], { codec: "lz4" }, environment)).toThrow(IN_USE);
      expectBytes(made.bytes, chunk);
    } finally {
      made.end();
    }
    expectBytes(readAll(), content);
    made.end();
    const other = compressLent(content, { codec: "lz4" }, environment);
    made.end();
    expect(readAll, "ending a chunk twice does not end the next one").toThrow(IN_USE);
    other.end();
  });

  it("refuses a source that reads a chunk in the middle of a read, and is free again after that", () => {
    const nested = Chunk.open(sourceThat(chunk, readAll), environment);
    expect(() => nested.decompress()).toThrow(IN_USE);
    expectBytes(readAll(), content);
  });

  it("refuses a codec that comes back to the engine, and is free again after that", () => {
    const codecs = defaultCodecs.clone();
    let within: ChunkEnvironment | undefined;
    codecs.register(
      {
        name: "nested",
        id: 201,
        formatCode: 6,
        compress: (source, target) => {
          compressChunk(source, { codec: "lz4" }, within);
          target.set(source.subarray(0, 1));
          return 1;
        },
        decompress: () => undefined,
      },
      { probe: false },
    );
    within = defaultEnvironment({ engine, codecs });
    const { lease } = within.engine;
    expect(() => compressChunk(content, { codec: "nested" }, within)).toThrow(IN_USE);
    lease.during(() => undefined);
  });

  it("overwrites what it lent when it ends, if that is asked for", () => {
    const before = compressLent(content, { codec: "lz4", blocksize: 4096 }, environment);
    before.end();
    expectBytes(before.bytes, chunk);
    checkLentMemory(true);
    const made = compressLent(content, { codec: "lz4", blocksize: 4096 }, environment);
    expectBytes(made.bytes, chunk);
    made.end();
    expectBytes(made.bytes, new Uint8Array(chunk.byteLength).fill(0xdb));
    expectBytes(readAll(), content);
  });
});
