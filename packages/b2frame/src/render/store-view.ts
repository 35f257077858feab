/** A store's facts, for people. @module */

import type { StoreFormat } from "@b2frame/stores";
import Table from "cli-table3";
import pc from "picocolors";
import type { MemberFacts, StoreFacts, TableFacts } from "../inspect/describe-store.js";
import { printable } from "./printable.js";
import { formatBytes, formatCount, formatRatio, formatShape } from "./quantities.js";
import { BORDERLESS } from "./table-style.js";

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

/** A line for each member, with headings. */
export function renderMembers(members: readonly MemberFacts[]): string {
  const headings = ["key", "kind", "storage", "shape", "dtype", "nbytes", "cbytes", "ratio"];
  const table = new Table({
    ...BORDERLESS,
    colAligns: headings.map((_, i) => (i < 5 ? "left" : "right")),
  });
  table.push(
    headings.map((heading) => pc.dim(heading)),
    ...members.map(memberRow),
  );
  return `${table.toString().replace(/ +$/gm, "")}\n`;
}

/** What it is, its attributes, its members. */
export function renderStore({ path, format, type, attributes, table, members }: StoreFacts): string {
  const title = `${pc.bold(printable(path))}  ${type} store ${STORE_PLACES[format]}, ${formatCount(members.length, "member")}`;
  const stated = attributes === undefined ? "{}" : JSON.stringify(attributes);
  const line = stated === "{}" ? "" : `${pc.dim("attributes")}  ${printable(stated)}\n`;
  const tableLine = table === undefined ? "" : `${pc.dim("table")}  ${printable(tableText(table))}\n`;
  return `${title}\n${line}${tableLine}${members.length === 0 ? "" : renderMembers(members)}`;
}
