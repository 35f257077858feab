// The sequences of a block (RFC 8878, 3.1.1.3.2): literals and matches, put straight into the output.
import { bitsBelow, openBits, topBits } from "./backward-bits";
import { copyMatchWild } from "./overlap-copy";
import { LENGTHS, logOf, MATCHES, OFFSETS, prepareTable } from "./sequence-codes";
import { OFFSET_INVALID, OUTPUT_FULL, SEQUENCE_STREAM_INVALID, SEQUENCES_INVALID } from "./zstd-errors";
import { literalsCount, literalsStart } from "./zstd-literals";
import { LENGTH_TABLE, MATCH_TABLE, OFFSET_TABLE } from "./zstd-memory";

/** With at most this many bits after the codes, all bits of a sequence fit one word: changes of state take up to 26. */
const MAX_BITS_IN_ONE: u64 = 57 - 26;

/** Offsets that were used last (RFC 8878, 3.1.1.5). */
let recent0: usize = 1;
let recent1: usize = 4;
let recent2: usize = 8;

export function setRecentOffsets(first: usize, second: usize, third: usize): void {
  recent0 = first;
  recent1 = second;
  recent2 = third;
}

/** Copies literals; up to 31 bytes behind them are overwritten. @inline */
function copyLiterals(target: usize, source: usize, length: usize): void {
  v128.store(target, v128.load(source));
  for (let i: usize = 16; i < length; i += 16) v128.store(target + i, v128.load(source + i));
}

/** Decodes `count` sequences. @returns the output's end or an error */
function decodeSequences(source: usize, length: usize, count: u32, target: usize, end: usize, lowest: usize): i64 {
  let position = openBits(source, length);
  if (position < 0) return SEQUENCE_STREAM_INVALID;
  let word = bitsBelow(source, position);
  const lengthLog = <u64>logOf(LENGTHS);
  const offsetLog = <u64>logOf(OFFSETS);
  const matchLog = <u64>logOf(MATCHES);
  let lengthEntry = LENGTH_TABLE + ((<usize>topBits(word, lengthLog)) << 3);
  word <<= lengthLog;
  let offsetEntry = OFFSET_TABLE + ((<usize>topBits(word, offsetLog)) << 3);
  word <<= offsetLog;
  let matchEntry = MATCH_TABLE + ((<usize>topBits(word, matchLog)) << 3);
  position -= <i32>(lengthLog + offsetLog + matchLog);
  let literals = literalsStart();
  const literalsEnd = literals + literalsCount();
  let first = recent0;
  let second = recent1;
  let third = recent2;
  let op = target;
  for (let left = count; left > 0; left--) {
    if (position < 0) return SEQUENCE_STREAM_INVALID;
    const lengthCode = load<u64>(lengthEntry);
    const offsetCode = load<u64>(offsetEntry);
    const matchCode = load<u64>(matchEntry);
    const lengthBits = (lengthCode >> 24) & 255;
    const offsetBits = (offsetCode >> 24) & 255;
    const matchBits = (matchCode >> 24) & 255;
    const bits = lengthBits + offsetBits + matchBits;
    word = bitsBelow(source, position);
    const value = <usize>(offsetCode >> 32) + <usize>topBits(word, offsetBits);
    word <<= offsetBits;
    position -= <i32>bits;
    if (bits > MAX_BITS_IN_ONE) word = bitsBelow(source, position + <i32>(bits - offsetBits));
    const matchLength = <usize>(matchCode >> 32) + <usize>topBits(word, matchBits);
    word <<= matchBits;
    const literalLength = <usize>(lengthCode >> 32) + <usize>topBits(word, lengthBits);
    word <<= lengthBits;
    let offset: usize;
    if (value > 3) {
      offset = value - 3;
      third = second;
      second = first;
      first = offset;
    } else {
      const which = value - 1 + <usize>(literalLength == 0);
      if (which == 0) {
        offset = first;
      } else {
        offset = which == 1 ? second : which == 2 ? third : first - 1;
        if (which != 1) third = second;
        second = first;
        first = offset;
      }
    }
    if (left > 1) {
      if (bits > MAX_BITS_IN_ONE) word = bitsBelow(source, position);
      const lengthStep = (lengthCode >> 16) & 255;
      lengthEntry = LENGTH_TABLE + ((<usize>(lengthCode & 0xffff) + <usize>topBits(word, lengthStep)) << 3);
      word <<= lengthStep;
      const matchStep = (matchCode >> 16) & 255;
      matchEntry = MATCH_TABLE + ((<usize>(matchCode & 0xffff) + <usize>topBits(word, matchStep)) << 3);
      word <<= matchStep;
      const offsetStep = (offsetCode >> 16) & 255;
      offsetEntry = OFFSET_TABLE + ((<usize>(offsetCode & 0xffff) + <usize>topBits(word, offsetStep)) << 3);
      position -= <i32>(lengthStep + matchStep + offsetStep);
    }
    if (literalLength > literalsEnd - literals) return SEQUENCE_STREAM_INVALID;
    // Neither length exceeds 2^18, so the sum does not wrap around.
    if (literalLength + matchLength > end - op) return OUTPUT_FULL;
    copyLiterals(op, literals, literalLength);
    op += literalLength;
    literals += literalLength;
    // One comparison for both: offset 0 becomes the largest number.
    if (offset - 1 >= op - lowest) return OFFSET_INVALID;
    copyMatchWild(op, offset, matchLength);
    op += matchLength;
  }
  if (position != 0) return SEQUENCE_STREAM_INVALID;
  recent0 = first;
  recent1 = second;
  recent2 = third;
  const rest = literalsEnd - literals;
  if (rest > end - op) return OUTPUT_FULL;
  memory.copy(op, literals, rest);
  return <i64>(op + rest);
}

/** Prepares the three tables. @returns bytes read or an error */
function prepareTables(source: usize, length: usize): i32 {
  if (length == 0) return SEQUENCES_INVALID;
  const modes = <u32>load<u8>(source);
  if ((modes & 3) != 0) return SEQUENCES_INVALID;
  let at: usize = 1;
  for (let kind: u32 = 0; kind < 3; kind++) {
    const used = prepareTable(kind, (modes >> (6 - 2 * kind)) & 3, source + at, length - at);
    if (used < 0) return used;
    at += used;
  }
  return <i32>at;
}

/**
 * Reads the section and puts the block together at `target`, up to `end`; matches reach down to `lowest`. Up to 31 bytes after the
 * end are overwritten. @returns the output's end or an error
 */
export function readSequences(source: usize, length: usize, target: usize, end: usize, lowest: usize): i64 {
  if (length == 0) return SEQUENCES_INVALID;
  let count = <u32>load<u8>(source);
  let at: usize = 1;
  if (count == 0) {
    if (length != 1) return SEQUENCES_INVALID;
    const rest = literalsCount();
    if (rest > end - target) return OUTPUT_FULL;
    memory.copy(target, literalsStart(), rest);
    return <i64>(target + rest);
  }
  if (count == 255) {
    if (length < 3) return SEQUENCES_INVALID;
    count = <u32>load<u16>(source, 1) + 0x7f00;
    at = 3;
  } else if (count > 127) {
    if (length < 2) return SEQUENCES_INVALID;
    count = ((count - 128) << 8) + <u32>load<u8>(source, 1);
    at = 2;
  }
  const used = prepareTables(source + at, length - at);
  if (used < 0) return used;
  at += used;
  return decodeSequences(source + at, length - at, count, target, end, lowest);
}
