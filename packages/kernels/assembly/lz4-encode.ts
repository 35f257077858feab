// The fast LZ4 encoder: one table of hashed positions, and longer and longer steps through what does not match. The table is
// cleared for each call, so that the output depends on the input alone.

import { emitLastLiterals, emitSequence, LAST_LITERALS, MATCH_START_LIMIT, MAX_DISTANCE, MIN_MATCH } from "./lz4-emit";
import { matchLength } from "./match-length";
import { HASH_TABLE } from "./memory-map";

/** Both forms of the table fill 16 KiB, half of a small first-level cache. */
const TABLE_BYTES: usize = 16384;
/** Log2 of the number of failed attempts after which the step grows by one. */
const STEP_SHIFT: usize = 6;
/** 2^64 divided by the golden ratio: multiplying by it spreads the bits of a hash. */
const GOLDEN: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;

/**
 * Slot address for the first five bytes at `p`; `P` is the type of a table entry. Five bytes instead of the four that a match
 * needs: the entries then point to longer matches.
 *
 * @inline
 */
function slotOf<P>(p: usize): usize {
  const hash = (load<u64>(p) << 24) * GOLDEN;
  if (sizeof<P>() == 2) return HASH_TABLE + ((<usize>(hash >> 51)) << 1);
  return HASH_TABLE + ((<usize>(hash >> 52)) << 2);
}

/** Encodes with table entries of type `P`, positions relative to `base`. */
function encode<P>(
  source: usize,
  sourceLength: usize,
  target: usize,
  targetLength: usize,
  acceleration: usize,
  history: usize,
): usize {
  const base = source - history;
  const inputEnd = source + sourceLength;
  const outputEnd = target + targetLength;
  const matchLimit = inputEnd - LAST_LITERALS;
  const lastStart = inputEnd - MATCH_START_LIMIT;
  let anchor = source;
  let ip = source;
  let op = target;

  memory.fill(HASH_TABLE, 0, TABLE_BYTES);
  for (let p = base; p + 8 <= source; p += 3) store<P>(slotOf<P>(p), <P>(p - base));
  if (history == 0) ip++;

  while (ip <= lastStart) {
    let match: usize;
    let attempts = acceleration << STEP_SHIFT;
    let next = ip;
    let nextSlot = slotOf<P>(next);
    let step: usize = 1;
    do {
      ip = next;
      const slot = nextSlot;
      next += step;
      step = attempts >> STEP_SHIFT;
      attempts++;
      if (next > lastStart) {
        op = emitLastLiterals(op, outputEnd, anchor, inputEnd - anchor);
        return op == 0 ? 0 : op - target;
      }
      nextSlot = slotOf<P>(next);
      match = base + <usize>load<P>(slot);
      store<P>(slot, <P>(ip - base));
    } while ((sizeof<P>() != 2 && ip - match > MAX_DISTANCE) || load<u32>(match) != load<u32>(ip));

    while (ip > anchor && match > base && load<u8>(ip - 1) == load<u8>(match - 1)) {
      ip--;
      match--;
    }

    while (true) {
      const matched = MIN_MATCH + matchLength(ip + MIN_MATCH, match + MIN_MATCH, matchLimit);
      op = emitSequence(op, outputEnd, anchor, ip - anchor, ip - match, matched, inputEnd);
      if (op == 0) return 0;
      ip += matched;
      anchor = ip;
      if (ip > lastStart) break;
      store<P>(slotOf<P>(ip - 2), <P>(ip - 2 - base));
      const slot = slotOf<P>(ip);
      match = base + <usize>load<P>(slot);
      store<P>(slot, <P>(ip - base));
      if ((sizeof<P>() != 2 && ip - match > MAX_DISTANCE) || load<u32>(match) != load<u32>(ip)) break;
    }
    ip++;
  }
  op = emitLastLiterals(op, outputEnd, anchor, inputEnd - anchor);
  return op == 0 ? 0 : op - target;
}

/**
 * Encodes `sourceLength` bytes as one LZ4 block.
 *
 * @param acceleration 1 (densest) and up: how fast the steps grow where nothing matches
 * @param history bytes before `source` (a dictionary, at most 64 KiB) that matches may refer to
 * @returns bytes written, or 0 when the block does not fit `targetLength`
 */
export function lz4Encode(
  source: usize,
  sourceLength: usize,
  target: usize,
  targetLength: usize,
  acceleration: usize,
  history: usize,
): usize {
  if (sourceLength + history <= MAX_DISTANCE + 1) {
    return encode<u16>(source, sourceLength, target, targetLength, acceleration, history);
  }
  return encode<u32>(source, sourceLength, target, targetLength, acceleration, history);
}
