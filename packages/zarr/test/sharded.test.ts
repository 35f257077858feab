import { readFileSync } from "node:fs";
import { DecodePool } from "@b2frame/remote/workers";
import { afterAll, describe, expect, it } from "vitest";
import * as zarr from "zarrita";
import { registerBloscCodecs, type ZarrCodecRegistry } from "../src/index.js";
import { bytesOf, fromBase64, storeOf } from "./zarr-fixtures.js";

interface ShardedFixture {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly values: string;
  readonly keys: Readonly<Record<string, string>>;
}

const { arrays }: { arrays: readonly ShardedFixture[] } = JSON.parse(
  readFileSync(new URL("../../../fixtures/zarr/sharded.json", import.meta.url), "utf8"),
);

const pool = new DecodePool({ workers: 2 });
afterAll(() => pool.close());

/** A store that gives ranges, as sharding needs, and counts them. */
function rangeStore(keys: ShardedFixture["keys"]) {
  const map = storeOf(keys);
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    get: (key: zarr.AbsolutePath) => Promise.resolve(map.get(key)),
    getRange: (key: zarr.AbsolutePath, range: zarr.RangeQuery) => {
      asked++;
      const bytes = map.get(key);
      const from = "suffixLength" in range ? -range.suffixLength : range.offset;
      const to = "suffixLength" in range ? undefined : range.offset + range.length;
      return Promise.resolve(bytes?.slice(from, to));
    },
    set: (key: zarr.AbsolutePath, value: Uint8Array) => void map.set(key, value),
  };
}

describe.each([
  ["here", undefined],
  ["by workers", pool],
])("sharded arrays of zarr-python, decoded %s", (_, by) => {
  const open = async (keys: ShardedFixture["keys"]) => {
    registerBloscCodecs(zarr.registry as ZarrCodecRegistry, { pool: by });
    const store = rangeStore(keys);
    return { store, array: await zarr.open.v3(store, { kind: "array" }) };
  };

  it.each(arrays)("$name: all of it, and a part by ranges", async ({ shape, values, keys, dtype }) => {
    const { array, store } = await open(keys);
    expect(array.shape).toEqual(shape);
    const all = fromBase64(values);
    expect(Buffer.compare(bytesOf((await zarr.get(array)).data), all)).toBe(0);
    const before = store.asked;
    expect(before).toBeGreaterThan(0);

    const itemSize = Number(dtype.slice(2));
    const rowBytes = all.byteLength / (shape[0] as number);
    const row = await zarr.get(array, [4, ...shape.slice(1).map(() => null)]);
    expect(Buffer.compare(bytesOf(row.data), all.subarray(4 * rowBytes, 5 * rowBytes))).toBe(0);
    expect(all.byteLength % itemSize).toBe(0);
  });

  it("with a damaged inner chunk fail, and do not read as zeros", async () => {
    const { keys } = arrays[0] as ShardedFixture;
    const key = Object.keys(keys).find((name) => name.startsWith("c/")) as string;
    const shard = fromBase64(keys[key] as string);
    // The size in the header of the first chunk, which stands first in the shard.
    shard.fill(0x7f, 4, 8);
    const { array } = await open({ ...keys, [key]: Buffer.from(shard).toString("base64") });
    await expect(zarr.get(array)).rejects.toMatchObject({ cause: { details: { structure: "blosc chunk" } } });
  });
});
