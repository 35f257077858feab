import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Files of python-blosc2 that are more, or less, than arrays and super-chunks. */
export const FOLDER = fileURLToPath(new URL("../../../../fixtures/python-objects/", import.meta.url));

/** What `expected.json` says of the files. */
export interface ExpectedObjects {
  readonly recipes: Readonly<Record<string, string>>;
  readonly caches: Readonly<Record<string, { chunk: number; nchunks: number; fetched: readonly number[] }>>;
  readonly tensors: Readonly<Record<string, { shape: number[]; dtype: unknown; hex: string }>>;
  readonly objects: Readonly<Record<string, { kind: string; items: unknown[] }>>;
  readonly tables: Readonly<Record<string, { columns: string[]; rows: Record<string, unknown>[] }>>;
}

export const expected = JSON.parse(readFileSync(join(FOLDER, "expected.json"), "utf8")) as ExpectedObjects;

/** The path of one of them. */
export function objectPath(name: string): string {
  return join(FOLDER, name);
}
