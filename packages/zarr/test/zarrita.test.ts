import { beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { registerBloscCodecs } from "../src/index.js";
import { arrays, bytesOf, storeOf, valuesNamed } from "./zarr-fixtures.js";

beforeAll(() => registerBloscCodecs(zarr.registry));

async function open(store: Map<`/${string}`, Uint8Array>, format: 2 | 3): Promise<zarr.Array<zarr.DataType>> {
  const open = format === 2 ? zarr.open.v2 : zarr.open.v3;
  return await open(store, { kind: "array" });
}

async function readAll(array: zarr.Array<zarr.DataType>): Promise<Uint8Array> {
  return bytesOf((await zarr.get(array)).data);
}

describe("arrays that zarr-python wrote", () => {
  it.each(arrays)("$name", async ({ format, shape, values, keys }) => {
    const array = await open(storeOf(keys), format);
    expect(array.shape).toEqual(shape);
    expect(await readAll(array)).toEqual(valuesNamed(values));
  });

  it.each(arrays)("$name, a part of it", async ({ format, values, keys, shape }) => {
    const part = await zarr.get(await open(storeOf(keys), format), [zarr.slice(3, 12), 5]);
    const all = valuesNamed(values);
    const itemSize = all.byteLength / shape[0]! / shape[1]!;
    const expected = Array.from({ length: 9 }, (_, i) => {
      const at = ((i + 3) * shape[1]! + 5) * itemSize;
      return [...all.subarray(at, at + itemSize)];
    });
    expect([...bytesOf((part as { data: unknown }).data)]).toEqual(expected.flat());
  });

  it("with a cut or damaged chunk give an error, never zeros", async () => {
    for (const { format, keys } of arrays) {
      const store = storeOf(keys);
      const chunkKey = [...store.keys()].find((key) => !/zarr|zattrs/.test(key))!;
      const chunk = store.get(chunkKey)!;
      for (const bad of [chunk.subarray(0, -1), chunk.subarray(0, 10), new Uint8Array([...chunk, 0])]) {
        store.set(chunkKey, bad);
        await expect(open(store, format).then(readAll)).rejects.toThrow();
      }
    }
  });
});

describe("arrays that zarrita writes", () => {
  const configurations = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"].flatMap((cname) =>
    ["noshuffle", "shuffle", "bitshuffle"].map((shuffle) => ({ cname, shuffle })),
  );

  it.each(configurations)("with blosc $cname $shuffle are read back", async ({ cname, shuffle }) => {
    const store = new Map<`/${string}`, Uint8Array>();
    const array = await zarr.create(store, {
      shape: [40, 50],
      chunkShape: [16, 16],
      dtype: "float64",
      codecs: [{ name: "blosc", configuration: { cname, clevel: 5, shuffle, typesize: 8, blocksize: 0 } }],
    });
    const data = Float64Array.from({ length: 2000 }, (_, i) => Math.round(Math.sqrt(i) * 8) / 8);
    await zarr.set(array, null, { data, shape: [40, 50], stride: [50, 1] });
    const chunk = store.get("/c/0/0")!;
    expect(chunk.byteLength).toBeLessThan(16 * 16 * 8);
    // Version, and the filter bits of the flags.
    expect([chunk[0], chunk[2]! & 0x05]).toEqual([2, { noshuffle: 0, shuffle: 1, bitshuffle: 4 }[shuffle]]);
    expect(await readAll(await open(store, 3))).toEqual(bytesOf(data));
  });

  it("with blosc2 are read back", async () => {
    const store = new Map<`/${string}`, Uint8Array>();
    const array = await zarr.create(store, {
      shape: [300],
      chunkShape: [128],
      dtype: "int32",
      codecs: [{ name: "blosc2", configuration: { cname: "zstd", clevel: 3, shuffle: 1 } }],
    });
    const data = Int32Array.from({ length: 300 }, (_, i) => i * i);
    await zarr.set(array, null, { data, shape: [300], stride: [1] });
    expect(store.get("/c/0")!.subarray(0, 2)).toEqual(new Uint8Array([5, 1]));
    expect(store.get("/c/0")![3]).toBe(4);
    expect(await readAll(await open(store, 3))).toEqual(bytesOf(data));
  });
});
