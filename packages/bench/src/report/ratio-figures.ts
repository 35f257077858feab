/** Figures of ratios, a row for each comparison. @module */
import * as Plot from "@observablehq/plot";
import { isUsual, type Result } from "../result.js";
import type { WriteDurability } from "../trial.js";
import { backendLegend, colourScale, type Figure, type LegendEntry, MET, MISSED, ratioTick, svgOf } from "./figure.js";
import { shortNumber, shortParameters, shortSize } from "./numbers.js";
import { headline } from "./select-results.js";

const ROW_HEIGHT = 21;
const LABELS_WIDTH = 245;
const GOAL_LABELS_WIDTH = 330;
const MARGIN_RIGHT = 24;
const AXIS_HEIGHT = 44;
const MARGIN_BOTTOM = 10;
/** As many lines of the grid as leave room for their labels. */
const TICKS = 8;

interface RatioRow {
  readonly label: string;
  readonly colour: string;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly goal: number | undefined;
  readonly tip: string;
}

/** Whether a result has a goal and is below it. */
export function isMissed({ goal, ratio }: Result): boolean {
  return goal !== undefined && ratio < goal;
}

/** A row's label: the case, and the data and the size where the case has several. */
function rowLabel(result: Result, all: readonly Result[]): string {
  const { workers, parameters } = result;
  const alike = all.filter((other) => other.case === result.case);
  const several = (value: (other: Result) => unknown) => new Set(alike.map(value)).size > 1;
  const words: string[] = [result.case];
  if (several((other) => other.data)) words.push(result.data);
  for (const name of ["nbytes", "chunksize"] as const) {
    if (several((other) => other.parameters[name])) words.push(shortSize(Number(parameters[name])));
  }
  if (workers > 0) words.push(workers === 1 ? "1 worker" : `${workers} workers`);
  return words.join(", ");
}

function tipOf(result: Result): string {
  const { backend, ratio, unit, goal, durability } = result;
  const speeds = `b2frame ${shortNumber(result.ours)}, ${result.peerName} ${shortNumber(result.peer)} ${unit}`;
  const kept = durability === undefined ? "" : `\ndurability: ${durability.ours}, the peer's: ${durability.peer}`;
  const verdict = goal === undefined ? "" : `\ngoal ${goal}, ${isMissed(result) ? "missed" : "met"}`;
  return `${result.case}, ${result.data}, ${backend}: ${shortNumber(ratio)} times as fast\n${speeds}\n${shortParameters(result.parameters)}${kept}${verdict}`;
}

/** Ratios on a logarithmic scale, with their quartiles. */
function ratioPlot(
  rows: readonly RatioRow[],
  legend: readonly LegendEntry[],
  { axisLabel, labelsWidth }: { readonly axisLabel: string; readonly labelsWidth: number },
): string {
  const labels = [...new Set(rows.map((row) => row.label))];
  const goals = rows.filter((row) => row.goal !== undefined);
  const missed = goals.filter((row) => row.ratio < (row.goal as number));
  const ends = [...rows.flatMap((row) => [row.low, row.high]), ...goals.map((row) => row.goal as number), 0.9, 1.1];
  const domain: [number, number] = [Math.min(...ends) / 1.15, Math.max(...ends) * 1.15];
  return svgOf({
    height: labels.length * ROW_HEIGHT + AXIS_HEIGHT + MARGIN_BOTTOM,
    marginLeft: labelsWidth,
    marginRight: MARGIN_RIGHT,
    marginTop: AXIS_HEIGHT,
    marginBottom: MARGIN_BOTTOM,
    x: { type: "log", domain, grid: true, ticks: TICKS },
    y: { domain: labels, label: null, tickSize: 0 },
    color: colourScale(legend),
    marks: [
      Plot.rectX([{ from: domain[0], to: 1 }], { x1: "from", x2: "to", fill: MISSED, fillOpacity: 0.07 }),
      Plot.rectX([{ from: 1, to: domain[1] }], { x1: "from", x2: "to", fill: MET, fillOpacity: 0.07 }),
      Plot.ruleX([1], { stroke: "currentColor", strokeWidth: 1.5 }),
      Plot.ruleY(rows, { x1: "low", x2: "high", y: "label", stroke: "colour", strokeWidth: 5, strokeOpacity: 0.35 }),
      Plot.tickX(goals, { x: "goal", y: "label", stroke: "currentColor", strokeWidth: 3, inset: 2 }),
      Plot.dot(rows, { x: "ratio", y: "label", fill: "colour", r: 5, title: "tip" }),
      Plot.dot(missed, { x: "ratio", y: "label", stroke: MISSED, strokeWidth: 2, r: 8, title: "tip" }),
      Plot.axisX({ anchor: "top", ticks: TICKS, tickFormat: ratioTick, label: axisLabel, labelAnchor: "right" }),
    ],
  });
}

/** Ratios of results as a figure; none where there are no results. */
export function ratioFigure(title: string, caption: string, results: readonly Result[]): Figure | undefined {
  const chosen = headline(results);
  if (chosen.length === 0) return undefined;
  const legend = backendLegend(chosen.map((result) => result.backend));
  const rows = chosen.map((result) => ({
    label: rowLabel(result, chosen),
    colour: result.backend,
    ratio: result.ratio,
    low: result.ratioQuartiles[0],
    high: result.ratioQuartiles[1],
    goal: result.goal,
    tip: tipOf(result),
  }));
  return {
    title,
    caption,
    legend,
    svg: ratioPlot(rows, legend, { axisLabel: "times as fast", labelsWidth: LABELS_WIDTH }),
  };
}

/** How far each goal is from being met, the furthest first. */
export function goalsFigure(results: readonly Result[]): Figure | undefined {
  const chosen = results
    .filter((result) => result.goal !== undefined)
    .sort((a, b) => a.ratio / (a.goal as number) - b.ratio / (b.goal as number));
  if (chosen.length === 0) return undefined;
  const legend: readonly LegendEntry[] = [
    ["met", MET],
    ["missed", MISSED],
  ];
  const rows = chosen.map((result) => {
    const goal = result.goal as number;
    const [low, high] = result.ratioQuartiles;
    return {
      label: `${rowLabel(result, chosen)}, ${result.backend}${isUsual(result) ? "" : ", no sync"}: ${shortNumber(result.ratio)} of ${goal}`,
      colour: isMissed(result) ? "missed" : "met",
      ratio: result.ratio / goal,
      low: low / goal,
      high: high / goal,
      goal: undefined,
      tip: tipOf(result),
    };
  });
  return {
    title: "Goals, the furthest from being met first",
    caption: "Ratios to the peer divided by the goal's. Right of the line the goal is met.",
    legend,
    svg: ratioPlot(rows, legend, { axisLabel: "times the goal", labelsWidth: GOAL_LABELS_WIDTH }),
  };
}

/** Ratios to each peer that is no part of b2frame, and of the engines. */
export function peerFigures(results: readonly Result[]): readonly Figure[] {
  const against = (peerName: string) => results.filter((result) => result.peerName === peerName && isUsual(result));
  const alike = (ours: WriteDurability, peer: WriteDurability) =>
    results.filter(
      ({ peerName, durability }) => peerName === "c-blosc2" && durability?.ours === ours && durability.peer === peer,
    );
  return [
    ratioFigure(
      "Against C-Blosc2",
      "Each as it is: what b2frame writes has reached the disk, C-Blosc2 does not wait for that. Right of the line b2frame is faster. Thick ticks are goals, a red ring is a goal missed; bars reach from quartile to quartile.",
      against("c-blosc2"),
    ),
    ratioFigure(
      "Writing, like for like: neither waits for the disk",
      'b2frame with durability "process", C-Blosc2 as it is.',
      alike("process", "none"),
    ),
    ratioFigure(
      "Writing, like for like: both wait for the disk",
      "b2frame as it is, C-Blosc2 with an fdatasync at the end.",
      alike("disk", "disk"),
    ),
    ratioFigure(
      "Whole buffers against numcodecs",
      "Blosc in WebAssembly from npm, on the same bytes in memory.",
      against("numcodecs"),
    ),
    ratioFigure(
      "The kernels engine against the portable one",
      "WebAssembly with SIMD against plain TypeScript.",
      against("portable"),
    ),
  ].filter((figure) => figure !== undefined);
}
