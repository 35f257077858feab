/** What a page and its decoding workers say to each other. @module */
import type { TransferredError } from "@b2frame/core/backend";
import type { DimIndex } from "@b2frame/core/read";

/** Bytes of a frame's file. */
export interface FilePiece {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** A frame, as a worker needs to know it before it decodes any of it. */
export interface FrameDescription {
  /** No other frame of the pool has it. */
  readonly id: number;
  /** For messages. */
  readonly name: string;
  /** Where the frame begins and ends in its file. */
  readonly offset: number;
  readonly end: number;
  /** Whether it is held against its checksums. */
  readonly checksum: boolean;
  /** Header, index and trailer. */
  readonly pieces: readonly FilePiece[];
}

/** What is decoded. Pieces are the bytes that it takes of the frame's file. */
export type DecodeTask =
  | {
      readonly kind: "array";
      readonly frame: number;
      readonly pieces: readonly FilePiece[];
      readonly index: readonly DimIndex[];
    }
  | {
      readonly kind: "chunk";
      readonly frame: number;
      readonly pieces: readonly FilePiece[];
      readonly chunkIndex: number;
    }
  | {
      readonly kind: "items";
      readonly frame: number;
      readonly pieces: readonly FilePiece[];
      readonly start: number;
      readonly stop: number;
    }
  /** A chunk by itself. */
  | { readonly kind: "stored"; readonly bytes: Uint8Array; readonly structure: string }
  /** Nothing: the answer says that the worker has started. */
  | { readonly kind: "nothing" };

export type Request =
  | { readonly type: "frame"; readonly frame: FrameDescription }
  | { readonly type: "forget"; readonly frame: number }
  | { readonly type: "task"; readonly call: number; readonly task: DecodeTask };

export type Reply =
  | { readonly call: number; readonly bytes: Uint8Array }
  | { readonly call: number; readonly error: TransferredError };
