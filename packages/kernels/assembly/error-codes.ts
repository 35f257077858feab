// What the kernels return instead of a byte count. `src/kernel-errors.ts` holds the same numbers with their meaning.

/** A `csize` field, or the token byte after a negative one, lies past the end of the block's bytes. */
export const FIELD_TRUNCATED: i32 = -1;
/** A stream's `csize` exceeds the bytes that are left. */
export const STREAM_TRUNCATED: i32 = -2;
/** A negative `csize` below -255. */
export const CSIZE_INVALID: i32 = -3;
/** The token byte of a run lacks bit 0. */
export const TOKEN_INVALID: i32 = -4;
/** The block does not split into equal streams of at least one byte. */
export const STREAMS_UNEQUAL: i32 = -5;
/** A codec stream is malformed or does not give the expected number of bytes. */
export const STREAM_MALFORMED: i32 = -6;
/** A codec or filter id that these kernels do not have. */
export const NOT_IN_KERNELS: i32 = -7;
/** A filter's meta is out of range for the typesize. */
export const FILTER_META_INVALID: i32 = -8;
/** The encoded block does not fit the room that there is. */
export const DOES_NOT_FIT: i32 = -9;
