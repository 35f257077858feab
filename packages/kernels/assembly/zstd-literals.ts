// The literals section of a block (RFC 8878, 3.1.1.3.1).
import { decodeFourStreams, decodeOneStream } from "./huffman-streams";
import { huffmanCodeBits, readHuffmanTree } from "./huffman-table";
import { HUFFMAN_TREE_MISSING, LITERALS_INVALID } from "./zstd-errors";
import { LITERALS, MAX_BLOCK } from "./zstd-memory";

const RAW: u32 = 0;
const RLE: u32 = 1;
const TREELESS: u32 = 3;

/** Where the literals of the block lie, and how many there are. */
let start: usize = 0;
let count: usize = 0;

export function literalsStart(): usize {
  return start;
}

export function literalsCount(): usize {
  return count;
}

/** Literals that are stored, or one byte that repeats. @returns bytes read or an error */
function readPlain(source: usize, length: usize, type: u32): i32 {
  const format = (load<u8>(source) >> 2) & 3;
  const header: usize = (format & 1) == 0 ? 1 : format == 1 ? 2 : 3;
  if (length < header) return LITERALS_INVALID;
  if (header == 1) count = load<u8>(source) >> 3;
  else if (header == 2) count = load<u16>(source) >> 4;
  else count = (<usize>load<u16>(source) | ((<usize>load<u8>(source, 2)) << 16)) >> 4;
  const stored: usize = type == RLE ? 1 : count;
  if (count > MAX_BLOCK || stored > length - header) return LITERALS_INVALID;
  if (type == RLE) {
    memory.fill(LITERALS, load<u8>(source + header), count);
    start = LITERALS;
  } else {
    start = source + header;
  }
  return <i32>(header + stored);
}

/** Literals in Huffman codes. @returns bytes read or an error */
function readCoded(source: usize, length: usize, type: u32): i32 {
  const format = (load<u8>(source) >> 2) & 3;
  const header: usize = format < 2 ? 3 : format == 2 ? 4 : 5;
  if (length < header) return LITERALS_INVALID;
  const bits: u64 = format < 2 ? 10 : format == 2 ? 14 : 18;
  const mask = ((<u64>1) << bits) - 1;
  // Bytes behind the header are read too; memory goes on there.
  const fields = load<u64>(source) >> 4;
  count = <usize>(fields & mask);
  const stored = <usize>((fields >> bits) & mask);
  if (count > MAX_BLOCK || stored > length - header) return LITERALS_INVALID;
  let at = source + header;
  const end = at + stored;
  if (type == TREELESS) {
    if (huffmanCodeBits() == 0) return HUFFMAN_TREE_MISSING;
  } else {
    const used = readHuffmanTree(at, stored);
    if (used < 0) return used;
    at += used;
  }
  const status =
    format == 0 ? decodeOneStream(at, end - at, LITERALS, count) : decodeFourStreams(at, end - at, LITERALS, count);
  start = LITERALS;
  return status < 0 ? status : <i32>(header + stored);
}

/** Reads the section. @returns bytes read or an error */
export function readLiterals(source: usize, length: usize): i32 {
  if (length == 0) return LITERALS_INVALID;
  const type = <u32>load<u8>(source) & 3;
  return type == RAW || type == RLE ? readPlain(source, length, type) : readCoded(source, length, type);
}
