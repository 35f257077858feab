/** What is looked at and how: all of it stands in the address, so that a link shows the same. @module */
import type { ComplexPart, DimPart, FrameFacts } from "../worker/protocol.js";
import { COLOUR_MAPS, type ColourMapName, SCALES, type ScaleName } from "./paint/colour-table.js";

export type TabName = "data" | "info" | "chunks" | "stats";
export type ShapeName = "image" | "line" | "table";

export const TABS: readonly TabName[] = ["data", "info", "chunks", "stats"];
const SHAPES: readonly ShapeName[] = ["image", "line", "table"];
const PARTS: readonly ComplexPart[] = ["magnitude", "phase", "real", "imaginary"];

/** See the module. */
export interface ViewState {
  /** An address that the frame is read from. */
  readonly url: string;
  /** Which of the files, where there are several. */
  readonly path: string;
  readonly tab: TabName;
  readonly shape: ShapeName | undefined;
  /** Positions along the dimensions; a dimension that is drawn has one, too. */
  readonly at: readonly number[];
  /** Dimensions that go down and across; -1 where there is none. */
  readonly rows: number;
  readonly columns: number;
  readonly part: ComplexPart;
  /** The last dimension holds red, green, blue and perhaps alpha. */
  readonly colour: boolean;
  readonly map: ColourMapName;
  readonly scale: ScaleName;
  /** By percentiles when undefined. */
  readonly range: readonly [low: number, high: number] | undefined;
  readonly invert: boolean;
  readonly flipX: boolean;
  readonly flipY: boolean;
  readonly smooth: boolean;
  readonly nan: string;
  readonly row: number;
}

export const START: ViewState = {
  url: "",
  path: "",
  tab: "data",
  shape: undefined,
  at: [],
  rows: -1,
  columns: -1,
  part: "magnitude",
  colour: false,
  map: "viridis",
  scale: "linear",
  range: undefined,
  invert: false,
  flipX: false,
  flipY: false,
  smooth: false,
  nan: "#e0007a",
  row: 0,
};

function oneOf<T extends string>(names: readonly T[], text: string | null, fallback: T): T {
  return names.find((name) => name === text) ?? fallback;
}

/** Reads an address. What is not understood is left at its default. */
export function stateFromQuery(query: string): ViewState {
  const words = new URLSearchParams(query);
  const slice = (words.get("slice") ?? "").split(",").filter((word) => word !== "");
  const number = (word: string): number => (/^\d{1,15}$/.test(word) ? Number(word) : 0);
  const range = (words.get("range") ?? "").split("..").map(Number);
  const [low = Number.NaN, high = Number.NaN] = range;
  const shape = words.get("as");
  return {
    ...START,
    url: words.get("url") ?? "",
    path: words.get("path") ?? "",
    tab: oneOf(TABS, words.get("tab"), START.tab),
    shape: shape === null ? undefined : oneOf(SHAPES, shape, "image"),
    at: slice.map((word) => number(word.replace(/^[yx]/, ""))),
    rows: slice.findIndex((word) => word.startsWith("y")),
    columns: slice.findIndex((word) => word.startsWith("x")),
    part: oneOf(PARTS, words.get("part"), START.part),
    colour: words.has("colour"),
    map: oneOf(COLOUR_MAPS, words.get("map"), START.map),
    scale: oneOf(SCALES, words.get("scale"), START.scale),
    range: range.length === 2 && low < high ? [low, high] : undefined,
    invert: words.has("invert"),
    flipX: words.has("flipx"),
    flipY: words.has("flipy"),
    smooth: words.has("smooth"),
    nan: /^[0-9a-f]{6}$/i.test(words.get("nan") ?? "") ? `#${words.get("nan")}` : START.nan,
    row: number(words.get("row") ?? ""),
  };
}

/** The address of a state, without what is as it is by default. */
export function queryOf(state: ViewState): string {
  const words = new URLSearchParams();
  const put = (name: string, value: string, fallback: string): void => {
    if (value !== fallback) words.set(name, value);
  };
  put("url", state.url, "");
  put("path", state.path, "");
  const slice = state.at.map((at, dim) => `${dim === state.rows ? "y" : dim === state.columns ? "x" : ""}${at}`);
  put("slice", slice.join(), "");
  put("tab", state.tab, START.tab);
  if (state.shape !== undefined) words.set("as", state.shape);
  put("part", state.part, START.part);
  put("map", state.map, START.map);
  put("scale", state.scale, START.scale);
  if (state.range !== undefined) words.set("range", state.range.join(".."));
  for (const name of ["colour", "invert", "flipX", "flipY", "smooth"] as const) {
    if (state[name]) words.set(name.toLowerCase(), "1");
  }
  put("nan", state.nan.slice(1), START.nan.slice(1));
  put("row", String(state.row), "0");
  const text = words.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
  return text === "" ? "" : `?${text}`;
}

/** Makes positions and dimensions fit a frame: those of an old link may not. */
export function fitState(state: ViewState, { shape, dtype, numeric, dtypeKind }: FrameFacts): ViewState {
  const ndim = shape.length;
  const last = shape[ndim - 1] ?? 0;
  const fresh = state.at.length !== ndim;
  const isColour =
    fresh && ndim >= 3 && numeric && (last === 3 || last === 4) && dtype.replace(/^\W/, "") === "u1"
      ? true
      : state.colour;
  const colour = isColour && ndim >= 3 && (last === 3 || last === 4) && numeric && dtypeKind !== "c";
  const usable = colour ? ndim - 1 : ndim;
  const valid = (dim: number): boolean => dim >= 0 && dim < usable;
  const columns = !fresh && valid(state.columns) ? state.columns : usable - 1;
  let rows = !fresh && valid(state.rows) && state.rows !== columns ? state.rows : usable - 2;
  if (rows === columns) rows = usable - 1;
  const at = shape.map((size, dim) => {
    const given = fresh
      ? ndim >= 3 && dim !== rows && dim !== columns
        ? Math.floor(size / 2)
        : 0
      : (state.at[dim] ?? 0);
    return Math.max(0, Math.min(size - 1, given));
  });
  return { ...state, colour, columns, rows: usable >= 2 ? rows : -1, at };
}

/** How a frame is shown unless another way is asked for. */
export function shapeOf({ shape }: ViewState, facts: FrameFacts): ShapeName {
  const ndim = facts.shape.length;
  if (!facts.numeric || ndim === 0) return "table";
  if (shape === "image" && ndim < 2) return "line";
  if (shape !== undefined) return shape;
  return ndim === 1 ? "line" : "image";
}

/** The index of what is drawn, in full. */
export function fullIndex(state: ViewState, facts: FrameFacts, dims: readonly number[]): DimPart[] {
  return facts.shape.map((size, dim) =>
    dims.includes(dim) ? { start: 0, stop: size, step: 1 } : (state.at[dim] ?? 0),
  );
}
