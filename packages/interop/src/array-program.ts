/** What a random array program is. @module */
import type { ProgramCParams } from "./frame-program.js";
import type { Side } from "./program-run.js";

/** One change of an array. Bounds are items per dimension, `stop` excluded. */
export type ArrayStep =
  | {
      readonly op: "set";
      readonly start: readonly number[];
      readonly stop: readonly number[];
      /** The items, in C order. */
      readonly data: Uint8Array;
    }
  | { readonly op: "resize"; readonly shape: readonly number[] }
  | { readonly op: "set-vlmeta"; readonly name: string; readonly value: string };

/** What the array holds at first: zeros, one item everywhere, or given items. */
export type ArrayStart =
  | { readonly kind: "zeros" }
  | { readonly kind: "full"; readonly item: Uint8Array }
  | { readonly kind: "data"; readonly data: Uint8Array };

/** A box of an array, with a step of any sign per dimension; only b2frame reads other steps than 1. */
export interface Box {
  readonly start: readonly number[];
  readonly stop: readonly number[];
}

/** A whole program; see `FrameProgram` for who runs its segments. */
export interface ArrayProgram {
  readonly seed: number;
  readonly first: Side;
  readonly contiguous: boolean;
  /** NumPy notation. */
  readonly dtype: string;
  readonly itemsize: number;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  readonly cparams: ProgramCParams;
  readonly start: ArrayStart;
  readonly segments: readonly (readonly ArrayStep[])[];
  /** Fractions of each dimension's size: which boxes are read after each segment, whatever the shape is then. */
  readonly boxes: readonly (readonly (readonly [from: number, to: number])[])[];
}

/** What an array holds, as either side describes it. */
export interface ArrayState {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  readonly dtype: string;
  /** SHA-256 of all items in C order. */
  readonly content: string;
  /** SHA-256 of each box of the request. */
  readonly boxes: readonly string[];
  readonly vlmeta: Readonly<Record<string, string>>;
}

/** The boxes of a program in an array of `shape`. */
export function boxesOf(program: ArrayProgram, shape: readonly number[]): Box[] {
  return program.boxes.map((fractions) => ({
    start: shape.map((size, dim) => Math.floor(size * (fractions[dim]?.[0] ?? 0))),
    stop: shape.map((size, dim) => Math.ceil(size * (fractions[dim]?.[1] ?? 1))),
  }));
}
