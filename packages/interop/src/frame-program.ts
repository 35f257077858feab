/** What a random program is: how a frame is created, and steps that change it. @module */
import type { Side } from "./program-run.js";

/** Compression parameters, as both sides name them. */
export interface ProgramCParams {
  readonly codec: "blosclz" | "lz4" | "lz4hc" | "zlib" | "zstd";
  readonly clevel: number;
  readonly typesize: number;
  /** Bytes; 0 = automatic. */
  readonly blocksize: number;
  readonly splitmode: "always" | "never" | "auto" | "forward_compat";
  /** Six filter ids, first slot first. */
  readonly filters: readonly number[];
  readonly filtersMeta: readonly number[];
}

/** One change of a frame. `chunk` indexes the chunks as they are before the step; `start` counts items. */
export type Step =
  | { readonly op: "append"; readonly data: Uint8Array }
  | { readonly op: "insert"; readonly chunk: number; readonly data: Uint8Array }
  | { readonly op: "update"; readonly chunk: number; readonly data: Uint8Array }
  | { readonly op: "delete"; readonly chunk: number }
  | { readonly op: "reorder"; readonly order: readonly number[] }
  | { readonly op: "set-slice"; readonly start: number; readonly data: Uint8Array }
  | { readonly op: "set-vlmeta"; readonly name: string; readonly value: string }
  | { readonly op: "delete-vlmeta"; readonly name: string };

/** A whole program. Its segments are run by the two sides in turn, each on the file that the other left. */
export interface FrameProgram {
  readonly seed: number;
  readonly first: Side;
  readonly contiguous: boolean;
  readonly chunksize: number;
  readonly cparams: ProgramCParams;
  /** Content as hex. */
  readonly meta: Readonly<Record<string, string>>;
  readonly segments: readonly (readonly Step[])[];
}

/** What a frame holds, as either side describes it: hashes and hex, so that it compares as JSON. */
export interface FrameState {
  readonly typesize: number;
  readonly nbytes: number;
  readonly chunks: readonly (readonly [number, string])[];
  readonly meta: Readonly<Record<string, string>>;
  readonly vlmeta: Readonly<Record<string, string>>;
}
