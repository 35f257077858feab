/** The report on the terminal. @module */
import Table from "cli-table3";
import { sumOfCalls } from "../call-counter.js";
import type { Environment } from "../environment.js";
import { isUsual, type Result } from "../result.js";
import { shortNumber, shortParameters } from "./numbers.js";

const PLAIN = {
  ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
  ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
  ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: "  " },
};

const COLUMNS = [
  "case",
  "data",
  "how much",
  "backend",
  "b2frame",
  "peer",
  "unit",
  "ratio",
  "quartiles",
  "calls",
  "goal",
];
const RIGHT_FROM = 4;
/** Columns that are left out where they say nothing. */
const MAYBE_EMPTY: readonly string[] = ["calls", "goal"];

/** How many system calls one sample takes, b2frame's and the peer's. */
export function callsText({ calls }: Result): string {
  return calls === undefined ? "" : `${sumOfCalls(calls.ours)} : ${sumOfCalls(calls.peer)}`;
}

function row(result: Result): string[] {
  const { goal, ratio, ratioQuartiles, workers } = result;
  const met = goal === undefined ? "" : `${goal} ${ratio >= goal ? "met" : "missed"}`;
  return [
    result.case,
    result.data,
    shortParameters(result.parameters),
    workers === 0 ? result.backend : `${result.backend}, ${workers} workers`,
    shortNumber(result.ours),
    shortNumber(result.peer),
    result.unit,
    shortNumber(ratio),
    ratioQuartiles.map(shortNumber).join(" - "),
    callsText(result),
    met,
  ];
}

function table(results: readonly Result[]): string {
  const rows = results.map(row);
  const shown = COLUMNS.map((_, i) => i).filter(
    (i) => !MAYBE_EMPTY.includes(COLUMNS[i] as string) || rows.some((cells) => cells[i] !== ""),
  );
  const made = new Table({
    head: shown.map((i) => COLUMNS[i] as string),
    chars: PLAIN,
    colAligns: shown.map((i) => (i < RIGHT_FROM || COLUMNS[i] === "goal" ? "left" : "right")),
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0, compact: true },
  });
  for (const cells of rows) made.push(shown.map((i) => cells[i] as string));
  return made
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const TITLES: Readonly<Record<string, string>> = {
  stdio: "mmap against stdio, both b2frame (peer: stdio)",
  "c-blosc2":
    "b2frame against C-Blosc2, each as it is: what b2frame writes has reached the disk, C-Blosc2 does not wait for that",
  "c-blosc2 process none":
    'like for like: b2frame with durability "process" against C-Blosc2 as it is: neither waits for the disk',
  "c-blosc2 disk disk": "like for like: b2frame against C-Blosc2 with an fdatasync at the end: both wait for the disk",
  numcodecs: "b2frame against numcodecs",
  zarrita: "b2frame against zarrita, which reads the same chunks as Zarr with Blosc, from files or behind HTTP",
  fetch: "b2frame against fetch and arrayBuffer of the same bytes",
  portable: "b2frame's kernels engine against its portable one",
  "no-workers": "b2frame's ordered pipeline on worker threads against the caller's thread alone",
  reopened: "files that stay open against files that are opened for each read, both b2frame's stdio",
  "fresh-buffer": "buffers that are used again against a new one for each read, both b2frame's stdio",
  unbuffered: "buffers against none, both b2frame's stdio",
};

/** Machine, versions and parameters, a line each. */
export function describeEnvironment(environment: Environment): readonly string[] {
  const { machine, versions, parameters, absentPeers } = environment;
  const { codec, clevel, filters, mib, cache, engine, samples } = parameters;
  return [
    `machine     ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB; ${machine.system}; files on ${machine.fileSystem}; load ${machine.loadAverage}`,
    `versions    ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}`,
    `parameters  ${codec} level ${clevel}, ${filters.join(", ")}; ${mib} MiB of data; ${cache} cache; ${engine} engine; at most ${samples} rounds`,
    ...Object.entries(absentPeers).map(([name, reason]) => `without     ${name}: ${reason}`),
  ];
}

function keyOf(result: Result): string {
  const { peerName, durability } = result;
  return durability === undefined || isUsual(result) ? peerName : `${peerName} ${durability.ours} ${durability.peer}`;
}

/** One table for each peer, more where writers were compared in several ways. Ratios are of speeds: more than 1 means that b2frame, or mmap, is faster. */
export function renderTables(results: readonly Result[]): string {
  const sections: string[] = [];
  for (const [key, title] of Object.entries(TITLES)) {
    const chosen = results.filter((result) => keyOf(result) === key);
    if (chosen.length > 0) sections.push(`${title}\n\n${table(chosen)}`);
  }
  return sections.join("\n\n");
}
