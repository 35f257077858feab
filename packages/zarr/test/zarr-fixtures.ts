import { readFileSync } from "node:fs";

interface ArrayFixture {
  readonly name: string;
  readonly format: 2 | 3;
  readonly shape: readonly number[];
  /** Name of the values. */
  readonly values: string;
  /** What the store holds, in base64. */
  readonly keys: Readonly<Record<string, string>>;
}

interface ChunkFixture {
  readonly name: string;
  readonly chunk: string;
  readonly values: string;
}

interface Fixtures {
  readonly values: Readonly<Record<string, string>>;
  readonly arrays: readonly ArrayFixture[];
  readonly blosc2Chunks: readonly ChunkFixture[];
}

const fixtures: Fixtures = JSON.parse(
  readFileSync(new URL("../../../fixtures/zarr/arrays.json", import.meta.url), "utf8"),
);

export const { arrays, blosc2Chunks } = fixtures;

export function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

/** Values by their name, as bytes in C order, little-endian. */
export function valuesNamed(name: string): Uint8Array {
  return fromBase64(fixtures.values[name]!);
}

/** What zarrita keeps arrays in: a map of absolute keys. */
export function storeOf(keys: Readonly<Record<string, string>>): Map<`/${string}`, Uint8Array> {
  return new Map(Object.entries(keys).map(([key, value]) => [`/${key}`, fromBase64(value)]));
}

/** The bytes of a typed array, or of zarrita's arrays of booleans. */
export function bytesOf(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return Uint8Array.from(data as Iterable<boolean>, (value) => (value ? 1 : 0));
}
