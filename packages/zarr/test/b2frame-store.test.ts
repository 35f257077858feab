import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { asarray, type NDArray, SChunk } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { openRemoteArray } from "@b2frame/remote";
import { openRemoteStore } from "@b2frame/remote/stores";
import { DecodePool } from "@b2frame/remote/workers";
import { createStore, openStore } from "@b2frame/stores";
import { temporaryFolder } from "@b2frame/test-kit";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { b2frameStore } from "../src/index.js";
import { bytesOf } from "./zarr-fixtures.js";

const folder = temporaryFolder();
const path = join(folder, "run.b2z");
const TYPED = {
  "<i2": Int16Array,
  "<u4": Uint32Array,
  "<i8": BigInt64Array,
  "<f4": Float32Array,
  "<f8": Float64Array,
  "|u1": Uint8Array,
} as const;

beforeAll(() => {
  using store = createStore(path, stdio());
  store.set(
    "/images/first",
    Uint8Array.from({ length: 35 }, (_, i) => i),
    { shape: [5, 7], chunks: [2, 3] },
  );
  store.set("/images/deep/second", Float32Array.of(1.5, 2.5), { shape: [2] });
  store.set("/other", SChunk.create({ data: Uint8Array.of(1, 2, 3) }));
});

const open = async (store: zarr.Readable): Promise<zarr.Array<zarr.DataType>> =>
  await zarr.open.v3(store, { kind: "array" });
const readable = (source: Parameters<typeof b2frameStore>[0]): zarr.Readable => b2frameStore(source) as zarr.Readable;

describe("an array", () => {
  const dims = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 3,
  });

  it("reads by zarrita as it was written, whatever its shape, chunks and dtype", async () => {
    const dtypes = fc.constantFrom(...(Object.keys(TYPED) as (keyof typeof TYPED)[]));
    await fc.assert(
      fc.asyncProperty(dims, dtypes, async (sizes, dtype) => {
        const shape = sizes.map(([length]) => length);
        const count = shape.reduce((all, length) => all * length, 1);
        const bytes = Uint8Array.from({ length: count * TYPED[dtype].BYTES_PER_ELEMENT }, (_, i) => (i * 37) % 120);
        using array = asarray(bytes.buffer, {
          shape,
          dtype,
          chunks: sizes.map(([length, chunk]) => Math.min(length, chunk)),
        });
        const opened = await open(readable(array));
        expect([opened.shape, opened.chunks]).toEqual([shape, array.chunks]);
        expect(opened.is("bigint")).toBe(dtype === "<i8");
        expect(Buffer.compare(bytesOf((await zarr.get(opened)).data), bytes)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it("of big-endian items and of booleans", async () => {
    using numbers = asarray(Uint8Array.of(0, 1, 1, 0).buffer, { shape: [2], dtype: ">i2" });
    expect([...((await zarr.get(await open(readable(numbers)))).data as Int16Array)]).toEqual([1, 256]);
    using flags = asarray([true, false, true], { dtype: "|b1" });
    expect([...bytesOf((await zarr.get(await open(readable(flags)))).data)]).toEqual([1, 0, 1]);
  });

  it("has the vlmetalayers for attributes that JSON has values for", async () => {
    using array = asarray([1, 2]) as NDArray;
    array.schunk.vlmeta.setValue("unit", "m");
    array.schunk.vlmeta.setValue("scale", { factor: 2.5, axes: [1, 2] });
    array.schunk.vlmeta.setValue("raw", Uint8Array.of(1));
    expect((await open(readable(array))).attrs).toEqual({ unit: "m", scale: { factor: 2.5, axes: [1, 2] } });
    const plain = b2frameStore(array, { attributes: false }) as zarr.Readable;
    expect((await open(plain)).attrs).toEqual({});
  });

  it("has no other keys, and refuses dtypes that Zarr v3 does not have", async () => {
    using array = asarray([[1, 2]]);
    const store = b2frameStore(array);
    for (const key of ["/.zarray", "/a/zarr.json", "/c/0", "/c/1/0", "/c/0/1", "/c/00/0", "/c/-1/0", "/x"]) {
      expect(await store.get(key)).toBeUndefined();
    }
    using text = asarray(["a", "b"]);
    await expect(b2frameStore(text).get("/zarr.json")).rejects.toMatchObject({ code: "BLOSC2_UNSUPPORTED" });
    expect(() => b2frameStore(array, { attribute: true } as never)).toThrow('"attributes"');
    await expect(store.get("/zarr.json", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});

describe("the arrays of a .b2z", () => {
  const check = async (store: zarr.Readable): Promise<void> => {
    const group = await zarr.open.v3(store, { kind: "group" });
    const first = await zarr.open.v3(group.resolve("images/first"), { kind: "array" });
    const part = await zarr.get(first, [zarr.slice(1, 4), zarr.slice(2, 7)]);
    expect([...(part.data as Uint8Array)]).toEqual([9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 23, 24, 25, 26, 27]);
    const deep = await zarr.open.v3(group.resolve("images/deep"), { kind: "group" });
    const second = await zarr.open.v3(deep.resolve("second"), { kind: "array" });
    expect([...((await zarr.get(second)).data as Float32Array)]).toEqual([1.5, 2.5]);
    await expect(zarr.open.v3(group.resolve("nowhere"), { kind: "group" })).rejects.toThrow();
    await expect(store.get("/other/zarr.json")).rejects.toMatchObject({ code: "BLOSC2_ARGUMENT_INVALID" });
  };

  it("are read out of the file", async () => {
    using local = openStore(path, stdio());
    await check(readable(local));
  });

  it("are read out of a Blob, and decoded by workers", async () => {
    await using pool = new DecodePool({ workers: 1 });
    using remote = await openRemoteStore(await openAsBlob(path), { pool });
    await check(readable(remote));
  });
});

it("a remote array reads only what zarrita's selection touches", async () => {
  const values = Float64Array.from({ length: 40_000 }, (_, i) => Math.sin(i));
  const frame = asarray(values, { shape: [200, 200], chunks: [50, 50], blocks: [50, 50] }).toCframe();
  using remote = await openRemoteArray(new Blob([frame]));
  const row = await zarr.get(await open(readable(remote)), [3, zarr.slice(0, 50)]);
  expect([...(row.data as Float64Array)]).toEqual([...values.subarray(600, 650)]);
  expect(remote.stats.bytesFetched).toBeLessThan(frame.byteLength / 4);
});
