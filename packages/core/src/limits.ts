/** Bounds on what input may make b2frame allocate. @module */

/** Configurable bounds; every length that comes from a file is held against one of them before memory is taken. */
export interface Limits {
  /** Most bytes of any one allocation made for a length that input states. */
  readonly maxAllocation: number;
  /** Most uncompressed bytes (`nbytes`) of one chunk. */
  readonly maxChunkBytes: number;
}

/** The largest buffer that the Blosc2 format allows in one chunk, in bytes: 2^31 - 1 less the longest header. */
export const MAX_CHUNK_BYTES: number = 0x7fffffff - 32;

/** The format's own bounds. Lower them where input is not trusted and memory is scarce. */
export const DEFAULT_LIMITS: Limits = {
  maxAllocation: 0x7fffffff,
  maxChunkBytes: MAX_CHUNK_BYTES,
};
