/** A store's facts, for people. @module */

import type { StoreFormat } from "@b2frame/stores";
import Table from "cli-table3";
import pc from "picocolors";
import type { MemberFacts, StoreFacts, TableFacts } from "../inspect/describe-store.js";
import { printable } from "./printable.js";
import { formatBytes, formatCount, formatRatio, formatShape } from "./quantities.js";
import { BORDERLESS, fittingWidths } from "./table-style.js";

/** Where a store of each format lies. */
export const STORE_PLACES: Readonly<Record<StoreFormat, string>> = {
  b2z: "in a ZIP file",
  b2d: "in a directory",
  b2e: "in one frame",
};

function tableText({ nrows, columns }: TableFacts): string {
  return `${formatCount(nrows, "row")} of ${columns.map(({ name, kind }) => `${name} (${kind})`).join(", ")}`;
}

function memberRow({ key, kind, storage, shape, dtype, nbytes, cbytes, table }: MemberFacts): string[] {
  const ratio = nbytes === undefined || cbytes === undefined || cbytes === 0 ? "" : formatRatio(nbytes / cbytes);
  return [
    printable(key),
    kind,
    storage ?? "",
    shape === undefined ? "" : formatShape(shape),
    table === undefined ? printable(dtype ?? "") : printable(tableText(table)),
    nbytes === undefined ? "" : formatBytes(nbytes),
    cbytes === undefined ? "" : formatBytes(cbytes),
    ratio,
  ];
}

const HEADINGS = ["key", "kind", "storage", "shape", "dtype", "nbytes", "cbytes", "ratio"] as const;
const FIRST_NUMBER = 5;
/** Columns that are left out before keys are cut to less than {@link LEAST_KEY} characters. */
const DISPENSABLE = [2, 5, 6] as const;
const LEAST_KEY = 24;

/** The columns that leave enough of the keys. */
function fittingColumns(rows: readonly (readonly string[])[], width: number | undefined): number[] {
  const left = HEADINGS.map((_, i) => i);
  for (const column of DISPENSABLE) {
    const widths = fittingWidths(
      rows.map((row) => left.map((i) => row[i] ?? "")),
      width,
    );
    const [wanted = 0] = fittingWidths(rows, undefined);
    if ((widths[0] as number) >= Math.min(wanted, LEAST_KEY)) break;
    left.splice(left.indexOf(column), 1);
  }
  return left;
}

/** A line for each member, with headings. @param width columns of the terminal; any, if it is undefined */
export function renderMembers(members: readonly MemberFacts[], width?: number): string {
  const all = [HEADINGS.map((heading) => pc.dim(heading)), ...members.map(memberRow)];
  const columns = fittingColumns(all, width);
  const rows = all.map((row) => columns.map((column) => row[column] ?? ""));
  const table = new Table({
    ...BORDERLESS,
    colWidths: fittingWidths(rows, width),
    colAligns: columns.map((column) => (column < FIRST_NUMBER ? "left" : "right")),
  });
  table.push(...rows);
  return `${table.toString().replace(/ +$/gm, "")}\n`;
}

/** What it is, its attributes, its members. */
export function renderStore({ path, format, type, attributes, table, members }: StoreFacts, width?: number): string {
  const title = `${pc.bold(printable(path))}  ${type} store ${STORE_PLACES[format]}, ${formatCount(members.length, "member")}`;
  const stated = attributes === undefined ? "{}" : JSON.stringify(attributes);
  const line = stated === "{}" ? "" : `${pc.dim("attributes")}  ${printable(stated)}\n`;
  const tableLine = table === undefined ? "" : `${pc.dim("table")}  ${printable(tableText(table))}\n`;
  return `${title}\n${line}${tableLine}${members.length === 0 ? "" : renderMembers(members, width)}`;
}
