/** Tables of python-blosc2 (`CTable`), for reading. @module */
import { ArgumentError, FormatError } from "@b2frame/core";
import type { Store } from "@b2frame/stores";
import { type ColumnReader, columnReader, type TableColumn } from "./table-column.js";

/** Rows that are decoded at once. */
const BATCH_ROWS = 1 << 14;

/** Which rows. */
export interface RowRange {
  /** The first one; 0 if not given. */
  readonly start?: number;
  /** The one behind the last; all rows if not given. */
  readonly stop?: number;
}

/** Rows of the file with the numbers that they have in the table. */
interface RowBatch {
  readonly from: number;
  readonly to: number;
  /** Places in `from..to` of the rows that were not deleted and were asked for. */
  readonly kept: readonly number[];
}

/** The path that a column's name has in the store: dots separate levels, and `\` before one keeps it. */
function columnPath(name: string): string {
  const encode = (text: string): string =>
    text.replace(/[%/.\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const parts = name.match(/(?:\\.|[^.\\])+/gsu) ?? [name];
  return parts.map((part) => encode(part.replace(/\\(.)/gsu, "$1"))).join("/");
}

function columnOf(value: unknown, fail: (field: string, expected: string, found: string) => FormatError): TableColumn {
  const spec = (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const { name, kind, nullable = false } = spec;
  if (typeof name !== "string" || typeof kind !== "string") {
    throw fail("columns", "objects with a name and a kind", JSON.stringify(value)?.slice(0, 80) ?? typeof value);
  }
  return { name, kind, nullable: nullable === true, spec };
}

/**
 * A table that python-blosc2 wrote. Numbers of rows count those that were not deleted. Values are those of `NDBuffer.get`, or of
 * {@link objectsOf} in columns of Python objects; a missing one is `null`.
 *
 * @example
 * ```ts
 * using store = openStore("table.b2z");
 * for (const row of tableOf(store).rows()) console.log(row);
 * ```
 */
export class Table {
  readonly columns: readonly TableColumn[];
  /** Rows that were not deleted. */
  readonly nrows: number;
  readonly #store: Store;
  readonly #key: string;
  /** Rows in the file. */
  readonly #stored: number;
  readonly #readers = new Map<string, ColumnReader>();

  private constructor(store: Store, key: string) {
    this.#store = store;
    this.#key = key === "/" ? "" : key;
    this.columns = this.#readSchema();
    using valid = this.#openValid();
    this.#stored = valid.shape[0] as number;
    let nrows = 0;
    for (let from = 0; from < this.#stored; from += BATCH_ROWS) {
      for (const flag of valid.getSlice([from], [Math.min(from + BATCH_ROWS, this.#stored)]).bytes) nrows += flag;
    }
    this.nrows = nrows;
  }

  /** See {@link tableOf}. */
  static of(store: Store, key: string): Table {
    return new Table(store, key);
  }

  /**
   * The values of one column.
   *
   * @throws ArgumentError if there is no such column; UnsupportedError for one of a kind that is not known; FormatError for a damaged one
   */
  column(name: string, range: RowRange = {}): unknown[] {
    const read = this.#reader(name);
    const values: unknown[] = [];
    for (const { from, to, kept } of this.#batches(range)) {
      const stored = read(from, to);
      for (const place of kept) values.push(stored[place]);
    }
    return values;
  }

  /** Rows, one after the other, as objects with a field for each column. @throws as {@link column} */
  *rows(range: RowRange = {}): IterableIterator<Record<string, unknown>> {
    const readers = this.columns.map(({ name }) => [name, this.#reader(name)] as const);
    for (const { from, to, kept } of this.#batches(range)) {
      const stored = readers.map(([name, read]) => [name, read(from, to)] as const);
      for (const place of kept) yield Object.fromEntries(stored.map(([name, values]) => [name, values[place]]));
    }
  }

  #fail(member: string, field: string, expected: string, found: string): FormatError {
    const location = { path: this.#store.path, structure: `member "${this.#key}${member}"`, position: 0 };
    return new FormatError("BLOSC2_FORMAT_INVALID", { ...location, field, expected, found });
  }

  #readSchema(): TableColumn[] {
    using meta = this.#store.openSChunk(`${this.#key}/_meta`);
    const fail = (field: string, expected: string, found: string): FormatError =>
      this.#fail("/_meta", `vlmetalayer "schema", ${field}`, expected, found);
    const text = meta.vlmeta.has("schema") ? meta.vlmeta.getValue("schema") : undefined;
    let schema: unknown;
    try {
      schema = JSON.parse(String(text));
    } catch {
      throw fail("content", "JSON", String(text).slice(0, 80));
    }
    const columns =
      typeof schema === "object" && schema !== null ? (schema as { columns?: unknown }).columns : undefined;
    if (!Array.isArray(columns)) throw fail("columns", "a list", typeof columns);
    return columns.map((each) => columnOf(each, fail));
  }

  #openValid() {
    const key = "/_valid_rows";
    const valid = this.#store.openArray(`${this.#key}${key}`);
    if (valid.ndim === 1 && valid.dtype.itemsize === 1) return valid;
    const found = `${valid.ndim} dimensions of ${valid.dtype.str}`;
    valid.close();
    throw this.#fail(key, "shape and dtype", "one dimension of |b1", found);
  }

  #reader(name: string): ColumnReader {
    const known = this.#readers.get(name);
    if (known !== undefined) return known;
    const column = this.columns.find((each) => each.name === name);
    if (column === undefined) {
      const names = this.columns.map((each) => each.name).join(", ");
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `there is no column "${name}"; there are: ${names}`, {
        parameter: "name",
        found: name,
      });
    }
    const reader = columnReader(this.#store, `${this.#key}/_cols/${columnPath(name)}`, column, this.#stored);
    this.#readers.set(name, reader);
    return reader;
  }

  *#batches({ start = 0, stop = this.nrows }: RowRange): IterableIterator<RowBatch> {
    if (!Number.isInteger(start) || !Number.isInteger(stop) || start < 0) {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "start and stop: expected integers, and none below 0", {
        parameter: "range",
      });
    }
    using valid = this.#openValid();
    let row = 0;
    for (let from = 0; from < this.#stored && row < stop; from += BATCH_ROWS) {
      const to = Math.min(from + BATCH_ROWS, this.#stored);
      const kept: number[] = [];
      valid.getSlice([from], [to]).bytes.forEach((flag, place) => {
        if (flag === 0) return;
        if (row >= start && row < stop) kept.push(place);
        row++;
      });
      if (kept.length > 0) yield { from, to, kept };
    }
  }
}

/**
 * The table that a store is, or has under `key`; `undefined` if that is none. It reads from the store, which stays open.
 *
 * @throws FormatError for a damaged table; as {@link Store.openSChunk}
 */
export function tableOf(store: Store, key = "/"): Table | undefined {
  const prefix = key === "/" ? "" : key.replace(/\/$/, "");
  // Parts of a table that lies in a group are no members of their own.
  if (prefix !== "" ? !store.has(prefix) || store.kind(prefix) !== "table" : !store.has("/_meta")) return undefined;
  using meta = store.openSChunk(`${prefix}/_meta`);
  const { vlmeta } = meta;
  return vlmeta.has("kind") && vlmeta.getValue("kind") === "ctable" ? Table.of(store, prefix || "/") : undefined;
}
