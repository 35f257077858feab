/** What the kernels return instead of 0 or a byte count. @module */

/** The negative results of the kernels, by name. */
export const KERNEL_ERRORS = {
  /** A `csize` field, or the token byte after a negative one, lies past the end of the block's bytes. */
  FIELD_TRUNCATED: -1,
  /** A stream's `csize` exceeds the bytes that are left. */
  STREAM_TRUNCATED: -2,
  /** A negative `csize` below -255. */
  CSIZE_INVALID: -3,
  /** The token byte of a run lacks bit 0. */
  TOKEN_INVALID: -4,
  /** The block does not split into equal streams of at least one byte. */
  STREAMS_UNEQUAL: -5,
  /** A codec stream is malformed or does not give the expected number of bytes. */
  STREAM_MALFORMED: -6,
  /** A codec or filter id that the kernels do not have. */
  NOT_IN_KERNELS: -7,
  /** A filter's meta is out of range for the typesize. */
  FILTER_META_INVALID: -8,
  /** The encoded block does not fit the room that there is. */
  DOES_NOT_FIT: -9,
} as const;
