/** A frame's facts, for people. @module */
import Table from "cli-table3";
import pc from "picocolors";
import type { FrameFacts } from "../inspect/describe-frame.js";
import type { MetalayerFacts } from "../inspect/describe-metalayers.js";
import { printable } from "./printable.js";
import { formatBytes, formatCount, formatRatio, formatShape } from "./quantities.js";
import { BORDERLESS, fittingWidths } from "./table-style.js";

/** Longest value of a metalayer that is printed whole. */
const MAX_VALUE_LENGTH = 200;

/** The metalayer that holds what is printed as the array's layout. */
const ARRAY_LAYERS: readonly string[] = ["b2nd", "caterva"];

/** What python-blosc2's objects are called. */
const KINDS: Readonly<Record<string, string>> = {
  "object-array": "ObjectArray (Python objects)",
  "batch-array": "BatchArray (Python objects in batches)",
  "list-array": "ListArray (lists of Python objects)",
  "computed-array": "recipe of python-blosc2 without data",
  "proxy-cache": "cache of a proxy, of which only fetched chunks can be read",
  store: "store",
};

function pipeline({ filters }: FrameFacts): string {
  if (filters.length === 0) return "none";
  return filters.map(({ name, meta }) => (meta === 0 ? name : `${name}(${meta})`)).join(", ");
}

function codec({ codec: name, codecMeta, clevel, useDict }: FrameFacts): string {
  const meta = codecMeta === 0 ? "" : `, meta ${codecMeta}`;
  return `${printable(name)}, level ${clevel}${meta}${useDict ? ", with dictionaries" : ""}`;
}

function sizes(facts: FrameFacts): string {
  const { nbytes, cbytes, cratio, deadBytes } = facts;
  const dead = deadBytes === 0 ? "" : pc.yellow(`, ${formatBytes(deadBytes)} of it superseded`);
  const ratio = cratio === 0 ? "" : `, ${pc.bold(formatRatio(cratio))}`;
  return `${formatBytes(nbytes)} in ${formatBytes(cbytes)}${ratio}${dead}`;
}

function metalayer({ value, hex, byteLength }: MetalayerFacts): string {
  const text = hex === undefined ? JSON.stringify(value) : `${formatCount(byteLength, "byte")} ${hex}`;
  return printable(text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text);
}

function chunkRows(facts: FrameFacts): [string, string][] {
  const { array, nchunks, chunksize, blocksize } = facts;
  if (array !== undefined) {
    const itemsize = array.chunks.reduce((bytes, n) => bytes * n, facts.typesize);
    const blockBytes = array.blocks.reduce((bytes, n) => bytes * n, facts.typesize);
    return [
      ["shape", formatShape(array.shape)],
      ["dtype", printable(array.dtype)],
      ["chunks", `${nchunks} of ${formatShape(array.chunks)}, ${formatBytes(itemsize)} each`],
      ["blocks", `${formatShape(array.blocks)}, ${formatBytes(blockBytes)} each`],
    ];
  }
  const size =
    chunksize > 0
      ? `${nchunks}, ${formatBytes(chunksize)} each`
      : nchunks === 0
        ? "0"
        : `${nchunks} of different sizes`;
  return [
    ["items", `${facts.itemCount} of ${formatCount(facts.typesize, "byte")}`],
    ["chunks", size],
    ["blocks", blocksize > 0 ? formatBytes(blocksize) : "size chosen for each chunk"],
  ];
}

/** Several lines, each with a name and what there is to it. @param width columns of the terminal; any, if it is undefined */
export function renderFrame(facts: FrameFacts, width?: number): string {
  const rows: string[][] = [];
  const add = (name: string, content: string): void => {
    rows.push([pc.dim(name), content]);
  };
  for (const [name, content] of chunkRows(facts)) add(name, content);
  add("size", sizes(facts));
  if (facts.storedBytes !== undefined) add("on disk", formatBytes(facts.storedBytes));
  add("codec", codec(facts));
  add("filters", printable(pipeline(facts)));
  if (facts.checksums) add("checksums", "of each chunk");
  for (const layer of facts.meta) {
    if (facts.array === undefined || !ARRAY_LAYERS.includes(layer.name)) {
      add("metalayer", `${pc.cyan(printable(layer.name))} ${metalayer(layer)}`);
    }
  }
  for (const layer of facts.vlmeta) add("vlmetalayer", `${pc.cyan(printable(layer.name))} ${metalayer(layer)}`);
  const kind =
    facts.holds === undefined
      ? facts.kind
      : `${KINDS[facts.holds] ?? facts.holds}, kept as ${facts.kind === "array" ? "an array" : "a super-chunk"}`;
  const table = new Table({ ...BORDERLESS, colWidths: fittingWidths(rows, width) });
  table.push(...rows);
  const title = `${pc.bold(printable(facts.path))}  ${kind} in a ${facts.layout} frame`;
  return `${title}\n${table.toString().replace(/ +$/gm, "")}\n`;
}
