/** Plots of what single ideas bring. @module */
import * as Plot from "@observablehq/plot";
import { sumOfCalls } from "../call-counter.js";
import { isUsual, type Result } from "../result.js";
import { backendLegend, colourScale, type LegendEntry, paletteLegend, ratioTick, svgOf, WIDTH } from "./figure.js";
import { shortNumber, shortSize } from "./numbers.js";
import { distinct, headline } from "./select-results.js";

const HALF_WIDTH = WIDTH / 2 - 16;
const MICROSECONDS = 1e6;
const POWERS_OF_TEN = [0.001, 0.01, 0.1, 1, 10, 100, 1000];

/** A plot and the legend that goes with it. */
export interface PlotWithLegend {
  readonly svg: string;
  readonly legend: readonly LegendEntry[];
}

/** Something that took time. */
export interface Bar {
  readonly group: string;
  readonly who: string;
  /** Operations per second. */
  readonly speed: number;
}

/** Time for one operation, a bar for each contender in each group. */
export function timeBars(bars: readonly Bar[], operation: string): PlotWithLegend {
  const legend = paletteLegend([...new Set(bars.map((bar) => bar.who))]);
  const rows = bars.map(({ group, who, speed }) => {
    const time = MICROSECONDS / speed;
    return { group, who, time, text: `${shortNumber(time)} µs`, tip: `${who}, ${group}: ${shortNumber(time)} µs` };
  });
  const groups = new Set(rows.map((row) => row.group)).size;
  const svg = svgOf({
    height: rows.length * 24 + groups * 14 + 50,
    marginLeft: 110,
    marginRight: 70,
    marginBottom: 40,
    x: { label: `microseconds ${operation}`, grid: true, zero: true },
    y: { domain: legend.map(([name]) => name), axis: null },
    fy: { label: null, axis: "left", domain: [...new Set(rows.map((row) => row.group))] },
    color: colourScale(legend),
    marks: [
      Plot.barX(rows, { x: "time", y: "who", fy: "group", fill: "who", insetTop: 1, insetBottom: 1, title: "tip" }),
      Plot.text(rows, { x: "time", y: "who", fy: "group", text: "text", dx: 6, textAnchor: "start" }),
      Plot.ruleX([0]),
    ],
  } as Parameters<typeof svgOf>[0]);
  return { svg, legend };
}

/** Over the size of the buffer: the speed, as a ratio to no buffer, and the system calls of an operation; a line for each workload. */
export function bufferPlots(results: readonly Result[]): readonly (PlotWithLegend & { readonly title: string })[] {
  const workloads = distinct(results, (result) => String(result.parameters.workload));
  const sizes = distinct(results, (result) => Number(result.parameters.bufferSize));
  const legend = paletteLegend(workloads);
  const domain = ["none", ...sizes.map(shortSize)];
  const points = results.flatMap((result) => {
    const workload = String(result.parameters.workload);
    const operations = Number(result.parameters.operations);
    const { calls, ratio, parameters } = result;
    const none = { workload, size: "none", ratio: 1, calls: calls && sumOfCalls(calls.peer) / operations };
    const some = {
      workload,
      size: shortSize(Number(parameters.bufferSize)),
      ratio,
      calls: calls && sumOfCalls(calls.ours) / operations,
    };
    return parameters.bufferSize === sizes[0] ? [none, some] : [some];
  });
  const plot = (y: "ratio" | "calls", options: object): string =>
    svgOf({
      height: 280,
      width: HALF_WIDTH,
      marginLeft: 52,
      marginTop: 32,
      marginBottom: 44,
      x: { type: "point", domain, label: "buffer" },
      color: colourScale(legend),
      ...options,
      marks: [
        ...(y === "ratio" ? [Plot.ruleY([1], { stroke: "currentColor" })] : []),
        Plot.line(points, { x: "size", y, stroke: "workload", z: "workload", strokeWidth: 2.5 }),
        Plot.dot(points, {
          ...{ x: "size", y, fill: "workload", r: 4 },
          title: (point) => `${point.workload}, ${point.size}: ${shortNumber(point[y] as number)}`,
        }),
      ],
    } as Parameters<typeof svgOf>[0]);
  const speeds = { y: { grid: true, label: "times as fast as without a buffer", tickFormat: ratioTick, nice: true } };
  const counts = points.map((point) => point.calls).filter((count) => count !== undefined);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const ticks = POWERS_OF_TEN.filter((power) => power * 10 > least && power < most * 10);
  const yDomain = [Math.min(least, ...ticks), Math.max(most, ...ticks)];
  const calls = {
    y: { type: "log", domain: yDomain, label: "system calls an operation", ticks, tickFormat: String, grid: true },
  };
  return [
    { title: "Speed", svg: plot("ratio", speeds), legend },
    { title: "System calls", svg: plot("calls", calls), legend },
  ];
}

/** Speed over the number of workers, as a ratio to b2frame without, a panel for each data set. */
export function workerPlot(results: readonly Result[], name: string): PlotWithLegend {
  const chosen = headline(results).filter((result) => result.case === name && isUsual(result));
  const alone = new Map<string, number>();
  for (const result of chosen) {
    if (result.peerName === "no-workers") alone.set(`${result.backend} ${result.data}`, result.peer);
  }
  const points = new Map<string, { data: string; workers: number; who: string; ratio: number; speed: number }>();
  for (const { data, workers, backend, peerName, ours, peer } of chosen) {
    const base = alone.get(`${backend} ${data}`);
    if (base === undefined) continue;
    const add = (who: string, workers: number, speed: number): void => {
      points.set(`${data} ${workers} ${who}`, { data, workers, who, speed, ratio: speed / base });
    };
    if (peerName === "no-workers") {
      add(backend, 0, peer);
      add(backend, workers, ours);
    } else if (peerName === "c-blosc2") add(`C-Blosc2, ${backend}`, workers, peer);
  }
  const rows = [...points.values()];
  const legend = backendLegend(rows.map((row) => row.who));
  const svg = svgOf({
    height: 310,
    marginLeft: 52,
    marginTop: 46,
    marginBottom: 44,
    fx: { label: null, domain: [...new Set(rows.map((row) => row.data))], padding: 0.12 },
    x: { type: "point", domain: [...new Set(rows.map((row) => row.workers))].sort(), label: "workers" },
    y: { type: "log", grid: true, label: "times as fast as b2frame without workers", tickFormat: ratioTick, ticks: 6 },
    color: colourScale(legend),
    marks: [
      Plot.ruleY([1], { stroke: "currentColor" }),
      Plot.line(rows, { fx: "data", x: "workers", y: "ratio", stroke: "who", z: "who", strokeWidth: 2.5 }),
      Plot.dot(rows, {
        ...{ fx: "data", x: "workers", y: "ratio", fill: "who", r: 4 },
        title: (row) => `${row.who}, ${row.data}, ${row.workers} workers: ${shortNumber(row.speed)} MiB/s`,
      }),
    ],
  } as Parameters<typeof svgOf>[0]);
  return { svg, legend };
}
