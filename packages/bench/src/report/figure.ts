/** Figures of the HTML report, as SVG text. @module */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";

export const WIDTH = 920;

/** A name and the colour that stands for it in a figure. */
export type LegendEntry = readonly [name: string, colour: string];

/** A figure with its caption. */
export interface Figure {
  readonly title: string;
  readonly caption: string;
  readonly legend: readonly LegendEntry[];
  readonly svg: string;
}

export type PlotOptions = NonNullable<Parameters<typeof Plot.plot>[0]>;

/** Colours that stand out on white and on black. */
export const COLOURS = {
  stdio: "#2f7ed8",
  mmap: "#e0742c",
  memory: "#8a63d2",
  "C-Blosc2, stdio": "#8fa9c2",
  "C-Blosc2, mmap": "#c99f7f",
} as const;

/** For what is told apart by other things than backends. */
export const PALETTE: readonly string[] = ["#2f7ed8", "#e0742c", "#8a63d2", "#2e9e5b", "#c2559d"];

export const MET = "#2e9e5b";
export const MISSED = "#d1495b";

/** The legend of the backends, or of C-Blosc2 through them, that are named. */
export function backendLegend(names: readonly string[]): readonly LegendEntry[] {
  return Object.entries(COLOURS).filter(([name]) => names.includes(name));
}

/** Colours for names in their order. */
export function paletteLegend(names: readonly string[]): readonly LegendEntry[] {
  return names.map((name, i) => [name, PALETTE[i % PALETTE.length] as string]);
}

/** A colour scale that agrees with a legend. */
export function colourScale(legend: readonly LegendEntry[]): { domain: string[]; range: string[] } {
  return { domain: legend.map(([name]) => name), range: legend.map(([, colour]) => colour) };
}

/** Renders a plot without a browser. */
export function svgOf(options: PlotOptions): string {
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const plot = Plot.plot({
    width: WIDTH,
    style: { background: "none", fontSize: "12px", fontFamily: "inherit" },
    document,
    ...options,
  } as PlotOptions);
  return String((plot as unknown as { outerHTML: string }).outerHTML);
}

/** `2x`, for the ticks of an axis of ratios. */
export function ratioTick(value: number): string {
  return `${Number(value.toPrecision(2))}x`;
}
