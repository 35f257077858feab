/** Speed against the size of the chunks. @module */
import * as Plot from "@observablehq/plot";
import { CASES_BY_CHUNKSIZE } from "../parameters.js";
import { isUsual, type Result } from "../result.js";
import { backendLegend, colourScale, type Figure, svgOf, WIDTH } from "./figure.js";
import { shortNumber, shortSize } from "./numbers.js";

/** Results of a case that differ in more than one chunk size; else none. */
function chunksizeSeries(results: readonly Result[], name: string): readonly Result[] {
  const chosen = results.filter((result) => result.case === name && result.workers === 0 && isUsual(result));
  const sizes = (data: string) =>
    new Set(chosen.filter((result) => result.data === data).map((result) => result.parameters.chunksize));
  const data = chosen.map((result) => result.data).find((name) => sizes(name).size > 1);
  return chosen.filter((result) => result.data === data);
}

function figureOf(name: string, series: readonly Result[]): Figure {
  const against = series.some((result) => result.peerName === "c-blosc2") ? "c-blosc2" : "stdio";
  const points = series
    .filter((result) => result.peerName === against)
    .flatMap((result) => {
      const x = Number(result.parameters.chunksize);
      const point = (who: string, speed: number) => ({ x, who, speed, tip: `${who}: ${shortNumber(speed)} MiB/s` });
      const peer = against === "stdio" ? "stdio" : `C-Blosc2, ${result.backend}`;
      return [point(result.backend, result.ours), point(peer, result.peer)];
    });
  const legend = backendLegend(points.map((point) => point.who));
  const svg = svgOf({
    height: 300,
    width: WIDTH / 2 - 16,
    marginLeft: 52,
    marginBottom: 44,
    x: {
      type: "log",
      base: 2,
      label: "chunk size",
      ticks: [...new Set(points.map((point) => point.x))],
      tickFormat: shortSize,
      grid: true,
    },
    y: { zero: true, grid: true, label: "MiB/s of uncompressed data" },
    color: colourScale(legend),
    marks: [
      Plot.ruleY([0]),
      Plot.line(points, { x: "x", y: "speed", stroke: "who", strokeWidth: 2.5 }),
      Plot.dot(points, { x: "x", y: "speed", fill: "who", r: 4, title: "tip" }),
    ],
  });
  return { title: `${name}, by size of chunks`, caption: `${series[0]?.data}, one thread`, legend, svg };
}

/** A figure for each case that varies the size. */
export function chunksizeFigures(results: readonly Result[]): readonly Figure[] {
  return CASES_BY_CHUNKSIZE.map((name) => [name, chunksizeSeries(results, name)] as const)
    .filter(([, series]) => series.length > 0)
    .map(([name, series]) => figureOf(name, series));
}
