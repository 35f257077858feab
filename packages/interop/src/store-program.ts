/** What a random store program is. @module */
import type { Side } from "./program-run.js";

/** One change of a store. */
export type StoreStep =
  | {
      readonly op: "set";
      readonly key: string;
      readonly kind: "array" | "super-chunk";
      /** NumPy notation; of a super-chunk, `""`. */
      readonly dtype: string;
      /** Of a super-chunk, its bytes. */
      readonly shape: readonly number[];
      /** Bytes per chunk of a super-chunk. */
      readonly chunksize: number;
      readonly data: Uint8Array;
    }
  | { readonly op: "delete"; readonly key: string }
  | { readonly op: "set-attribute"; readonly group: string; readonly name: string; readonly value: unknown };

/** A whole program; see `FrameProgram` for who runs its segments. */
export interface StoreProgram {
  readonly seed: number;
  readonly first: Side;
  readonly format: "b2z" | "b2d" | "b2e";
  readonly type: "tree" | "dict" | "embed";
  /** Below this many bytes python-blosc2 embeds what it is given. */
  readonly threshold: number;
  readonly segments: readonly (readonly StoreStep[])[];
}

/** What a member holds. */
export interface MemberState {
  readonly kind: "array" | "super-chunk";
  readonly dtype: string;
  readonly shape: readonly number[];
  /** SHA-256 of the bytes in C order. */
  readonly content: string;
}

/** What a store holds, as either side describes it. */
export interface StoreState {
  readonly type: StoreProgram["type"];
  /** By key, sorted. */
  readonly members: Readonly<Record<string, MemberState>>;
  /** Of the groups that had some set, sorted by name. */
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
