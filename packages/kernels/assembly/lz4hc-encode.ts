// The high-compression LZ4 encoder: chains of earlier positions with the same hash, searched to a depth that the level gives,
// and a match is put off when one of the next two positions has a longer one.

import { emitLastLiterals, emitSequence, LAST_LITERALS, MATCH_START_LIMIT, MAX_DISTANCE, MIN_MATCH } from "./lz4-emit";
import { matchLength } from "./match-length";
import { CHAIN_HEADS, CHAIN_LINKS } from "./memory-map";

const HEAD_BITS: u32 = 15;
const KNUTH: u32 = 2654435761;

/** @inline */
function headOf(p: usize): usize {
  return CHAIN_HEADS + ((<usize>((load<u32>(p) * KNUTH) >>> (32 - HEAD_BITS))) << 2);
}

/** @inline */
function linkOf(position: usize): usize {
  return CHAIN_LINKS + ((position & 0xffff) << 1);
}

/** Adds the positions `from..to` to their chains. Heads hold a position + 1, links the distance to the one before. */
function insert(base: usize, from: usize, to: usize): void {
  for (let p = from; p < to; p++) {
    const head = headOf(p);
    const position = p - base;
    const previous = <usize>load<u32>(head);
    const distance = position + 1 - previous;
    store<u16>(linkOf(position), previous == 0 || distance > MAX_DISTANCE ? 0 : <u16>distance);
    store<u32>(head, <u32>(position + 1));
  }
}

/**
 * The longest match for `ip` that is longer than `least`, as length << 32 | address; 0 if there is none. `ip` is not in the
 * chains yet, everything before it is.
 */
function longestMatch(base: usize, ip: usize, least: usize, matchLimit: usize, attempts: u32): u64 {
  const head = <usize>load<u32>(headOf(ip));
  if (head == 0) return 0;
  const first = load<u32>(ip);
  let best = least;
  let bestMatch: usize = 0;
  let match = base + head - 1;
  while (ip - match <= MAX_DISTANCE) {
    if (load<u32>(match) == first && (best < MIN_MATCH || load<u32>(match + best - 3) == load<u32>(ip + best - 3))) {
      const length = MIN_MATCH + matchLength(ip + MIN_MATCH, match + MIN_MATCH, matchLimit);
      if (length > best) {
        best = length;
        bestMatch = match;
        if (ip + length >= matchLimit) break;
      }
    }
    const distance = <usize>load<u16>(linkOf(match - base));
    attempts--;
    if (distance == 0 || attempts == 0) break;
    match -= distance;
  }
  return bestMatch == 0 ? 0 : ((<u64>best) << 32) | <u64>bestMatch;
}

/**
 * Encodes `sourceLength` bytes as one LZ4 block, more densely and slowly than `lz4Encode`.
 *
 * @param level 1..9; a search goes 2^(level + 1) positions deep, at most 512
 * @param history bytes before `source` (a dictionary, at most 64 KiB) that matches may refer to
 * @returns bytes written, or 0 when the block does not fit `targetLength`
 */
export function lz4hcEncode(
  source: usize,
  sourceLength: usize,
  target: usize,
  targetLength: usize,
  level: u32,
  history: usize,
): usize {
  const attempts: u32 = 2 << min<u32>(max<u32>(level, 1), 8);
  const base = source - history;
  const inputEnd = source + sourceLength;
  const outputEnd = target + targetLength;
  const matchLimit = inputEnd - LAST_LITERALS;
  const lastStart = inputEnd - MATCH_START_LIMIT;
  let anchor = source;
  let ip = source;
  let op = target;
  let inserted = base;

  memory.fill(CHAIN_HEADS, 0, 4 << HEAD_BITS);
  while (ip <= lastStart) {
    insert(base, inserted, ip);
    inserted = ip;
    let found = longestMatch(base, ip, MIN_MATCH - 1, matchLimit, attempts);
    if (found == 0) {
      ip++;
      continue;
    }
    let ahead: usize = 1;
    while (ahead <= 2 && ip + ahead <= lastStart) {
      const later = ip + ahead;
      insert(base, inserted, later);
      inserted = later;
      // A match further on has to pay for the literals before it.
      const longer = longestMatch(base, later, <usize>(found >> 32) + ahead - 1, matchLimit, attempts);
      if (longer == 0) {
        ahead++;
      } else {
        found = longer;
        ip = later;
        ahead = 1;
      }
    }
    let match = <usize>found;
    let matched = <usize>(found >> 32);
    while (ip > anchor && match > base && load<u8>(ip - 1) == load<u8>(match - 1)) {
      ip--;
      match--;
      matched++;
    }
    op = emitSequence(op, outputEnd, anchor, ip - anchor, ip - match, matched, inputEnd);
    if (op == 0) return 0;
    ip += matched;
    anchor = ip;
  }
  op = emitLastLiterals(op, outputEnd, anchor, inputEnd - anchor);
  return op == 0 ? 0 : op - target;
}
