// The BloscLZ encoder: one table of hashed positions and growing steps, as in the fast LZ4 encoder, in BloscLZ's own form: literal
// runs of at most 32 bytes, matches of three bytes and more, a near and a far distance.
import { copyExact } from "./copy-bytes";
import { matchLength } from "./match-length";
import { HASH_TABLE, HASH_TABLE_BYTES } from "./memory-map";

/** Shorter inputs are stored. */
const LEAST_INPUT: usize = 16;
const LONGEST_RUN: usize = 32;
/** Distances below go into two bytes, from here on into four. */
const FAR_DISTANCE: usize = 8192;
const MAX_DISTANCE: usize = FAR_DISTANCE + 65535;
const MIN_NEAR_MATCH: usize = 4;
const MIN_FAR_MATCH: usize = 7;
const TABLE_SHIFT: u32 = 19;
const KNUTH: u32 = 2654435761;
/** Set in the first control byte; decoders look at its low five bits only. */
const STREAM_MARK: u8 = 0x20;

/** @inline */
function slotOf(p: usize): usize {
  return HASH_TABLE + ((<usize>((load<u32>(p) * KNUTH) >>> TABLE_SHIFT)) << 2);
}

/** Writes `length` literals as runs. @returns the new output position, or 0 if they do not fit */
function emitLiterals(op: usize, outputEnd: usize, anchor: usize, length: usize): usize {
  if (outputEnd - op < length + (length + LONGEST_RUN - 1) / LONGEST_RUN) return 0;
  while (length > 0) {
    const run = min(length, LONGEST_RUN);
    store<u8>(op, <u8>(run - 1));
    copyExact(op + 1, anchor, run);
    op += run + 1;
    anchor += run;
    length -= run;
  }
  return op;
}

/** Writes a match. @returns the new output position, or 0 if it does not fit */
function emitMatch(op: usize, outputEnd: usize, distance: usize, length: usize): usize {
  if (outputEnd - op < 6 + length / 255) return 0;
  const far = distance >= FAR_DISTANCE;
  const low: usize = far ? 0x1fff : distance - 1;
  if (length < 9) {
    store<u8>(op, <u8>(((length - 2) << 5) | (low >> 8)));
    op++;
  } else {
    store<u8>(op, <u8>((7 << 5) | (low >> 8)));
    op++;
    let rest = length - 9;
    while (rest >= 255) {
      store<u8>(op, 255);
      op++;
      rest -= 255;
    }
    store<u8>(op, <u8>rest);
    op++;
  }
  store<u8>(op, <u8>low);
  op++;
  if (far) {
    const rest = distance - FAR_DISTANCE;
    store<u8>(op, <u8>(rest >> 8));
    store<u8>(op + 1, <u8>rest);
    op += 2;
  }
  return op;
}

/**
 * Encodes `sourceLength` bytes as one BloscLZ stream.
 *
 * @param level 1..9: how slowly the steps grow where nothing matches
 * @returns bytes written, or 0 when the stream does not fit `targetLength` or the input is too short for one
 */
export function blosclzEncode(
  source: usize,
  sourceLength: usize,
  target: usize,
  targetLength: usize,
  level: u32,
): usize {
  if (sourceLength < LEAST_INPUT) return 0;
  const inputEnd = source + sourceLength;
  const outputEnd = target + targetLength;
  // The stream has to end with literals: a match in last place would be dropped by decoders.
  const matchLimit = inputEnd - 2;
  const lastStart = inputEnd - 12;
  const stepShift: usize = 3 + (<usize>min<u32>(level, 9) >> 1);
  let anchor = source;
  let ip = source + 1;
  let op = target;

  memory.fill(HASH_TABLE, 0, HASH_TABLE_BYTES);
  while (ip <= lastStart) {
    const slot = slotOf(ip);
    const match = source + <usize>load<u32>(slot);
    store<u32>(slot, <u32>(ip - source));
    const distance = ip - match;
    if (distance > MAX_DISTANCE || load<u32>(match) != load<u32>(ip)) {
      ip += 1 + ((ip - anchor) >> stepShift);
      continue;
    }
    const length = matchLength(ip + 4, match + 4, matchLimit) + 4;
    if (length < (distance >= FAR_DISTANCE ? MIN_FAR_MATCH : MIN_NEAR_MATCH)) {
      ip++;
      continue;
    }
    op = emitLiterals(op, outputEnd, anchor, ip - anchor);
    if (op == 0) return 0;
    op = emitMatch(op, outputEnd, distance, length);
    if (op == 0) return 0;
    ip += length;
    anchor = ip;
    store<u32>(slotOf(ip - 2), <u32>(ip - 2 - source));
  }
  op = emitLiterals(op, outputEnd, anchor, inputEnd - anchor);
  if (op == 0) return 0;
  store<u8>(target, load<u8>(target) | STREAM_MARK);
  return op - target;
}
