/** The filter interface: a reversible rearrangement of one block before compression. @module */
import type { BlockGeometry } from "../codec/codec.js";

/** What a filter may want to know beside the bytes. */
export interface FilterContext {
  /** The chunk's typesize (1 when the true one exceeds 255). */
  readonly typesize: number;
  /** The super-chunk's typesize, which may exceed 255; equals `typesize` for a lone chunk. */
  readonly superChunkTypesize: number;
  /** `filters_meta` of this slot, 0..255. */
  readonly meta: number;
  /** Index of the block in its chunk. */
  readonly blockIndex: number;
  /**
   * The raw, unfiltered bytes at the start of the chunk's block 0; `undefined` while block 0 itself is worked on. Delta
   * needs it.
   */
  readonly reference: Uint8Array | undefined;
  /** The chunk header's version byte. */
  readonly chunkVersion: number;
  /** Set when the chunk belongs to a B2ND array. */
  readonly geometry: BlockGeometry | undefined;
}

/** A filter. `source` and `target` have the same length and do not overlap; all of `target` is written. */
export interface Filter {
  /** 1-31 the format's, 32-159 registered plugins, 160-255 the user's. */
  readonly id: number;
  readonly name: string;
  /** Whether `context.reference` is read in `backward`, so that partial reads must decode block 0 first. */
  readonly needsReference: boolean;
  /** Absent: the filter only reads. */
  forward?(source: Uint8Array, target: Uint8Array, context: FilterContext): void;
  /** Absent: the filter is not undone (precision truncation); the bytes pass through. */
  backward?(source: Uint8Array, target: Uint8Array, context: FilterContext): void;
}
