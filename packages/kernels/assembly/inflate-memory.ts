// The fixed addresses of the inflate decoder, which is a module with a memory of its own.

/**
 * Decoding tables of a block: entries of 4 bytes, first one for each value of the next bits (10 for literals and lengths, 8 for
 * distances), then subtables for longer codes. A subtable for `s` more bits has 2^s entries and at least s + 1 symbols, since its code
 * is complete: 286 symbols of up to 15 bits need at most 2^10 + 286 / 6 * 2^5 entries, 30 at most 2^8 + 30 / 8 * 2^7.
 */
export const LITERAL_TABLE: usize = 1024;
export const DISTANCE_TABLE: usize = 17408;
/** Decoding table of the code lengths: 2^7 entries of 4 bytes. */
export const LENGTHS_TABLE: usize = 21504;
/** Code lengths of a block's symbols (bytes): up to 286 of literals and lengths and 30 of distances, or 288 and 32 fixed ones. */
export const LENGTHS: usize = 22016;
/** Code lengths of the code that those are written in: 19 bytes. */
export const LENGTHS_OF_LENGTHS: usize = 22400;
/** How many symbols have each code length, and where those of each begin among all in order: 16 uint32 each. */
export const COUNTS: usize = 22528;
export const STARTS: usize = 22592;
/** Symbols in the order of their codes (uint16). */
export const SORTED: usize = 22656;

/** First address that the decoder does not use itself. */
export function heapBase(): usize {
  return __heap_base;
}
