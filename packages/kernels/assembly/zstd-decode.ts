// zstd frames (RFC 8878, 3.1.1) whose window is the whole output.
import { xxh64 } from "./xxh64";
import { dictionaryContent, dictionaryId, openDictionary } from "./zstd-dictionary";
import {
  BLOCK_INVALID,
  CHECKSUM_WRONG,
  DICTIONARY_WRONG,
  FRAME_HEADER_INVALID,
  FRAME_TRUNCATED,
  OUTPUT_FULL,
  SIZE_WRONG,
} from "./zstd-errors";
import { readLiterals } from "./zstd-literals";
import { MAX_BLOCK } from "./zstd-memory";
import { readSequences } from "./zstd-sequences";

const MAGIC: u32 = 0xfd2fb528;
const RAW: u32 = 0;
const RLE: u32 = 1;
const COMPRESSED: u32 = 2;

/** Where the part of the frame begins that was read last. */
let cursor: usize = 0;

/** Address of the frame's part (header, block, checksum) at which decoding failed. */
export function failedPart(): usize {
  return cursor;
}

/** A number of 0 to 8 bytes. */
function readNumber(source: usize, length: usize): u64 {
  let value: u64 = 0;
  for (let i: usize = 0; i < length; i++) value |= (<u64>load<u8>(source + i)) << (<u64>(i << 3));
  return value;
}

/** A compressed block. @returns the output's end or an error */
function decodeBlock(source: usize, length: usize, target: usize, end: usize, lowest: usize): i64 {
  if (length > MAX_BLOCK) return BLOCK_INVALID;
  const used = readLiterals(source, length);
  if (used < 0) return used;
  const room = min(end - target, MAX_BLOCK);
  return readSequences(source + used, length - used, target, target + room, lowest);
}

/** The blocks at the cursor, which ends behind them. @returns the output's end or an error */
function decodeBlocks(sourceEnd: usize, target: usize, end: usize, lowest: usize): i64 {
  let op = target;
  let last: u32 = 0;
  while (last == 0) {
    if (sourceEnd - cursor < 3) return FRAME_TRUNCATED;
    const header = <u32>load<u16>(cursor) | ((<u32>load<u8>(cursor, 2)) << 16);
    last = header & 1;
    const type = (header >> 1) & 3;
    const size = <usize>(header >> 3);
    const at = cursor + 3;
    const stored: usize = type == RLE ? 1 : size;
    if (stored > sourceEnd - at) return FRAME_TRUNCATED;
    if (type == COMPRESSED) {
      const next = decodeBlock(at, size, op, end, lowest);
      if (next < 0) return next;
      op = <usize>next;
    } else {
      if (type > RLE || size > MAX_BLOCK) return BLOCK_INVALID;
      if (size > end - op) return OUTPUT_FULL;
      if (type == RAW) memory.copy(op, at, size);
      else memory.fill(op, load<u8>(at), size);
      op += size;
    }
    cursor = at + stored;
  }
  return <i64>op;
}

/**
 * Decodes one frame into at most `targetLength` bytes; up to 31 bytes after these are overwritten.
 *
 * @param dictionaryLength bytes of a dictionary that end where `target` begins
 * @returns the number of bytes or an error
 */
export function zstdDecode(
  source: usize,
  sourceLength: usize,
  target: usize,
  targetLength: usize,
  dictionaryLength: usize,
): i32 {
  cursor = source;
  const sourceEnd = source + sourceLength;
  if (sourceLength < 5) return FRAME_TRUNCATED;
  const descriptor = <u32>load<u8>(source, 4);
  if (load<u32>(source) != MAGIC || (descriptor & 8) != 0) return FRAME_HEADER_INVALID;
  const single = (descriptor & 32) != 0;
  const sizeFlag = descriptor >> 6;
  const sizeLength: usize = sizeFlag == 0 ? (single ? 1 : 0) : 1 << sizeFlag;
  const idLength: usize = (1 << (descriptor & 3)) >> 1;
  let at = source + (single ? 5 : 6);
  if (at + idLength + sizeLength > sourceEnd) return FRAME_TRUNCATED;
  const id = <u32>readNumber(at, idLength);
  at += idLength;
  const promised = readNumber(at, sizeLength) + (sizeLength == 2 ? 256 : 0);
  if (sizeLength > 0 && promised > <u64>targetLength) return OUTPUT_FULL;
  const status = openDictionary(target - dictionaryLength, dictionaryLength);
  if (status < 0) return status;
  if (id != 0 && id != dictionaryId()) return DICTIONARY_WRONG;
  cursor = at + sizeLength;
  const end = decodeBlocks(sourceEnd, target, target + targetLength, dictionaryContent());
  if (end < 0) return <i32>end;
  const length = <usize>end - target;
  if (sizeLength > 0 && promised != <u64>length) return SIZE_WRONG;
  if ((descriptor & 4) != 0) {
    if (sourceEnd - cursor < 4) return FRAME_TRUNCATED;
    if (load<u32>(cursor) != <u32>xxh64(target, length)) return CHECKSUM_WRONG;
  }
  return <i32>length;
}
