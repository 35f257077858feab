/** One column of a table of python-blosc2, read by rows of the file. @module */
import { FormatError, type NDArray, NDBuffer, parseDType, UnsupportedError } from "@b2frame/core";
import type { Store } from "@b2frame/stores";
import { objectsOf, type PythonObjects } from "./python-objects.js";

/** What the schema of a table says of a column. */
export interface TableColumn {
  readonly name: string;
  /** Its kind: `"int32"`, `"string"`, `"timestamp"`, `"list"`, `"dictionary"`, ... */
  readonly kind: string;
  readonly nullable: boolean;
  /** All that the schema has, as python-blosc2 wrote it. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Gives the values of the rows `from` to `to` of the file, deleted ones among them; `null` for those that are missing. */
export type ColumnReader = (from: number, to: number) => unknown[];

/** Kinds whose values are items of an array. */
const ARRAY_KINDS = /^(u?int(8|16|32|64)|float(16|32|64)|complex(64|128)|bool|string|bytes|timestamp)$/;
/** Kinds whose values are Python objects. */
const OBJECT_KINDS: readonly string[] = ["list", "struct", "object", "vlstring", "vlbytes"];
/** Of a nullable column of kind `bool` without a mask: the item that stands for null. */
const NULL_BOOL = 255;

/** Where a column lies in its store, and what to name in errors. */
interface ColumnPlace {
  readonly store: Store;
  readonly key: string;
  readonly column: TableColumn;
}

function itemsOf(array: NDArray, from: number, to: number): unknown[] {
  return array.getSlice([from], [to]).toNestedArray() as unknown[];
}

function invalid({ store, key }: ColumnPlace, field: string, expected: string, found: string | number): FormatError {
  const location = { path: store.path, structure: `member "${key}"`, position: 0 };
  return new FormatError("BLOSC2_FORMAT_INVALID", { ...location, field, expected, found });
}

/** Opens an array of one dimension with a place for each row. */
function openRows(place: ColumnPlace, key: string, nrows: number): NDArray {
  const array = place.store.openArray(key);
  const [length = 0] = array.shape;
  if (array.ndim === 1 && length >= nrows) return array;
  const { shape } = array;
  array.close();
  throw invalid({ ...place, key }, "shape", `one dimension of ${nrows} rows or more`, `(${shape.join(", ")})`);
}

/** Puts `null` where the mask, or the item that the schema states, says that there is no value. */
function withNulls(place: ColumnPlace, nrows: number, read: ColumnReader): ColumnReader {
  const { nullable, spec } = place.column;
  if (!nullable) return read;
  const maskKey = `${place.key}.notnull`;
  if (spec.null_storage === "mask") {
    // It is made with the first null: without one there is none.
    if (!place.store.has(maskKey)) return read;
    return (from, to) => {
      using mask = openRows(place, maskKey, nrows);
      const present = itemsOf(mask, from, to);
      return read(from, to).map((value, i) => (present[i] === true ? value : null));
    };
  }
  const missing = spec.null_value;
  if (missing === undefined || missing === null) return read;
  const isMissing = (value: unknown): boolean =>
    typeof value === "bigint" ? value === BigInt(missing as number) : Object.is(value, missing);
  return (from, to) => read(from, to).map((value) => (isMissing(value) ? null : value));
}

function arrayReader(place: ColumnPlace, nrows: number): ColumnReader {
  const { kind, spec } = place.column;
  const read: ColumnReader = (from, to) => {
    using array = openRows(place, place.key, nrows);
    if (kind !== "timestamp") return itemsOf(array, from, to);
    const { bytes } = array.getSlice([from], [to]);
    return new NDBuffer(parseDType(`<M8[${String(spec.unit)}]`), [to - from], bytes).toNestedArray();
  };
  const values = withNulls(place, nrows, read);
  if (kind !== "bool") return values;
  return (from, to) => values(from, to).map((value) => (typeof value === "number" ? asBoolean(place, value) : value));
}

/** Of a column that keeps 0, 1, and 255 for null. */
function asBoolean(place: ColumnPlace, value: number): boolean | null {
  if (value === NULL_BOOL) return null;
  if (value === 0 || value === 1) return value === 1;
  throw invalid(place, "item", "0, 1 or 255", value);
}

function withObjects<T>(place: ColumnPlace, key: string, body: (objects: PythonObjects) => T): T {
  using schunk = place.store.openSChunk(key);
  return body(objectsOf(schunk));
}

function objectReader(place: ColumnPlace): ColumnReader {
  return (from, to) =>
    withObjects(place, place.key, (objects) => {
      if (objects.length < to) throw invalid(place, "length", `${to} rows or more`, objects.length);
      return objects.slice(from, to);
    });
}

/** Strings one after the other in UTF-8, and where each ends. */
function utf8Reader(place: ColumnPlace, nrows: number): ColumnReader {
  const read: ColumnReader = (from, to) => {
    using ends = openRows(place, place.key, nrows + 1);
    using bytes = place.store.openArray(`${place.key}.utf8`);
    const [size = 0] = bytes.shape;
    const offsets = itemsOf(ends, from, to + 1).map(Number);
    offsets.forEach((offset, i) => {
      const least = i === 0 ? 0 : (offsets[i - 1] as number);
      if (!(offset >= least && offset <= size))
        throw invalid(place, `end of row ${from + i - 1}`, `${least}..${size}`, offset);
    });
    const [first = 0] = offsets;
    const text = bytes.getSlice([first], [offsets.at(-1) ?? first]).bytes;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return offsets.slice(1).map((end, i) => {
      try {
        return decoder.decode(text.subarray((offsets[i] as number) - first, end - first));
      } catch {
        throw invalid(place, `row ${from + i}`, "UTF-8", "other bytes");
      }
    });
  };
  return withNulls(place, nrows, read);
}

/** Numbers of strings, and the strings. */
function dictionaryReader(place: ColumnPlace, nrows: number): ColumnReader {
  const { null_code: nullCode = -1 } = place.column.spec;
  const values = withObjects(place, `${place.key}_dict`, (objects) => [...objects]);
  return (from, to) => {
    using codes = openRows(place, place.key, nrows);
    return itemsOf(codes, from, to).map((code, i) => {
      if (code === nullCode) return null;
      const value = values[code as number];
      if (value === undefined)
        throw invalid(place, `row ${from + i}`, `0..${values.length - 1} or ${nullCode}`, Number(code));
      return value;
    });
  };
}

/**
 * What reads a column of `nrows` rows, deleted ones among them.
 *
 * @throws UnsupportedError for a kind that is not known; FormatError for a column that does not fit its table
 */
export function columnReader(store: Store, key: string, column: TableColumn, nrows: number): ColumnReader {
  const { kind, name } = column;
  const place = { store, key, column };
  if (ARRAY_KINDS.test(kind)) return arrayReader(place, nrows);
  if (OBJECT_KINDS.includes(kind)) return objectReader(place);
  if (kind === "utf8") return utf8Reader(place, nrows);
  if (kind === "dictionary") return dictionaryReader(place, nrows);
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED",
    `${store.path}: column "${name}" is of kind "${kind}", which is not known`,
    {
      feature: `column of kind ${kind}`,
      path: store.path,
      structure: `member "${key}"`,
    },
  );
}
