// Literals in one or four Huffman streams (RFC 8878, 4.2.2).
import { bitsBelow, openBits } from "./backward-bits";
import { huffmanCodeBits } from "./huffman-table";
import { HUFFMAN_STREAM_INVALID } from "./zstd-errors";
import { HUFFMAN_TABLE } from "./zstd-memory";

/** Codes of at most 11 bits that one word holds. */
const CODES_PER_WORD: usize = 5;

/** Decodes the codes from `target` to `end`; the stream must end with them. @returns 0 or an error */
function finishStream(source: usize, start: i32, target: usize, end: usize): i32 {
  const shift: u64 = 64 - huffmanCodeBits();
  let position = start;
  for (let at = target; at < end; at++) {
    if (position <= 0) return HUFFMAN_STREAM_INVALID;
    const entry = <u32>load<u16>(HUFFMAN_TABLE + ((<usize>(bitsBelow(source, position) >> shift)) << 1));
    store<u8>(at, <u8>entry);
    position -= entry >> 8;
  }
  return position == 0 ? 0 : HUFFMAN_STREAM_INVALID;
}

/** Decodes five codes below `position`. @returns the position after them @inline */
function decodeFive(source: usize, position: i32, target: usize, shift: u64): i32 {
  let word = bitsBelow(source, position);
  const a = <u32>load<u16>(HUFFMAN_TABLE + ((<usize>(word >> shift)) << 1));
  word <<= <u64>(a >> 8);
  const b = <u32>load<u16>(HUFFMAN_TABLE + ((<usize>(word >> shift)) << 1));
  word <<= <u64>(b >> 8);
  const c = <u32>load<u16>(HUFFMAN_TABLE + ((<usize>(word >> shift)) << 1));
  word <<= <u64>(c >> 8);
  const d = <u32>load<u16>(HUFFMAN_TABLE + ((<usize>(word >> shift)) << 1));
  word <<= <u64>(d >> 8);
  const e = <u32>load<u16>(HUFFMAN_TABLE + ((<usize>(word >> shift)) << 1));
  store<u32>(target, (a & 255) | ((b & 255) << 8) | ((c & 255) << 16) | (d << 24));
  store<u8>(target, <u8>e, 4);
  return position - <i32>((a >> 8) + (b >> 8) + (c >> 8) + (d >> 8) + (e >> 8));
}

/** Decodes one stream into `length` bytes. @returns 0 or an error */
export function decodeOneStream(source: usize, sourceLength: usize, target: usize, length: usize): i32 {
  const shift: u64 = 64 - huffmanCodeBits();
  let position = openBits(source, sourceLength);
  const end = target + length;
  let at = target;
  for (; at + CODES_PER_WORD <= end; at += CODES_PER_WORD) {
    if (position < 0) return HUFFMAN_STREAM_INVALID;
    position = decodeFive(source, position, at, shift);
  }
  return finishStream(source, position, at, end);
}

/** Decodes four streams, whose lengths stand in front of them, into `length` bytes. @returns 0 or an error */
export function decodeFourStreams(source: usize, sourceLength: usize, target: usize, length: usize): i32 {
  const part = (length + 3) >> 2;
  if (sourceLength < 10 || part * 3 > length) return HUFFMAN_STREAM_INVALID;
  const length0 = <usize>load<u16>(source);
  const length1 = <usize>load<u16>(source, 2);
  const length2 = <usize>load<u16>(source, 4);
  const before: usize = 6 + length0 + length1 + length2;
  if (before >= sourceLength) return HUFFMAN_STREAM_INVALID;
  const source0 = source + 6;
  const source1 = source0 + length0;
  const source2 = source1 + length1;
  const source3 = source2 + length2;
  let position0 = openBits(source0, length0);
  let position1 = openBits(source1, length1);
  let position2 = openBits(source2, length2);
  let position3 = openBits(source3, sourceLength - before);
  const target1 = target + part;
  const target2 = target1 + part;
  const target3 = target2 + part;
  const end = target + length;
  const shift: u64 = 64 - huffmanCodeBits();
  // The last part is the shortest.
  const shortest = end - target3;
  let at: usize = 0;
  for (; at + CODES_PER_WORD <= shortest; at += CODES_PER_WORD) {
    if ((position0 | position1 | position2 | position3) < 0) return HUFFMAN_STREAM_INVALID;
    position0 = decodeFive(source0, position0, target + at, shift);
    position1 = decodeFive(source1, position1, target1 + at, shift);
    position2 = decodeFive(source2, position2, target2 + at, shift);
    position3 = decodeFive(source3, position3, target3 + at, shift);
  }
  if (finishStream(source0, position0, target + at, target1) < 0) return HUFFMAN_STREAM_INVALID;
  if (finishStream(source1, position1, target1 + at, target2) < 0) return HUFFMAN_STREAM_INVALID;
  if (finishStream(source2, position2, target2 + at, target3) < 0) return HUFFMAN_STREAM_INVALID;
  return finishStream(source3, position3, target3 + at, end);
}
