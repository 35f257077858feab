// What the zstd decoder returns instead of a byte count. `src/zstd-errors.ts` holds the same numbers in words.

export const FRAME_TRUNCATED: i32 = -1;
export const FRAME_HEADER_INVALID: i32 = -2;
export const DICTIONARY_WRONG: i32 = -3;
export const DICTIONARY_INVALID: i32 = -4;
export const BLOCK_INVALID: i32 = -5;
export const LITERALS_INVALID: i32 = -6;
export const HUFFMAN_TREE_INVALID: i32 = -7;
export const HUFFMAN_TREE_MISSING: i32 = -8;
export const HUFFMAN_STREAM_INVALID: i32 = -9;
export const SEQUENCES_INVALID: i32 = -10;
export const FSE_TABLE_INVALID: i32 = -11;
export const FSE_TABLE_MISSING: i32 = -12;
export const SEQUENCE_STREAM_INVALID: i32 = -13;
export const OFFSET_INVALID: i32 = -14;
export const OUTPUT_FULL: i32 = -15;
export const SIZE_WRONG: i32 = -16;
export const CHECKSUM_WRONG: i32 = -17;
