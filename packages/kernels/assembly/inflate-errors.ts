// What the inflate decoder returns instead of a byte count. `src/inflate-errors.ts` holds the same numbers in words.

export const STREAM_TRUNCATED: i32 = -1;
export const HEADER_INVALID: i32 = -2;
export const DICTIONARY_NEEDED: i32 = -3;
export const BLOCK_TYPE_INVALID: i32 = -4;
export const STORED_LENGTH_INVALID: i32 = -5;
export const TOO_MANY_SYMBOLS: i32 = -6;
export const LENGTHS_CODE_INVALID: i32 = -7;
export const LENGTHS_INVALID: i32 = -8;
export const END_MISSING: i32 = -9;
export const LITERALS_CODE_INVALID: i32 = -10;
export const DISTANCES_CODE_INVALID: i32 = -11;
export const LITERAL_INVALID: i32 = -12;
export const DISTANCE_INVALID: i32 = -13;
export const DISTANCE_TOO_FAR: i32 = -14;
export const OUTPUT_FULL: i32 = -15;
export const CHECKSUM_WRONG: i32 = -16;
