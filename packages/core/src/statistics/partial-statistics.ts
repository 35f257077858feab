/** Statistics of some chunks as JSON, and reading them back with all checks: they may come from a file. @module */
import { ArgumentError } from "../errors.js";
import { areBinsOf, type BinCounts } from "./dyadic-histogram.js";
import type { MomentNode } from "./moment-tree.js";

/** What a run of chunks came to, so that it can be joined to others. Plain JSON; doubles and 64-bit integers are strings. */
export interface PartialStatistics {
  /** Number of the first chunk, and of the one after the last. */
  readonly first: number;
  readonly stop: number;
  readonly nans: number;
  readonly infinities: number;
  readonly zeros: number;
  /** Absent if nothing but NaN was found. */
  readonly min?: string;
  readonly max?: string;
  /** Whether the extremes are integers of 64 bits. */
  readonly exact?: boolean;
  /** Level, count, sum, its rest, and squares of each node of the tree of sums. */
  readonly nodes: readonly (readonly string[])[];
  /** The lowest and the highest finite value; absent without any. */
  readonly range?: readonly string[];
  readonly histogram?: BinCounts;
}

/** The same, as it is reckoned with. */
interface ReadPartial {
  readonly first: number;
  readonly nans: number;
  readonly infinities: number;
  readonly zeros: number;
  readonly extremes: readonly [min: number | bigint, max: number | bigint] | undefined;
  readonly nodes: readonly MomentNode[];
  readonly range: readonly [min: number, max: number] | undefined;
  readonly histogram: BinCounts | undefined;
}

const MAX_LEVEL = 52;
const NODE_FIELDS = 5;

function invalid(field: string, expected: string, found: unknown): ArgumentError {
  const shown = String(JSON.stringify(found)).slice(0, 80);
  const message = `partial statistics: ${field}: expected ${expected}, found ${shown}`;
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: field, expected, found: shown });
}

function record(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(field, "an object", value);
  return value as Readonly<Record<string, unknown>>;
}

function list(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(field, "a list", value);
  return value;
}

function natural(value: unknown, field: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw invalid(field, "an integer of 0 or more", value);
  return value as number;
}

function double(value: unknown, field: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  if (Number.isNaN(number) && value !== "NaN") throw invalid(field, "a number as a string", value);
  return number;
}

function wide(value: unknown, field: string): bigint {
  if (typeof value !== "string" || !/^-?\d{1,20}$/.test(value)) throw invalid(field, "an integer as a string", value);
  return BigInt(value);
}

function readNode(value: unknown, index: number): MomentNode {
  const field = `nodes[${index}]`;
  const parts = list(value, field).map((part) => double(part, field));
  const [level = -1, count = -1, sum = 0, sumRest = 0, squares = 0] = parts;
  if (parts.length !== NODE_FIELDS || !Number.isInteger(level) || level < 0 || level > MAX_LEVEL) {
    throw invalid(field, "a level, a count and three sums", value);
  }
  return { level, count: natural(count, field), sum, sumRest, squares };
}

function pair<T>(
  low: unknown,
  high: unknown,
  field: string,
  read: (value: unknown, field: string) => T,
): readonly [T, T] | undefined {
  if (low === undefined && high === undefined) return undefined;
  const ends = [read(low, field), read(high, field)] as const;
  if (!(ends[0] <= ends[1])) throw invalid(field, "the lower first", [low, high]);
  return ends;
}

function readBins(value: unknown): BinCounts {
  const { exponent, first, counts } = record(value, "histogram");
  if (!Number.isSafeInteger(exponent)) throw invalid("histogram.exponent", "an integer", exponent);
  if (!Number.isSafeInteger(first)) throw invalid("histogram.first", "an integer", first);
  return {
    exponent: exponent as number,
    first: first as number,
    counts: list(counts, "histogram.counts").map((count) => natural(count, "histogram.counts")),
  };
}

/** @throws ArgumentError that names the field */
export function readPartial(partial: unknown): ReadPartial {
  const fields = record(partial, "partial");
  const first = natural(fields.first, "first");
  const stop = natural(fields.stop, "stop");
  const nodes = list(fields.nodes, "nodes").map(readNode);
  const chunks = nodes.reduce((sum, { level }) => sum + 2 ** level, 0);
  if (first + chunks !== stop) throw invalid("nodes", `those of ${stop - first} chunks`, chunks);
  const [low, high] = fields.range === undefined ? [] : list(fields.range, "range");
  const range = pair(low, high, "range", double);
  const histogram = range === undefined ? undefined : readBins(fields.histogram);
  const finite = nodes.reduce((sum, { count }) => sum + count, 0);
  const counted = histogram?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
  if (counted !== finite || (range !== undefined && !areBinsOf(histogram as BinCounts, ...range))) {
    throw invalid("histogram", `the bins of ${finite} values`, fields.histogram);
  }
  const extremes: ReadPartial["extremes"] =
    fields.exact === true
      ? pair(fields.min, fields.max, "min, max", wide)
      : pair(fields.min, fields.max, "min, max", double);
  return {
    first,
    nans: natural(fields.nans, "nans"),
    infinities: natural(fields.infinities, "infinities"),
    zeros: natural(fields.zeros, "zeros"),
    extremes,
    nodes,
    range,
    histogram,
  };
}
