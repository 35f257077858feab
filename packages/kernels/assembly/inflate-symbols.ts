// The compressed data of a block (RFC 1951, 3.2.3): literals, and matches put straight into the output.
import { continueBits, endOfStream, heldBits, heldWord, nextByte } from "./forward-bits";
import { BLOCK_END, LINK, LITERAL, NO_SYMBOL } from "./inflate-code";
import { DISTANCE_INVALID, DISTANCE_TOO_FAR, LITERAL_INVALID, OUTPUT_FULL, STREAM_TRUNCATED } from "./inflate-errors";
import { DISTANCE_TABLE, LITERAL_TABLE } from "./inflate-memory";
import { copyMatchWild } from "./overlap-copy";

/** By how many bits the tables are looked up at most. Three literals and the bits of a match fit what is held after a refill. */
export const LITERAL_BITS: u32 = 10;
export const DISTANCE_BITS: u32 = 8;

/** Entry of a table for the lowest bits of a word. @inline */
function entryAt(table: usize, word: u64, mask: u64): u32 {
  return load<u32>(table + ((<usize>(word & mask)) << 2));
}

/** Entry of the subtable that a link leads to. @inline */
function linkedEntry(table: usize, word: u64, link: u32): u32 {
  return load<u32>(table + ((<usize>(link >> 16) + <usize>(word & (((<u64>1) << (link & 255)) - 1))) << 2));
}

/** Base and extra bits of a length or distance. @inline */
function valueOf(entry: u32, word: u64): usize {
  return <usize>(entry >> 16) + <usize>((word & (((<u64>1) << (entry & 255)) - 1)) >> ((entry >> 8) & 15));
}

/** Leaves the state for whoever asks whether the stream has these bits. @returns the error */
function fail(status: i64, word: u64, held: u64, next: usize): i64 {
  continueBits(word, held, next);
  return status;
}

/**
 * Decodes up to the block's end with tables that are looked up by so many bits; puts the output together at `target`, up to `end`;
 * matches reach down to `lowest`. Up to 35 bytes after the end are overwritten.
 *
 * @returns the output's end or an error
 */
export function decodeSymbols(literalBits: u64, distanceBits: u64, target: usize, end: usize, lowest: usize): i64 {
  const literalMask: u64 = ((<u64>1) << literalBits) - 1;
  const distanceMask: u64 = ((<u64>1) << distanceBits) - 1;
  // What is read ahead may lie behind the end, but nothing that a symbol is made of.
  const stop = endOfStream() + 8;
  let word = heldWord();
  let held = heldBits();
  let next = nextByte();
  let op = target;
  while (true) {
    if (next > stop) return STREAM_TRUNCATED;
    // Literals may have gone beyond by three.
    if (op > end) return fail(OUTPUT_FULL, word, held, next);
    word |= load<u64>(next) << held;
    next += <usize>((63 - held) >> 3);
    held |= 56;
    let entry = entryAt(LITERAL_TABLE, word, literalMask);
    if ((entry & LITERAL) != 0) {
      store<u8>(op, <u8>(entry >> 16));
      word >>= <u64>(entry & 255);
      held -= <u64>(entry & 255);
      entry = entryAt(LITERAL_TABLE, word, literalMask);
      op++;
      if ((entry & LITERAL) != 0) {
        store<u8>(op, <u8>(entry >> 16));
        word >>= <u64>(entry & 255);
        held -= <u64>(entry & 255);
        entry = entryAt(LITERAL_TABLE, word, literalMask);
        op++;
        if ((entry & LITERAL) != 0) {
          store<u8>(op, <u8>(entry >> 16));
          word >>= <u64>(entry & 255);
          held -= <u64>(entry & 255);
          op++;
          continue;
        }
      }
      word |= load<u64>(next) << held;
      next += <usize>((63 - held) >> 3);
      held |= 56;
    }
    if ((entry & LINK) != 0) {
      word >>= literalBits;
      held -= literalBits;
      entry = linkedEntry(LITERAL_TABLE, word, entry);
      if ((entry & LITERAL) != 0) {
        store<u8>(op, <u8>(entry >> 16));
        word >>= <u64>(entry & 255);
        held -= <u64>(entry & 255);
        op++;
        continue;
      }
    }
    if ((entry & (BLOCK_END | NO_SYMBOL)) != 0) {
      if ((entry & NO_SYMBOL) != 0) return fail(LITERAL_INVALID, word, held, next);
      continueBits(word >> <u64>(entry & 255), held - <u64>(entry & 255), next);
      return op > end ? OUTPUT_FULL : <i64>op;
    }
    const length = valueOf(entry, word);
    word >>= <u64>(entry & 255);
    held -= <u64>(entry & 255);
    entry = entryAt(DISTANCE_TABLE, word, distanceMask);
    if ((entry & LINK) != 0) {
      word >>= distanceBits;
      held -= distanceBits;
      entry = linkedEntry(DISTANCE_TABLE, word, entry);
    }
    if ((entry & NO_SYMBOL) != 0) return fail(DISTANCE_INVALID, word, held, next);
    const distance = valueOf(entry, word);
    word >>= <u64>(entry & 255);
    held -= <u64>(entry & 255);
    if (distance > op - lowest) return fail(DISTANCE_TOO_FAR, word, held, next);
    if (op + length > end) return fail(OUTPUT_FULL, word, held, next);
    copyMatchWild(op, distance, length);
    op += length;
  }
}
