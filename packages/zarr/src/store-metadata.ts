/** Descriptions of Blosc2 arrays and groups as Zarr v3 has them. @module */
import { UnsupportedError } from "@b2frame/core";

/** What is asked of an array: an `NDArray`, or a `RemoteArray` of `@b2frame/remote`. */
export interface ZarrSourceArray {
  readonly shape: readonly number[];
  /** Shape of a chunk. */
  readonly chunks: readonly number[];
  readonly dtype: {
    readonly str: string;
    readonly kind: string;
    readonly itemsize: number;
    readonly byteOrder: string;
  };
  /** Vlmetalayers of a remote array. */
  readonly vlmeta?: ZarrSourceLayers;
  /** The super-chunk of a local array. */
  readonly schunk?: { readonly vlmeta: ZarrSourceLayers };
  getSlice(
    start: readonly number[],
    stop: readonly number[],
    step?: readonly number[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): { readonly bytes: Uint8Array } | Promise<{ readonly bytes: Uint8Array }>;
}

/** Named values. */
export interface ZarrSourceLayers {
  keys(): Iterable<string>;
  getValue(name: string): unknown;
}

const DATA_TYPES: Readonly<Record<string, string>> = {
  b1: "bool",
  i1: "int8",
  i2: "int16",
  i4: "int32",
  i8: "int64",
  u1: "uint8",
  u2: "uint16",
  u4: "uint32",
  u8: "uint64",
  f2: "float16",
  f4: "float32",
  f8: "float64",
};

function dataTypeOf({ str, kind, itemsize }: ZarrSourceArray["dtype"], name: string): string {
  const known = DATA_TYPES[`${kind}${itemsize}`];
  if (known !== undefined) return known;
  throw new UnsupportedError("BLOSC2_UNSUPPORTED", `${name}: dtype ${str} has no data type of Zarr v3`, {
    feature: "dtype in Zarr v3",
    dtype: str,
  });
}

/** A value as JSON has it; `undefined` for what it has not: bytes, dates, integers past 2^53. */
function jsonValue(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
  if (Array.isArray(value)) {
    const items = value.map(jsonValue);
    return items.includes(undefined) ? undefined : items;
  }
  if (typeof value !== "object" || ArrayBuffer.isView(value)) return undefined;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const plain = entries.map(([name, item]): [unknown, unknown] => [name, jsonValue(item)]);
  const fits = plain.every(([name, item]) => typeof name === "string" && item !== undefined);
  return fits ? Object.fromEntries(plain as [string, unknown][]) : undefined;
}

function attributesOf(values: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const attributes = [...values].map(([name, value]): [string, unknown] => [name, jsonValue(value)]);
  return Object.fromEntries(attributes.filter(([, value]) => value !== undefined));
}

function encoded(metadata: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(metadata));
}

/** `zarr.json` of a group. */
export function groupMetadata(attributes: ReadonlyMap<string, unknown>): Uint8Array {
  return encoded({ zarr_format: 3, node_type: "group", attributes: attributesOf(attributes) });
}

/** `zarr.json` of an array. @throws UnsupportedError for a dtype that Zarr v3 does not have */
export function arrayMetadata(array: ZarrSourceArray, name: string, withAttributes: boolean): Uint8Array {
  const { shape, chunks, dtype } = array;
  const dataType = dataTypeOf(dtype, name);
  const layers = array.vlmeta ?? array.schunk?.vlmeta;
  const values =
    withAttributes && layers !== undefined
      ? Array.from(layers.keys(), (layer): [string, unknown] => [layer, layers.getValue(layer)])
      : [];
  return encoded({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: dataType,
    // An array without items may have chunks without items, which Zarr has not.
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunks.map((length) => Math.max(1, length)) } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: dataType === "bool" ? false : 0,
    codecs: [{ name: "bytes", configuration: { endian: dtype.byteOrder === "big" ? "big" : "little" } }],
    attributes: attributesOf(values),
  });
}
