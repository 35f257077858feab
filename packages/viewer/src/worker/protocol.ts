/** What the page asks of the worker, and what that answers. @module */
import type { DTypeKind, SpecialKind } from "@b2frame/core";

/** A place where a frame is read from. */
export type Place =
  | { readonly kind: "blob"; readonly blob: File; readonly offset: number }
  | { readonly kind: "url"; readonly url: string; readonly offset: number };

/** A metalayer. */
export interface LayerFacts {
  readonly name: string;
  readonly byteLength: number;
  /** For people: indented text. */
  readonly text: string;
}

/** What a frame says of itself. */
export interface FrameFacts {
  /** By which the worker knows it. */
  readonly frame: number;
  readonly name: string;
  readonly kind: "array" | "super-chunk";
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  /** As the file spells it. */
  readonly dtype: string;
  readonly dtypeKind: DTypeKind;
  readonly itemsize: number;
  /** Names of the fields of a structured type. */
  readonly fields: readonly string[];
  /** Whether the values are numbers that can be drawn. */
  readonly numeric: boolean;
  readonly nbytes: number;
  readonly cbytes: number;
  readonly nchunks: number;
  readonly chunksize: number;
  readonly codec: string;
  readonly clevel: number;
  readonly splitmode: string;
  readonly filters: readonly string[];
  readonly meta: readonly LayerFacts[];
  readonly vlmeta: readonly LayerFacts[];
}

/** One dimension of an index: a position, or a range. */
export type DimPart = number | { readonly start: number; readonly stop: number; readonly step: number };

/** Which number a complex value is shown as. */
export type ComplexPart = "magnitude" | "phase" | "real" | "imaginary";

/** Values that can be drawn. */
export type Numbers = Exclude<import("@b2frame/core").DTypeArray, BigInt64Array | BigUint64Array>;

/** How the values of a slice are spread. */
export interface Spread {
  readonly min: number;
  readonly max: number;
  /** First and 99th percentile of the finite values. */
  readonly low: number;
  readonly high: number;
  readonly nans: number;
  readonly infinities: number;
  readonly finite: number;
  /** Counts between `min` and `max` in equal steps. */
  readonly bins: readonly number[];
}

/** A picture to ask for. */
export interface PlaneRequest {
  readonly frame: number;
  readonly index: readonly DimPart[];
  /** Dimensions of the array that go down and across. */
  readonly rows: number;
  readonly columns: number;
  /** The dimension of 3 or 4 channels, in colour pictures. */
  readonly channels: number | undefined;
  readonly part: ComplexPart;
}

/** A picture's values: those of row `y` and column `x` begin at `y * rowStride + x * columnStride`. */
export interface Plane {
  readonly height: number;
  readonly width: number;
  readonly rowStride: number;
  readonly columnStride: number;
  readonly channelStride: number;
  readonly channelCount: number;
  readonly values: Numbers;
  /** The values themselves where `values` can't hold them. */
  readonly exact: BigInt64Array | BigUint64Array | undefined;
  readonly spread: Spread;
  readonly traffic: Traffic;
}

/** What was fetched for the frame so far. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

/** A curve to ask for: items `start` to `stop` along one dimension. */
export interface LineRequest {
  readonly frame: number;
  readonly index: readonly DimPart[];
  readonly dim: number;
  readonly start: number;
  readonly stop: number;
  readonly part: ComplexPart;
  /** Points across the screen. */
  readonly width: number;
}

/** A curve: lowest and highest value from each `x` to the next. */
export interface Line {
  readonly x: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Items that each point stands for. */
  readonly step: number;
  readonly traffic: Traffic;
}

/** Cells to ask for. */
export interface TableRequest {
  readonly frame: number;
  readonly index: readonly DimPart[];
  readonly rows: number | undefined;
  readonly columns: number | undefined;
}

/** Cells as text. */
export interface Cells {
  readonly rows: readonly (readonly string[])[];
  readonly traffic: Traffic;
}

/** What reading a slice takes. */
export interface Cost {
  readonly chunks: number;
  readonly blocks: number;
  readonly blocksInAll: number;
  readonly bytes: number;
  readonly requests: number;
}

/** Chunks that are drawn as one square. */
export interface ChunkCell {
  readonly first: number;
  readonly count: number;
  /** Bytes in the file. */
  readonly stored: number;
  readonly nbytes: number;
  /** What they all are, if they are special. */
  readonly special: SpecialKind | "mixed" | undefined;
}

/** All chunks, as the index tells of them. */
export interface ChunkMap {
  readonly cells: readonly ChunkCell[];
  readonly perCell: number;
  readonly special: number;
  /** Counts of stored chunks by the power of two of their bytes. */
  readonly sizes: readonly { readonly from: number; readonly count: number }[];
}

/** One chunk, looked at closely. */
export interface ChunkFacts {
  readonly index: number;
  readonly start: readonly number[];
  readonly stop: readonly number[];
  readonly nbytes: number;
  readonly cbytes: number;
  readonly special: SpecialKind | undefined;
  readonly position: number | undefined;
  readonly milliseconds: number;
}

/** Numbers of all items. */
export interface Statistics {
  readonly count: number;
  readonly finite: number;
  readonly nans: number;
  readonly infinities: number;
  readonly zeros: number;
  /** Exact, also of 64-bit integers. */
  readonly min: string;
  readonly max: string;
  readonly mean: number;
  readonly std: number;
  /** Of so many items that were drawn evenly from all. */
  readonly sample: Spread;
  readonly sampled: number;
  readonly milliseconds: number;
}

/** Each operation: what it takes and gives. */
export interface Operations {
  open: { takes: Place; gives: FrameFacts };
  close: { takes: { frame: number }; gives: null };
  plane: { takes: PlaneRequest; gives: Plane };
  line: { takes: LineRequest; gives: Line };
  table: { takes: TableRequest; gives: Cells };
  bytes: { takes: { frame: number; start: number; stop: number }; gives: Uint8Array };
  cost: { takes: { frame: number; index: readonly DimPart[] }; gives: Cost };
  npy: { takes: { frame: number; index: readonly DimPart[] }; gives: Uint8Array };
  chunkMap: { takes: { frame: number; cells: number }; gives: ChunkMap };
  chunk: { takes: { frame: number; index: number }; gives: ChunkFacts };
  deadBytes: { takes: { frame: number }; gives: number };
  statistics: { takes: { frame: number; part: ComplexPart }; gives: Statistics };
}

export type OperationName = keyof Operations;

/** What the page sends. */
export type Request =
  | { readonly id: number; readonly name: OperationName; readonly input: unknown }
  | { readonly id: number; readonly cancel: true };

/** A failure, as text for people and a code for programs. */
export interface Failure {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
}

/** What the worker sends. */
export type Answer =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly id: number; readonly done: number; readonly total: number };
