/** What codecs and filters of users may do wrong, and how it is reported. */
import { describe, expect, it } from "vitest";
import { Chunk } from "../../src/chunk/chunk.js";
import { type ChunkEnvironment, defaultEnvironment } from "../../src/chunk/chunk-environment.js";
import { chunkFromBytes } from "../../src/chunk/chunk-source.js";
import { compressChunk } from "../../src/chunk/compress-chunk.js";
import type { Codec } from "../../src/codec/codec.js";
import { defaultCodecs } from "../../src/codec/codec-registry.js";
import { Blosc2Error, CodecError, UnsupportedError } from "../../src/errors.js";
import type { Filter } from "../../src/filter/filter.js";
import { defaultFilters } from "../../src/filter/filter-registry.js";
import { sampleData } from "../chunk/sample-data.js";

const data = sampleData("ramp", 4000, 4);
/** Stores every fourth byte: enough for what these tests decode. */
const codec: Codec = {
  id: 210,
  name: "quarter",
  formatCode: 6,
  dictionaries: false,
  compress(source, target) {
    if (target.byteLength < source.byteLength / 4) return 0;
    for (let i = 0; i < source.byteLength / 4; i++) target[i] = source[4 * i] as number;
    return Math.ceil(source.byteLength / 4);
  },
  decompress(source, target) {
    for (let i = 0; i < target.byteLength; i++) target[i] = source[i >> 2] as number;
  },
};
const filter: Filter = {
  id: 220,
  name: "copy",
  needsReference: false,
  forward: (source, target) => target.set(source),
  backward: (source, target) => target.set(source),
};

function environmentWith(change: { codec?: Partial<Codec>; filter?: Partial<Filter> }): ChunkEnvironment {
  const codecs = defaultCodecs.clone();
  codecs.register({ ...codec, ...change.codec }, { probe: false });
  const filters = defaultFilters.clone();
  filters.register({ ...filter, ...change.filter }, { probe: false });
  return defaultEnvironment({ codecs, filters });
}

const params = { codec: 210, typesize: 4, filters: [220], blocksize: 1000 };
const chunk = compressChunk(data, params, environmentWith({}));

function failure(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

const fail = (): never => {
  throw new RangeError("offset is out of bounds");
};
const location = { path: "a.b2frame", structure: "chunk 2", position: 1000 };
const decode = (environment: ChunkEnvironment): Uint8Array =>
  Chunk.open(chunkFromBytes(chunk, location), environment).decompress();

describe("a user's codec or filter", () => {
  it("serves like the format's own", () => {
    expect(decode(environmentWith({}))).toHaveLength(4000);
    expect(chunk[0x16]).toBe(210);
    expect((chunk[2] as number) >> 5).toBe(6);
  });

  it("that fails to decompress gives an error with codec, block, stream and position", () => {
    const error = failure(() => decode(environmentWith({ codec: { decompress: fail } })));
    expect(error).toBeInstanceOf(CodecError);
    expect(error).toMatchObject({
      code: "BLOSC2_CODEC_DECOMPRESS",
      details: { codec: "quarter", block: 0, stream: 0 },
    });
    expect((error as Error).message).toBe(
      "a.b2frame: chunk 2, block 0, stream 0 at position 1052: quarter: offset is out of bounds",
    );
    expect((error as Error).cause).toBeInstanceOf(RangeError);
  });

  it("that fails to compress, or claims to have written more than there is room for, gives an error", () => {
    for (const compress of [fail, () => 1000, () => -1, () => Number.NaN]) {
      const error = failure(() => compressChunk(data, params, environmentWith({ codec: { compress } })));
      expect(error).toMatchObject({ code: "BLOSC2_CODEC_COMPRESS" });
    }
  });

  it("that fails to filter gives an error with the filter's name", () => {
    const forward = failure(() => compressChunk(data, params, environmentWith({ filter: { forward: fail } })));
    expect(forward).toMatchObject({ code: "BLOSC2_FILTER_FAILED", details: { codec: "copy", direction: "compress" } });
    const backward = failure(() => decode(environmentWith({ filter: { backward: fail } })));
    expect(backward).toMatchObject({ code: "BLOSC2_FILTER_FAILED", details: { codec: "copy", block: 0 } });
    expect(backward).toBeInstanceOf(Blosc2Error);
  });

  it("that only reads is refused for writing", () => {
    const environment = environmentWith({ codec: { compress: undefined as never } });
    expect(failure(() => compressChunk(data, params, environment))).toBeInstanceOf(UnsupportedError);
  });

  it("that is not registered is named", () => {
    const error = failure(() => decode(defaultEnvironment()));
    expect(error).toMatchObject({ code: "BLOSC2_UNSUPPORTED_FILTER" });
    expect((error as Error).message).toContain("a.b2frame: chunk 2 at position 1000: filter 220 in slot 0");
  });

  it("interleaves with others without mixing up (B61)", () => {
    const environment = environmentWith({});
    const codecs = ["blosclz", "lz4", "lz4hc", "zlib"];
    const chunks = codecs.map((name) => compressChunk(data, { codec: name, typesize: 4 }, environment));
    const open = chunks.map((bytes) => Chunk.open(chunkFromBytes(bytes), environment));
    for (let i = 0; i < 1000; i++) {
      const at = (i * 37) % 990;
      expect(open[i % 4]?.readItems(at, 3)).toEqual(data.subarray(4 * at, 4 * at + 12));
    }
  });
});
