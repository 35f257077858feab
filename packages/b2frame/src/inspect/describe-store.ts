/** What a store says of itself. @module */
import { NDArray } from "@b2frame/core";
import type { MemberKind, Store, StoreFormat } from "@b2frame/stores";
import { tableOf } from "../python/table.js";
import { jsonValue } from "../render/json-value.js";

/** One member. */
export interface MemberFacts {
  readonly key: string;
  readonly kind: MemberKind;
  /** Where it is, if it is in one place. */
  readonly storage?: string;
  /** Of an array. */
  readonly shape?: readonly number[];
  readonly dtype?: string;
  /** Of arrays and super-chunks: uncompressed and compressed bytes. */
  readonly nbytes?: number;
  readonly cbytes?: number;
  /** Of a table. */
  readonly table?: TableFacts;
}

/** What a table is, a member or a whole store. */
export interface TableFacts {
  readonly nrows: number;
  readonly columns: readonly { readonly name: string; readonly kind: string }[];
}

/** All of it, as `info --json` prints it. */
export interface StoreFacts {
  readonly path: string;
  readonly kind: "store";
  readonly format: StoreFormat;
  readonly type: string;
  /** Of a tree store. */
  readonly attributes?: unknown;
  /** Of a table that is a whole store. */
  readonly table?: TableFacts;
  readonly members: readonly MemberFacts[];
}

function describeTable(store: Store, key: string): { table?: TableFacts } {
  const table = tableOf(store, key);
  if (table === undefined) return {};
  return { table: { nrows: table.nrows, columns: table.columns.map(({ name, kind }) => ({ name, kind })) } };
}

function describeMember(store: Store, key: string): MemberFacts {
  const kind = store.kind(key);
  if (kind === "group") return { key, kind };
  if (kind === "table") return { key, kind, ...describeTable(store, key) };
  const { storage } = store.locate(key);
  if (kind !== "array" && kind !== "super-chunk") return { key, kind, storage };
  using file = kind === "array" ? store.openArray(key) : store.openSChunk(key);
  const { nbytes } = file;
  if (!(file instanceof NDArray)) return { key, kind, storage, nbytes, cbytes: file.cbytes };
  const { shape, dtype, declaredDType, schunk } = file;
  return { key, kind, storage, shape, dtype: declaredDType ?? dtype.str, nbytes, cbytes: schunk.cbytes };
}

/** Describes the members, one after another. @throws FormatError or IoError for a damaged one */
export function* describeMembers(store: Store): Generator<MemberFacts> {
  for (const key of store.keys()) yield describeMember(store, key);
}

/** Describes an open store. @throws as {@link describeMembers} */
export function describeStore(store: Store, path: string): StoreFacts {
  const { format, type } = store;
  const attributes = type === "tree" ? { attributes: jsonValue(Object.fromEntries(store.attributes())) } : {};
  const members = [...describeMembers(store)];
  return { path, kind: "store", format, type, ...attributes, ...describeTable(store, "/"), members };
}
