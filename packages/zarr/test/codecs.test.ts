import { defaultCodecs, isBlosc2Error } from "@b2frame/core";
import { defaultEnvironment } from "@b2frame/core/codec";
import { registerZstd } from "@b2frame/core/zstd";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blosc2Entry, bloscEntry, registerBloscCodecs, type ZarrCodec, type ZarrCodecEntry } from "../src/index.js";
import { itemSizeOf } from "../src/zarr-codec.js";
import { arrays, blosc2Chunks, fromBase64, storeOf, valuesNamed } from "./zarr-fixtures.js";

const codecs = defaultCodecs.clone();
await registerZstd(codecs);
const environment = defaultEnvironment({ codecs });
const blosc = (configuration: unknown, dataType = "int32"): ZarrCodec =>
  bloscEntry(environment).fromConfig(configuration, { dataType });
const blosc2 = (configuration: unknown, dataType = "int32"): ZarrCodec =>
  blosc2Entry(environment).fromConfig(configuration, { dataType });

function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    return isBlosc2Error(error) ? error.code : String(error);
  }
  return undefined;
}

const sample = Uint8Array.from({ length: 4096 }, (_, i) => i >> 3);

describe("blosc", () => {
  it("shuffle -1 is bit shuffle for bytes, else byte shuffle, as in numcodecs", () => {
    const bits = (dataType: string, configuration: object): number =>
      blosc({ shuffle: -1, ...configuration }, dataType).encode(sample)[2]! & 0x05;
    expect(bits("uint8", {})).toBe(4);
    expect(bits("bool", {})).toBe(4);
    expect(bits("int16", {})).toBe(1);
    expect(bits("int16", { typesize: 1 })).toBe(4);
  });

  it("takes the item size of the array where none is configured", () => {
    const typesize = (dataType: string, configuration: object = {}): number =>
      blosc(configuration, dataType).encode(sample)[3]!;
    expect([typesize("float64"), typesize("uint8"), typesize("v2:U3"), typesize("v2:object")]).toEqual([8, 1, 12, 1]);
    expect(typesize("float64", { typesize: 4 })).toBe(4);
    expect(["v2:S5", "v2:U2", "string", "r16", "float16"].map(itemSizeOf)).toEqual([5, 8, 1, 1, 2]);
  });

  it("encodes what it decodes, whatever the configuration", () => {
    const configuration = fc.record({
      cname: fc.constantFrom("blosclz", "lz4", "lz4hc", "zlib", "zstd"),
      clevel: fc.nat(9),
      shuffle: fc.constantFrom<(string | number)[]>(-1, 0, 1, 2, "noshuffle", "shuffle", "bitshuffle"),
      blocksize: fc.constantFrom(0, 256, 1000),
      typesize: fc.option(fc.constantFrom(1, 2, 3, 8), { nil: undefined }),
    });
    fc.assert(
      fc.property(configuration, fc.uint8Array({ maxLength: 600 }), fc.nat(20), (config, unit, times) => {
        const bytes = new Uint8Array(unit.byteLength * times);
        for (let i = 0; i < times; i++) bytes.set(unit, i * unit.byteLength);
        for (const codec of [blosc(config), blosc2(config)]) {
          expect(Buffer.compare(codec.decode(codec.encode(bytes)), bytes)).toBe(0);
        }
      }),
    );
  });

  it("decodes without a configuration that makes sense, and refuses to encode with it", () => {
    const chunk = blosc({}).encode(sample);
    for (const configuration of [
      { cname: "snappy" },
      { cname: 3.5 },
      { cname: {} },
      { shuffle: 3 },
      { shuffle: "sideways" },
      { clevel: 11 },
      { clevel: "5" },
      { typesize: 0 },
      { blocksize: -1 },
      "lz4",
    ]) {
      const codec = blosc(configuration);
      expect(codec.decode(chunk)).toEqual(sample);
      expect(
        codeOf(() => codec.encode(sample)),
        JSON.stringify(configuration),
      ).toMatch(/^BLOSC2_(ARGUMENT_INVALID|UNSUPPORTED_CODEC)$/);
    }
    expect(blosc(undefined).decode(chunk)).toEqual(sample);
    expect(blosc(null).encode(sample)).toEqual(chunk);
  });
});

describe("blosc2", () => {
  it.each(blosc2Chunks)("decodes what python-blosc2 compressed: $name", ({ chunk, values }) => {
    expect(blosc2({}).decode(fromBase64(chunk))).toEqual(valuesNamed(values));
  });

  it("understands imagecodecs' configurations", () => {
    const chunk = blosc2({
      level: 9,
      compressor: "ZLIB",
      shuffle: "BITSHUFFLE",
      splitmode: "NEVER",
      typesize: 2,
    }).encode(sample);
    expect([chunk[2]! >> 5, chunk[3], chunk[0x15], chunk[2]! & 0x10]).toEqual([3, 2, 2, 0x10]);
    expect(blosc2({ compressor: 5 }).encode(sample)[0x16]).toBe(5);
    expect(codeOf(() => blosc2({ splitmode: "maybe" }).encode(sample))).toBe("BLOSC2_ARGUMENT_INVALID");
  });

  it("knows the name that some give to the default codec", () => {
    expect(blosc2({ cname: "blosc2" }).encode(sample)[0x16]).toBe(0);
  });
});

describe("damaged chunks", () => {
  const whole = [
    ...arrays.slice(0, 6).map(({ keys }) => [...storeOf(keys)].find(([key]) => !/zarr|zattrs/.test(key))![1]),
    ...blosc2Chunks.map(({ chunk }) => fromBase64(chunk)),
  ];

  it("that are cut or have bytes after them are refused", () => {
    for (const chunk of whole) {
      for (let length = 0; length < chunk.byteLength; length += length < 40 ? 1 : 7) {
        expect(codeOf(() => blosc({}).decode(chunk.subarray(0, length)))).toMatch(/^BLOSC2_FORMAT/);
      }
      expect(codeOf(() => blosc({}).decode(new Uint8Array([...chunk, 1])))).toBe("BLOSC2_FORMAT_BAD_LENGTH");
    }
  });

  it("give only our errors, or as many bytes as the header says", () => {
    const mutation = fc.tuple(fc.constantFrom(...whole), fc.nat(), fc.nat(255));
    fc.assert(
      fc.property(mutation, ([chunk, at, value]) => {
        const bytes = chunk.slice();
        bytes[at % bytes.byteLength] = value;
        let decoded: Uint8Array;
        try {
          decoded = blosc({}).decode(bytes);
        } catch (error) {
          if (isBlosc2Error(error)) return;
          throw error;
        }
        expect(decoded.byteLength).toBe(new DataView(bytes.buffer).getInt32(4, true));
      }),
      { numRuns: 300 },
    );
  });
});

describe("registering", () => {
  it("sets every name that metadata use, and loads once", async () => {
    const registry = new Map<string, () => Promise<ZarrCodecEntry>>();
    registerBloscCodecs(registry);
    expect([...registry.keys()].sort()).toEqual([
      "blosc",
      "blosc2",
      "imagecodecs_blosc2",
      "numcodecs.blosc",
      "numcodecs.blosc2",
      "numcodecs.imagecodecs_blosc2",
    ]);
    const entry = await registry.get("blosc")!();
    expect(await registry.get("numcodecs.blosc")!()).toBe(entry);
    const codec = entry.fromConfig({ cname: "zstd" }, { dataType: "int32" });
    expect(codec.decode(codec.encode(sample))).toEqual(sample);
  });

  it("uses the codecs that are given, and no others", async () => {
    const registry = new Map<string, () => Promise<ZarrCodecEntry>>();
    registerBloscCodecs(registry, { codecs: defaultCodecs.clone() });
    const codec = (await registry.get("blosc")!()).fromConfig({ cname: "zstd" }, { dataType: "int32" });
    expect(codeOf(() => codec.encode(sample))).toBe("BLOSC2_UNSUPPORTED_CODEC");
  });
});
