import { encodeMsgpack, SChunk } from "@b2frame/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objectsOf, openSChunk, openStore, tableOf } from "../../src/index.js";
import { runGood } from "../run-cli.js";
import { expected, FOLDER, objectPath } from "./python-objects.js";

/** A value as `expected.json` has it: bytes by base64, numbers of units since 1970 for times. */
function told(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map(told);
  return value;
}

/** `expected.json` has byte strings of fixed length, 64-bit integers and times in forms that JSON can hold. */
function toldCell(value: unknown, kind: string): unknown {
  if (value === null) return value;
  if (kind === "timestamp") return { timestamp: Number(value) };
  if (kind === "bytes") return { base64: Buffer.from(String(value), "latin1").toString("base64") };
  return typeof value === "bigint" ? Number(value) : told(value);
}

describe("Python objects", () => {
  it.each(Object.entries(expected.objects))("in %s are those that python-blosc2 reads", (name, { items }) => {
    using file = openSChunk(objectPath(name));
    const objects = objectsOf(file);
    expect(objects.length).toBe(items.length);
    expect([...objects].map(told)).toEqual(items);
    expect(items.map((_, i) => told(objects.at(-1 - i)))).toEqual([...items].reverse());
    fc.assert(
      fc.property(fc.nat(items.length), fc.nat(items.length), (start, stop) => {
        expect(objects.slice(start, stop).map(told)).toEqual(items.slice(start, stop));
      }),
    );
    expect(() => objects.at(items.length)).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_OUT_OF_RANGE" }));
  });

  it("are not looked for in other files", () => {
    using file = openSChunk(objectPath("tensor-f4.b2frame"));
    expect(() => objectsOf(file)).toThrow(/tensor-f4\.b2frame: is of kind "super-chunk" and holds no Python objects/);
  });

  it("that pyarrow wrote are refused by name", () => {
    using file = SChunk.create({ meta: { batcharray: encodeMsgpack({ version: 1, serializer: "arrow" }) } });
    expect(() => objectsOf(file)).toThrow(
      expect.objectContaining({ code: "BLOSC2_UNSUPPORTED", message: expect.stringContaining('written by "arrow"') }),
    );
  });

  it("in chunks that hold something else are refused by the chunk's number", () => {
    using file = SChunk.create({
      meta: { vlarray: encodeMsgpack({ version: 1, serializer: "msgpack" }) },
      cparams: { typesize: 1 },
    });
    file.appendData(Uint8Array.of(0xc0));
    file.appendData(Uint8Array.of(0xc1));
    const objects = objectsOf(file);
    expect(objects.at(0)).toBe(null);
    expect(() => objects.at(1)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ structure: "chunk 1" }) }),
    );
  });
});

describe.each(Object.entries(expected.tables))("the table %s", (name, { columns, rows }) => {
  it("has the columns and rows that python-blosc2 reads, without those that were deleted", () => {
    using store = openStore(objectPath(name));
    const table = tableOf(store)!;
    expect(table.columns.map((column) => column.name)).toEqual(columns);
    expect(table.nrows).toBe(rows.length);
    const kinds = new Map(table.columns.map((column) => [column.name, column.kind]));
    const toldRows = [...table.rows()].map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, toldCell(value, kinds.get(key)!)])),
    );
    expect(toldRows).toEqual(rows);
    for (const column of columns) {
      expect(table.column(column).map((value) => toldCell(value, kinds.get(column)!))).toEqual(
        rows.map((row) => row[column]),
      );
      expect(table.column(column, { start: 1 })).toEqual(table.column(column).slice(1));
      expect(table.column(column, { start: 1, stop: 2 })).toEqual(table.column(column).slice(1, 2));
    }
    expect(() => table.column("none")).toThrow(new RegExp(`no column "none"; there are: ${columns.join(", ")}`));
    expect(() => table.column("none")).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
  });

  it("is told by info", () => {
    const stdout = runGood(["info", name], { cwd: FOLDER });
    const counted = rows.length === 1 ? "1 row" : `${rows.length} rows`;
    expect(stdout).toContain(`table  ${counted} of ${columns[0]} (`);
    for (const column of columns) expect(stdout).toContain(`${column} (`);
  });
});
