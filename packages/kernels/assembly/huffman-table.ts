// The Huffman tree of a block's literals (RFC 8878, 4.2.1): weights, direct or FSE-coded, and the decoding table.
import { bitsBelow, openBits, topBits } from "./backward-bits";
import { buildTable, describedAccuracy, readProbabilities } from "./fse-table";
import { HUFFMAN_TREE_INVALID } from "./zstd-errors";
import { HUFFMAN_TABLE, RANKS, WEIGHT_TABLE, WEIGHTS } from "./zstd-memory";

const MAX_WEIGHT_ACCURACY: u32 = 6;
const MAX_WEIGHT: u32 = 11;
const MAX_CODE_BITS: u32 = 11;
/** The last weight is not stored. */
const MAX_STORED: u32 = 255;

/** A weight stands for itself. */
const WEIGHT_BASES: usize = memory.data<u32>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
const NO_EXTRAS: usize = memory.data<u8>([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** Length of the longest code of the table; 0 while there is none. */
let codeBits: u32 = 0;

export function huffmanCodeBits(): u32 {
  return codeBits;
}

/** Forgets the tree. */
export function dropHuffmanTree(): void {
  codeBits = 0;
}

/** Weights from two FSE states that take turns. @returns how many, or an error */
function readCodedWeights(source: usize, length: usize): i32 {
  const used = readProbabilities(source, length, MAX_WEIGHT_ACCURACY, MAX_WEIGHT);
  if (used < 0) return HUFFMAN_TREE_INVALID;
  buildTable(WEIGHT_TABLE, WEIGHT_BASES, NO_EXTRAS);
  const stream = source + used;
  const log = <i32>describedAccuracy();
  let position = openBits(stream, length - used);
  let state = topBits(bitsBelow(stream, position), log);
  position -= log;
  let other = topBits(bitsBelow(stream, position), log);
  position -= log;
  if (position < 0) return HUFFMAN_TREE_INVALID;
  let count: u32 = 0;
  while (true) {
    const entry = WEIGHT_TABLE + (state << 3);
    if (count >= MAX_STORED) return HUFFMAN_TREE_INVALID;
    store<u8>(WEIGHTS + count, <u8>load<u32>(entry, 4));
    count++;
    const bits = <i32>load<u8>(entry, 2);
    const next = <u32>load<u16>(entry) + topBits(bitsBelow(stream, position), bits);
    position -= bits;
    if (position < 0) {
      // The other state has given no weight yet since it changed.
      if (count >= MAX_STORED) return HUFFMAN_TREE_INVALID;
      store<u8>(WEIGHTS + count, <u8>load<u32>(WEIGHT_TABLE + (other << 3), 4));
      return count + 1;
    }
    state = other;
    other = next;
  }
}

function readWeights(source: usize, length: usize, header: u32): i32 {
  if (header < 128) return readCodedWeights(source, length);
  const count = header - 127;
  for (let i: u32 = 0; i < count; i++) {
    const pair = <u32>load<u8>(source + (i >> 1));
    store<u8>(WEIGHTS + i, <u8>((i & 1) == 0 ? pair >> 4 : pair & 15));
  }
  return count;
}

/** Adds the weight that completes the tree. @returns whether there is one */
function completeWeights(count: u32): bool {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const weight = <u32>load<u8>(WEIGHTS + i);
    if (weight > MAX_WEIGHT) return false;
    sum += (1 << weight) >> 1;
  }
  if (sum == 0) return false;
  const bits: u32 = 32 - clz(sum);
  const missing: u32 = (1 << bits) - sum;
  if (bits > MAX_CODE_BITS || popcnt(missing) != 1) return false;
  store<u8>(WEIGHTS + count, <u8>(ctz(missing) + 1));
  codeBits = bits;
  return true;
}

/** Fills the table, lowest weights first. @returns whether the longest codes come in pairs */
function fillTable(count: u32): bool {
  memory.fill(RANKS, 0, 64);
  for (let i: u32 = 0; i < count; i++) {
    const rank = RANKS + ((<usize>load<u8>(WEIGHTS + i)) << 2);
    store<u32>(rank, load<u32>(rank) + 1);
  }
  const longest = load<u32>(RANKS + 4);
  if (longest < 2 || (longest & 1) != 0) return false;
  let start: u32 = 0;
  for (let weight: u32 = 1; weight <= codeBits; weight++) {
    const rank = RANKS + (weight << 2);
    const width = load<u32>(rank) << (weight - 1);
    store<u32>(rank, start);
    start += width;
  }
  for (let i: u32 = 0; i < count; i++) {
    const weight = <u32>load<u8>(WEIGHTS + i);
    if (weight == 0) continue;
    const rank = RANKS + (weight << 2);
    const from = load<u32>(rank);
    const to = from + (1 << (weight - 1));
    const entry = <u16>(i | ((codeBits + 1 - weight) << 8));
    for (let at = from; at < to; at++) store<u16>(HUFFMAN_TABLE + (at << 1), entry);
    store<u32>(rank, to);
  }
  return true;
}

/** Reads a tree and builds its table. @returns bytes read or an error */
export function readHuffmanTree(source: usize, length: usize): i32 {
  codeBits = 0;
  if (length == 0) return HUFFMAN_TREE_INVALID;
  const header = <u32>load<u8>(source);
  const size = header < 128 ? header : (header - 127 + 1) >> 1;
  if (<usize>size + 1 > length) return HUFFMAN_TREE_INVALID;
  const count = readWeights(source + 1, size, header);
  if (count < 0) return count;
  if (!completeWeights(count) || !fillTable(count + 1)) {
    codeBits = 0;
    return HUFFMAN_TREE_INVALID;
  }
  return size + 1;
}
