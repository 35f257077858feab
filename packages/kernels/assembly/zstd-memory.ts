// The fixed addresses of the zstd decoder, which is a module with a memory of its own. Room is left in front of every buffer that
// is read backwards and behind every buffer that is written in whole vectors.

/** Decoding table of the literals: 2^11 entries of 2 bytes (symbol, bits). */
export const HUFFMAN_TABLE: usize = 1024;
/** Decoding tables of the three kinds of sequence codes: up to 512 entries of 8 bytes. */
export const LENGTH_TABLE: usize = 8192;
export const OFFSET_TABLE: usize = 12288;
export const MATCH_TABLE: usize = 16384;
/** Decoding table of Huffman weights, 64 entries of 8 bytes. */
export const WEIGHT_TABLE: usize = 20480;
/** Up to 256 weights (bytes). */
export const WEIGHTS: usize = 21504;
/** Probabilities of up to 64 symbols (int16), then how often each came in the table so far (uint16). */
export const PROBABILITIES: usize = 22016;
export const OCCURRENCES: usize = 22272;
/** Symbols of the states of a table that is being built (bytes). */
export const STATE_SYMBOLS: usize = 22528;
/** Where the next entry of each Huffman weight goes: 16 uint32. */
export const RANKS: usize = 23552;
/** Decoded literals of a block: up to `MAX_BLOCK` bytes and a margin. */
export const LITERALS: usize = 24576;

/** No block has more than this many bytes, neither compressed nor decoded (RFC 8878, 3.1.1.2.4). */
export const MAX_BLOCK: usize = 128 * 1024;

/** First address that the decoder does not use itself. */
export function heapBase(): usize {
  return __heap_base;
}
