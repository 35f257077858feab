/** The plots of the HTML report, as SVG text. @module */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { CASES_BY_CHUNKSIZE, CHUNKSIZE } from "../parameters.js";
import type { Result } from "../result.js";
import { shortNumber, shortParameters, shortSize } from "./numbers.js";

const WIDTH = 920;
const ROW_HEIGHT = 21;
const LABELS_WIDTH = 235;
const MARGIN_RIGHT = 24;
const AXIS_HEIGHT = 44;
const MARGIN_BOTTOM = 10;

/** Colours that stand out on white and on black. */
export const COLOURS: Readonly<Record<string, string>> = {
  stdio: "#2f7ed8",
  mmap: "#e0742c",
  memory: "#8a63d2",
  "C-Blosc2, stdio": "#9fb4c7",
  "C-Blosc2, mmap": "#c9a58a",
};
const AXIS_LABEL = "times as fast";
const FASTER = "#2e9e5b";
const SLOWER = "#d1495b";

const LABELS: Readonly<Record<string, string>> = { "c-blosc2": "C-Blosc2" };

/** A figure with its caption. */
export interface Figure {
  readonly title: string;
  readonly caption: string;
  readonly svg: string;
}

type PlotOptions = NonNullable<Parameters<typeof Plot.plot>[0]>;

/** Renders a plot without a browser. */
function svgOf(options: PlotOptions): string {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const plot = Plot.plot({
    width: WIDTH,
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    document,
    ...options,
  } as PlotOptions);
  return String((plot as unknown as { outerHTML: string }).outerHTML);
}

/** A row's label: the case, and the data where the case has several. */
function rowLabel(result: Result, all: readonly Result[]): string {
  const { workers } = result;
  const data = new Set(all.filter((other) => other.case === result.case).map((other) => other.data));
  const sizes = new Set(all.filter((other) => other.case === result.case).map((other) => other.parameters.nbytes));
  const words = [data.size > 1 ? `${result.case}, ${result.data}` : result.case];
  if (sizes.size > 1) words.push(shortSize(Number(result.parameters.nbytes)));
  if (workers > 0) words.push(`${workers} workers`);
  return words.join(", ");
}

interface RatioRow {
  readonly label: string;
  readonly backend: string;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly goal: number | undefined;
  readonly tip: string;
}

function ratioRows(results: readonly Result[]): readonly RatioRow[] {
  return results.map((result) => {
    const { backend, ratio, ratioQuartiles, goal, unit } = result;
    const [low, high] = ratioQuartiles;
    const speeds = `b2frame ${shortNumber(result.ours)}, ${result.peerName} ${shortNumber(result.peer)} ${unit}`;
    const tip = `${result.case}, ${result.data}, ${backend}: ${shortNumber(ratio)} times as fast\n${speeds}\n${shortParameters(result.parameters)}`;
    return { label: rowLabel(result, results), backend, ratio, low, high, goal, tip };
  });
}

function ratioTick(value: number): string {
  return `${Number(value.toPrecision(2))}x`;
}

/** Ratios on a logarithmic scale, a row each, with their quartiles, and the goals as ticks. */
function ratioPlot(results: readonly Result[]): string {
  const rows = ratioRows(results);
  const labels = [...new Set(rows.map((row) => row.label))];
  const backends = [...new Set(rows.map((row) => row.backend))];
  const goals = rows.filter((row) => row.goal !== undefined);
  const ends = [...rows.flatMap((row) => [row.low, row.high]), ...goals.map((row) => row.goal as number), 0.9, 1.1];
  const domain: [number, number] = [Math.min(...ends) / 1.15, Math.max(...ends) * 1.15];
  return svgOf({
    height: labels.length * ROW_HEIGHT + AXIS_HEIGHT + MARGIN_BOTTOM,
    marginLeft: LABELS_WIDTH,
    marginRight: MARGIN_RIGHT,
    marginTop: AXIS_HEIGHT,
    marginBottom: MARGIN_BOTTOM,
    x: { type: "log", domain, grid: true, ticks: 8 },
    y: { domain: labels, label: null, tickSize: 0 },
    color: { domain: backends, range: backends.map((name) => COLOURS[name] as string) },
    marks: [
      Plot.rectX([{ from: domain[0], to: 1 }], { x1: "from", x2: "to", fill: SLOWER, fillOpacity: 0.07 }),
      Plot.rectX([{ from: 1, to: domain[1] }], { x1: "from", x2: "to", fill: FASTER, fillOpacity: 0.07 }),
      Plot.ruleX([1], { stroke: "currentColor", strokeWidth: 1.5 }),
      Plot.tickX(goals, { x: "goal", y: "label", stroke: "currentColor", strokeWidth: 2, strokeDasharray: "2,2" }),
      Plot.ruleY(rows, { x1: "low", x2: "high", y: "label", stroke: "backend", strokeWidth: 5, strokeOpacity: 0.35 }),
      Plot.dot(rows, { x: "ratio", y: "label", fill: "backend", r: 5, title: "tip" }),
      Plot.axisX({ anchor: "top", ticks: 8, tickFormat: ratioTick, label: AXIS_LABEL, labelAnchor: "right" }),
    ],
  });
}

interface SpeedPoint {
  readonly x: number;
  readonly speed: number;
  readonly who: string;
  readonly tip: string;
}

function speedPoints(results: readonly Result[], x: (result: Result) => number): readonly SpeedPoint[] {
  return results.flatMap((result) => {
    const at = x(result);
    const ours = { x: at, speed: result.ours, who: result.backend };
    const theirs = { x: at, speed: result.peer, who: `${LABELS[result.peerName]}, ${result.backend}` };
    const points = result.peerName === "c-blosc2" ? [ours, theirs] : [ours];
    return points.map((point) => ({ ...point, tip: `${point.who}: ${shortNumber(point.speed)} ${result.unit}` }));
  });
}

/** Speed over something that was varied, a line for each contender. */
function speedPlot(points: readonly SpeedPoint[], xAxis: PlotOptions["x"], unit: string): string {
  const who = [...new Set(points.map((point) => point.who))];
  return svgOf({
    height: 300,
    width: WIDTH / 2 - 16,
    marginLeft: 52,
    marginBottom: AXIS_HEIGHT,
    x: { grid: true, ...(xAxis as object) },
    y: { zero: true, grid: true, label: `${unit} of uncompressed data` },
    color: { domain: who, range: who.map((name) => COLOURS[name] as string) },
    marks: [
      Plot.ruleY([0]),
      Plot.line(points, { x: "x", y: "speed", stroke: "who", strokeWidth: 2.5 }),
      Plot.dot(points, { x: "x", y: "speed", fill: "who", r: 4, title: "tip" }),
    ],
  });
}

/** Results of a case that differ in more than one chunk size; else none. */
function chunksizeSeries(results: readonly Result[], name: string): readonly Result[] {
  const chosen = results.filter((result) => result.case === name && result.workers === 0 && !result.peerVariant);
  const sizes = (data: string) =>
    new Set(chosen.filter((result) => result.data === data).map((result) => result.parameters.chunksize));
  const data = chosen.map((result) => result.data).find((name) => sizes(name).size > 1);
  return chosen.filter((result) => result.data === data);
}

/** Without the results for other than the usual chunk size, where a case varies it. */
function headline(results: readonly Result[]): readonly Result[] {
  return results.filter(
    (result) => !CASES_BY_CHUNKSIZE.includes(result.case) || result.parameters.chunksize === CHUNKSIZE,
  );
}

/** Speed against the size of the chunks, a figure for each case that varies it. */
export function chunksizeFigures(results: readonly Result[]): readonly Figure[] {
  const figures: Figure[] = [];
  for (const name of CASES_BY_CHUNKSIZE) {
    const series = chunksizeSeries(results, name);
    if (series.length === 0) continue;
    const against = series.some((result) => result.peerName === "c-blosc2") ? "c-blosc2" : "stdio";
    const points = speedPoints(
      series.filter((result) => result.peerName === against),
      (result) => Number(result.parameters.chunksize),
    );
    const ticks = [...new Set(points.map((point) => point.x))];
    const xAxis = { type: "log", base: 2, label: "chunk size", ticks, tickFormat: shortSize } as const;
    figures.push({
      title: `${name}, by size of chunks`,
      caption: `${series[0]?.data}, one thread`,
      svg: speedPlot(points, xAxis, "MiB/s"),
    });
  }
  return figures;
}

/** Speed against the number of workers, for each case and data set that was run with some. */
export function workerFigures(results: readonly Result[]): readonly Figure[] {
  const withWorkers = results.filter((result) => result.workers > 0);
  const keys = new Set(withWorkers.map((result) => `${result.case}|${result.data}`));
  return [...keys].map((key) => {
    const [name, data] = key.split("|");
    const series = headline(results).filter(
      (result) => result.case === name && result.data === data && result.peerName === "c-blosc2" && !result.peerVariant,
    );
    const points = speedPoints(series, (result) => result.workers);
    return {
      title: `${name}, by number of workers`,
      caption: `${data}; C-Blosc2 with as many threads, and one where b2frame has no workers`,
      svg: speedPlot(
        points,
        { label: "workers", ticks: [...new Set(points.map((point) => point.x))], tickFormat: "d" },
        "MiB/s",
      ),
    };
  });
}

/** Ratios to each peer, and of mmap to stdio. */
export function ratioFigures(results: readonly Result[]): readonly Figure[] {
  const figures: Figure[] = [];
  const add = (title: string, caption: string, chosen: readonly Result[]): void => {
    if (chosen.length > 0) figures.push({ title, caption, svg: ratioPlot(headline(chosen)) });
  };
  const against = (peerName: string, variant?: string) =>
    results.filter((result) => result.peerName === peerName && result.peerVariant === variant);
  add(
    "Against C-Blosc2",
    "Right of the line b2frame is faster. Dashes are goals, bars reach from quartile to quartile.",
    against("c-blosc2"),
  );
  add("mmap against stdio", "Both are b2frame. Right of the line mmap is faster.", against("stdio"));
  add(
    "Whole buffers against numcodecs",
    "Blosc in WebAssembly from npm, on the same bytes in memory.",
    against("numcodecs"),
  );
  add(
    "The kernels engine against the portable one",
    "WebAssembly with SIMD against plain TypeScript.",
    against("portable"),
  );
  add(
    "Appending, when C-Blosc2 makes its file durable, too",
    "b2frame always does before close() returns; C-Blosc2 leaves it to the system.",
    against("c-blosc2", "fsync"),
  );
  return figures;
}
