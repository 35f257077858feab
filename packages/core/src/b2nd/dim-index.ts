/**
 * What part of an array is wanted, per dimension: NumPy's integers, slices, (orthogonal) lists of positions and masks, made into
 * selections. What is not understood is refused: it must never stand for "all".
 *
 * @module
 */
import { describeValue } from "../checks/describe-value.js";
import { ArgumentError } from "../errors.js";
import { NDBuffer } from "../values/nd-buffer.js";

/** An integer; a bigint is what int64 arrays give. */
export type IndexInteger = number | bigint;

/** A slice as NumPy has it: negative numbers count from the end, `null` or absent is the default, the step may be negative. */
export interface Slice {
  readonly start?: IndexInteger | null | undefined;
  readonly stop?: IndexInteger | null | undefined;
  readonly step?: IndexInteger | null | undefined;
}

/** Typed arrays of integers. */
export type IntegerArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/**
 * One dimension's part of an index: an item, a slice, positions (repeats and any order allowed), a mask of as many booleans as the
 * dimension has items, or all (`null`).
 */
export type DimIndex =
  | IndexInteger
  | Slice
  | readonly IndexInteger[]
  | readonly boolean[]
  | IntegerArray
  | NDBuffer
  | null;

/** Selected positions of one dimension: `start + i * step`, or `positions[i]`, for `i` below `count`. */
export interface DimSelection {
  readonly start: number;
  readonly step: number;
  readonly count: number;
  readonly positions: ArrayLike<number> | undefined;
  /** An integer index: the dimension is dropped from the result. */
  readonly dropped: boolean;
}

const SLICE_KEYS: ReadonlySet<string> = new Set(["start", "stop", "step"]);
const EXPECTED = "an integer, a slice { start, stop, step }, positions, a mask of booleans, or null";

/** Keys say more of an object that is no slice than its class does. */
function describe(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !isPlainObject(value))
    return describeValue(value);
  const keys = Object.keys(value);
  return `an object with the keys ${keys.slice(0, 5).join(", ").slice(0, 80) || "(none)"}`;
}

function invalid(dim: number, expected: string, found: unknown, part = ""): ArgumentError {
  const parameter = `index[${dim}]${part}`;
  return new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${parameter}: dimension ${dim}: expected ${expected}, found ${describe(found)}`,
    { parameter, dimension: dim, expected, found: describe(found) },
  );
}

function outOfRange(dim: number, index: IndexInteger, size: number, part: string): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_OUT_OF_RANGE",
    `index ${index} is out of range for dimension ${dim} of size ${size}`,
    { parameter: `index[${dim}]${part}`, dimension: dim, value: String(index), size },
  );
}

/** A number of any size that is an integer; a bigint past 2^53 becomes one that lies out of every range as well. */
function integer(dim: number, value: unknown, part: string): number {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw invalid(dim, "an integer", value, part);
}

function position(dim: number, index: unknown, size: number, part = ""): number {
  const given = integer(dim, index, part);
  const at = given < 0 ? given + size : given;
  if (at < 0 || at >= size) throw outOfRange(dim, index as IndexInteger, size, part);
  return at;
}

/** Python's rules for the bounds of a slice. */
function normaliseSlice(dim: number, slice: Slice, size: number): DimSelection {
  const step = slice.step === null || slice.step === undefined ? 1 : integer(dim, slice.step, ".step");
  if (step === 0) throw invalid(dim, "a step other than 0", 0, ".step");
  const lowest = step > 0 ? 0 : -1;
  const highest = step > 0 ? size : size - 1;
  const bound = (part: "start" | "stop", fallback: number): number => {
    const given = slice[part];
    if (given === null || given === undefined) return fallback;
    const value = integer(dim, given, `.${part}`);
    return Math.min(highest, Math.max(lowest, value < 0 ? value + size : value));
  };
  const start = bound("start", step > 0 ? lowest : highest);
  const stop = bound("stop", step > 0 ? highest : lowest);
  const count = Math.max(0, Math.ceil((stop - start) / step));
  return { start, step, count, positions: undefined, dropped: false };
}

function selectPositions(positions: ArrayLike<number>): DimSelection {
  return { start: 0, step: 1, count: positions.length, positions, dropped: false };
}

/** The positions at which a mask is true. */
function selectMask(dim: number, mask: ArrayLike<boolean>, size: number): DimSelection {
  if (mask.length !== size) {
    throw invalid(dim, `a mask of ${size} booleans, one per item`, `${mask.length} of them`);
  }
  const positions: number[] = [];
  for (let i = 0; i < size; i++) if (mask[i] === true) positions.push(i);
  return selectPositions(positions);
}

function selectList(dim: number, list: ArrayLike<unknown>, size: number): DimSelection {
  if (list.length > 0 && typeof list[0] === "boolean") {
    for (let i = 0; i < list.length; i++) {
      if (typeof list[i] !== "boolean") throw invalid(dim, "booleans only, as the first one is", list[i], `[${i}]`);
    }
    return selectMask(dim, list as ArrayLike<boolean>, size);
  }
  const positions = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) positions[i] = position(dim, list[i], size, `[${i}]`);
  return selectPositions(positions);
}

function isIntegerArray(value: object): value is IntegerArray {
  if (!ArrayBuffer.isView(value) || value instanceof DataView) return false;
  const kind = Object.prototype.toString.call(value);
  return !kind.includes("Float");
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object literal of another realm has another Object.prototype, which has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function selectBuffer(dim: number, buffer: NDBuffer, size: number): DimSelection {
  const { dtype, shape, data } = buffer;
  if (shape.length !== 1 || !"biu".includes(dtype.kind)) {
    throw invalid(dim, "positions or a mask in one dimension", `${dtype.str} items of shape (${shape.join(", ")})`);
  }
  return dtype.kind === "b"
    ? selectMask(
        dim,
        Array.from(data as ArrayLike<number>, (item) => item !== 0),
        size,
      )
    : selectList(dim, data, size);
}

function normalisePart(dim: number, part: unknown, size: number): DimSelection {
  if (part === null) return { start: 0, step: 1, count: size, positions: undefined, dropped: false };
  if (typeof part === "number" || typeof part === "bigint") {
    return { start: position(dim, part, size), step: 1, count: 1, positions: undefined, dropped: true };
  }
  if (typeof part !== "object") throw invalid(dim, EXPECTED, part);
  if (Array.isArray(part) || isIntegerArray(part)) return selectList(dim, part, size);
  if (part instanceof NDBuffer) return selectBuffer(dim, part, size);
  if (isPlainObject(part)) {
    const unknown = Object.keys(part).find((key) => !SLICE_KEYS.has(key));
    if (unknown === undefined) return normaliseSlice(dim, part, size);
  }
  throw invalid(dim, EXPECTED, part);
}

function requireList(parameter: string, value: unknown, example: string): asserts value is readonly unknown[] {
  if (Array.isArray(value)) return;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${parameter}: expected a list with one entry per dimension, as ${example}, found ${describe(value)}`,
    { parameter, found: describe(value) },
  );
}

/**
 * Normalises an index against a shape; dimensions past its end are taken whole.
 *
 * @throws ArgumentError for too many dimensions, an index out of range, a zero step, or anything that is no index.
 */
export function normaliseIndex(index: readonly DimIndex[], shape: readonly number[]): DimSelection[] {
  requireList("index", index, "[3, null]");
  if (index.length > shape.length) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `the index has ${index.length} dimensions; the array has ${shape.length}`,
      { parameter: "index", expected: shape.length, found: index.length },
    );
  }
  return shape.map((size, dim) => normalisePart(dim, dim < index.length ? index[dim] : null, size));
}

/** Bounds of a slice along each dimension; `null` is the default. */
export type SliceBounds = readonly (IndexInteger | null)[];

/** The index of a slice along each dimension. @throws ArgumentError */
export function slicesOf(ndim: number, start: SliceBounds, stop: SliceBounds, step: SliceBounds): Slice[] {
  for (const [name, bounds] of Object.entries({ start, stop, step })) {
    requireList(name, bounds, "getSlice([2], [5])");
    const hole = Array.from<unknown>(bounds).indexOf(undefined);
    if (hole >= 0) throw invalid(hole, "an integer or null", undefined, `.${name}`);
  }
  const dims = Math.max(start.length, stop.length, step.length);
  if (dims > ndim) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `the slice has ${dims} dimensions; the array has ${ndim}`, {
      parameter: "start",
      expected: ndim,
      found: dims,
    });
  }
  return Array.from({ length: dims }, (_, i) => ({ start: start[i], stop: stop[i], step: step[i] }));
}
