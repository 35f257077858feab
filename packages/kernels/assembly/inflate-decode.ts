// zlib streams (RFC 1950) and their blocks (RFC 1951, 3.2) whose window is the whole output.
import { adler32 } from "./adler32";
import { byteAfter, dropBits, isPastEnd, peekBits, startBits, takeBits } from "./forward-bits";
import { buildTable, CODE_LENGTHS, DISTANCES, LITERALS_AND_LENGTHS } from "./inflate-code";
import {
  BLOCK_TYPE_INVALID,
  CHECKSUM_WRONG,
  DICTIONARY_NEEDED,
  DISTANCES_CODE_INVALID,
  END_MISSING,
  HEADER_INVALID,
  LENGTHS_CODE_INVALID,
  LENGTHS_INVALID,
  LITERALS_CODE_INVALID,
  OUTPUT_FULL,
  STORED_LENGTH_INVALID,
  STREAM_TRUNCATED,
  TOO_MANY_SYMBOLS,
} from "./inflate-errors";
import { DISTANCE_TABLE, LENGTHS, LENGTHS_OF_LENGTHS, LENGTHS_TABLE, LITERAL_TABLE } from "./inflate-memory";
import { DISTANCE_BITS, decodeSymbols, LITERAL_BITS } from "./inflate-symbols";

const STORED: u32 = 0;
const FIXED: u32 = 1;
const DYNAMIC: u32 = 2;

const HEADER_LENGTH: usize = 2;
const CHECKSUM_LENGTH: usize = 4;
const METHOD_DEFLATE: u32 = 8;
const MAX_WINDOW_LOG: u32 = 7;
const HAS_DICTIONARY: u32 = 0x20;

const MAX_LITERALS: u32 = 286;
const MAX_DISTANCES: u32 = 30;
const LENGTHS_BITS: u32 = 7;
const END_SYMBOL: u32 = 256;

/** In this order the code lengths of code lengths are stored (RFC 1951, 3.2.7). */
const LENGTHS_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** Where the part of the stream begins that is being read: header, block or checksum. */
let part: usize = 0;

/** By how many bits the tables of this block are looked up; whether they are the fixed ones. */
let literalBits: u32 = 0;
let distanceBits: u32 = 0;
let tablesAreFixed: bool = false;

/** Address of the stream's part at which decoding failed. */
export function failedPart(): usize {
  return part;
}

/** Makes the tables of fixed codes (RFC 1951, 3.2.6), unless they are there. */
function useFixedTables(): void {
  if (tablesAreFixed) return;
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  memory.fill(LENGTHS + 288, 5, 32);
  literalBits = <u32>buildTable(LITERALS_AND_LENGTHS, LENGTHS, 288, LITERAL_TABLE, LITERAL_BITS);
  distanceBits = <u32>buildTable(DISTANCES, LENGTHS + 288, 32, DISTANCE_TABLE, DISTANCE_BITS);
  tablesAreFixed = true;
}

/** Reads the code of the code lengths. @returns by how many bits its table is looked up, or an error */
function readLengthsCode(count: u32): i32 {
  memory.fill(LENGTHS_OF_LENGTHS, 0, 19);
  for (let i: u32 = 0; i < count; i++) {
    store<u8>(LENGTHS_OF_LENGTHS + <usize>load<u8>(LENGTHS_ORDER + i), <u8>takeBits(3));
  }
  const bits = buildTable(CODE_LENGTHS, LENGTHS_OF_LENGTHS, 19, LENGTHS_TABLE, LENGTHS_BITS);
  return bits < 0 ? LENGTHS_CODE_INVALID : bits;
}

/** Reads the code lengths of `count` symbols. @returns 0 or an error */
function readLengths(count: u32, tableBits: u32): i32 {
  const mask: u64 = ((<u64>1) << (<u64>tableBits)) - 1;
  let at: u32 = 0;
  while (at < count) {
    if (isPastEnd()) return STREAM_TRUNCATED;
    const word = peekBits();
    const entry = load<u32>(LENGTHS_TABLE + ((<usize>(word & mask)) << 2));
    const symbol = entry >> 16;
    const bits = <u64>(entry & 255);
    if (symbol < 16) {
      dropBits(bits);
      store<u8>(LENGTHS + at, <u8>symbol);
      at++;
      continue;
    }
    const extras = <u32>(word >> bits);
    let repeats: u32 = 0;
    let length: u8 = 0;
    if (symbol == 16) {
      if (at == 0) return LENGTHS_INVALID;
      length = load<u8>(LENGTHS + at - 1);
      repeats = 3 + (extras & 3);
      dropBits(bits + 2);
    } else if (symbol == 17) {
      repeats = 3 + (extras & 7);
      dropBits(bits + 3);
    } else {
      repeats = 11 + (extras & 127);
      dropBits(bits + 7);
    }
    if (repeats > count - at) return LENGTHS_INVALID;
    memory.fill(LENGTHS + at, length, repeats);
    at += repeats;
  }
  return 0;
}

/** Reads the codes of a block and makes their tables. @returns 0 or an error */
function readTables(): i32 {
  tablesAreFixed = false;
  const literals = takeBits(5) + 257;
  const distances = takeBits(5) + 1;
  const lengthsBits = readLengthsCode(takeBits(4) + 4);
  if (isPastEnd()) return STREAM_TRUNCATED;
  if (literals > MAX_LITERALS || distances > MAX_DISTANCES) return TOO_MANY_SYMBOLS;
  if (lengthsBits < 0) return lengthsBits;
  const status = readLengths(literals + distances, <u32>lengthsBits);
  if (status < 0) return status;
  if (load<u8>(LENGTHS + END_SYMBOL) == 0) return END_MISSING;
  let bits = buildTable(LITERALS_AND_LENGTHS, LENGTHS, literals, LITERAL_TABLE, LITERAL_BITS);
  if (bits < 0) return LITERALS_CODE_INVALID;
  literalBits = <u32>bits;
  bits = buildTable(DISTANCES, LENGTHS + literals, distances, DISTANCE_TABLE, DISTANCE_BITS);
  if (bits < 0) return DISTANCES_CODE_INVALID;
  distanceBits = <u32>bits;
  return 0;
}

/** Copies a stored block, whose length stands at the next whole byte. @returns the output's end or an error */
function copyStored(sourceEnd: usize, target: usize, end: usize): i64 {
  const at = byteAfter();
  if (at > sourceEnd || sourceEnd - at < 4) return STREAM_TRUNCATED;
  const size = <usize>load<u16>(at);
  if (size != (<usize>load<u16>(at, 2) ^ 0xffff)) return STORED_LENGTH_INVALID;
  if (size > sourceEnd - at - 4) return STREAM_TRUNCATED;
  if (size > end - target) return OUTPUT_FULL;
  memory.copy(target, at + 4, size);
  startBits(at + 4 + size, sourceEnd);
  return <i64>(target + size);
}

/** The blocks up to the last one. @returns the output's end or an error */
function decodeBlocks(sourceEnd: usize, target: usize, end: usize): i64 {
  let op = target;
  let last: u32 = 0;
  while (last == 0) {
    part = byteAfter();
    const header = takeBits(3);
    last = header & 1;
    const type = header >> 1;
    let result: i64 = 0;
    if (type == STORED) result = copyStored(sourceEnd, op, end);
    else {
      if (type == FIXED) useFixedTables();
      else if (type == DYNAMIC) result = readTables();
      else result = BLOCK_TYPE_INVALID;
      if (result == 0) result = decodeSymbols(literalBits, distanceBits, op, end, target);
    }
    if (isPastEnd()) return STREAM_TRUNCATED;
    if (result < 0) return result;
    op = <usize>result;
  }
  return <i64>op;
}

/**
 * Decodes one zlib stream, after which more bytes may follow, into at most `targetLength` bytes; up to 35 bytes after these are
 * overwritten, up to 32 after the source are read.
 *
 * @returns the number of bytes or an error
 */
export function inflateDecode(source: usize, sourceLength: usize, target: usize, targetLength: usize): i32 {
  part = source;
  if (sourceLength < HEADER_LENGTH) return STREAM_TRUNCATED;
  const method = <u32>load<u8>(source);
  const flags = <u32>load<u8>(source, 1);
  if ((method & 15) != METHOD_DEFLATE || method >> 4 > MAX_WINDOW_LOG || ((method << 8) | flags) % 31 != 0) {
    return HEADER_INVALID;
  }
  const sourceEnd = source + sourceLength;
  if ((flags & HAS_DICTIONARY) != 0) return sourceLength < 6 ? STREAM_TRUNCATED : DICTIONARY_NEEDED;
  startBits(source + HEADER_LENGTH, sourceEnd);
  const end = decodeBlocks(sourceEnd, target, target + targetLength);
  if (end < 0) return <i32>end;
  part = byteAfter();
  if (sourceEnd - part < CHECKSUM_LENGTH) return STREAM_TRUNCATED;
  const length = <usize>end - target;
  if (bswap(load<u32>(part)) != adler32(target, length)) return CHECKSUM_WRONG;
  return <i32>length;
}
