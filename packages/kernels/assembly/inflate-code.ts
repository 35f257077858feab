// Decoding tables of Huffman codes (RFC 1951, 3.2.2). An entry is made of its symbol's part and the length of its code:
//   bits 0..7    bits to take: the code's (in a subtable those after the first bits) and the extra bits of a length or distance;
//                of a link, how many more bits the subtable is looked up by
//   bits 8..11   bits of the code alone
//   bits 12..15  what it is: one of the flags below, or none for a length or a distance
//   bits 16..31  the literal, the base of a length or a distance, or the first entry of a subtable
import { COUNTS, SORTED, STARTS } from "./inflate-memory";

export const LITERAL: u32 = 0x8000;
/** The next bits are looked up in a subtable. */
export const LINK: u32 = 0x4000;
export const BLOCK_END: u32 = 0x2000;
/** No symbol has this code. */
export const NO_SYMBOL: u32 = 0x1000;

const MAX_CODE_BITS: u32 = 15;

/** Lengths 3..258: base and extra bits of the symbols 257..285, then the two that only fixed codes have (RFC 1951, 3.2.5). */
const LENGTH_SYMBOLS: usize = memory.data<u32>([
  0x30000, 0x40000, 0x50000, 0x60000, 0x70000, 0x80000, 0x90000, 0xa0000, 0xb0001, 0xd0001, 0xf0001, 0x110001, 0x130002,
  0x170002, 0x1b0002, 0x1f0002, 0x230003, 0x2b0003, 0x330003, 0x3b0003, 0x430004, 0x530004, 0x630004, 0x730004,
  0x830005, 0xa30005, 0xc30005, 0xe30005, 0x1020000, 0x1000, 0x1000,
]);

/** Kinds of codes, by what their symbols stand for. */
export const LITERALS_AND_LENGTHS: u32 = 0;
export const DISTANCES: u32 = 1;
export const CODE_LENGTHS: u32 = 2;

/** A symbol's part of an entry. */
function partOf(kind: u32, symbol: u32): u32 {
  if (kind == CODE_LENGTHS) return symbol << 16;
  if (kind == LITERALS_AND_LENGTHS) {
    if (symbol < 256) return (symbol << 16) | LITERAL;
    if (symbol == 256) return BLOCK_END;
    return load<u32>(LENGTH_SYMBOLS + ((symbol - 257) << 2));
  }
  if (symbol < 4) return (symbol + 1) << 16;
  if (symbol > 29) return NO_SYMBOL;
  const extra = (symbol >> 1) - 1;
  return (((((symbol & 1) | 2) << extra) + 1) << 16) | extra;
}

/** Counts the symbols of each code length and sorts them. @returns length of the longest code */
function sortSymbols(lengths: usize, symbols: u32): u32 {
  memory.fill(COUNTS, 0, 64);
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = COUNTS + ((<usize>load<u8>(lengths + symbol)) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  store<u32>(COUNTS, 0);
  let start: u32 = 0;
  let longest: u32 = 0;
  for (let bits: u32 = 1; bits <= MAX_CODE_BITS; bits++) {
    store<u32>(STARTS + (bits << 2), start);
    const count = load<u32>(COUNTS + (bits << 2));
    if (count != 0) longest = bits;
    start += count;
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const bits = <u32>load<u8>(lengths + symbol);
    if (bits == 0) continue;
    const entry = STARTS + (bits << 2);
    const at = load<u32>(entry);
    store<u16>(SORTED + (at << 1), <u16>symbol);
    store<u32>(entry, at + 1);
  }
  return longest;
}

/** How many codes of the longest length are missing; negative for codes that are too many. */
function missingCodes(longest: u32): i32 {
  let left: i32 = 1;
  for (let bits: u32 = 1; bits <= longest; bits++) {
    left = (left << 1) - <i32>load<u32>(COUNTS + (bits << 2));
    if (left < 0) return left;
  }
  return left;
}

/** The code after `code` among those of `bits` bits, all with their first bit lowest; 0 after the last one. @inline */
function nextCode(code: u32, bits: u32): u32 {
  const zeros = code ^ ((1 << bits) - 1);
  if (zeros == 0) return 0;
  const highest: u32 = 1 << (31 - clz(zeros));
  return (code & (highest - 1)) | highest;
}

/** Bits by which the subtable is looked up that begins with a code of `bits` bits, of which `left` codes are not in a table yet. */
function subtableBits(first: u32, bits: u32, left: u32, longest: u32): u32 {
  let width = bits - first;
  let room = ((<i32>1) << width) - <i32>left;
  while (room > 0 && first + width < longest) {
    width++;
    room = (room << 1) - <i32>load<u32>(COUNTS + ((first + width) << 2));
  }
  return width;
}

/** Fills the table of a complete code. */
function fillTable(kind: u32, table: usize, first: u32, longest: u32): void {
  let code: u32 = 0;
  let at = SORTED;
  const direct = min(first, longest);
  for (let bits: u32 = 1; bits <= direct; bits++) {
    // Codes of fewer bits stand for all that begin with them: the table doubles with each bit.
    const half: usize = (<usize>4) << (bits - 1);
    memory.copy(table + half, table, half);
    for (let left = load<u32>(COUNTS + (bits << 2)); left > 0; left--) {
      store<u32>(table + (code << 2), partOf(kind, <u32>load<u16>(at)) + bits * 257);
      at += 2;
      code = nextCode(code, bits);
    }
  }
  const mask: u32 = (1 << first) - 1;
  let free: u32 = 1 << first;
  let subtable: u32 = 0;
  let width: u32 = 0;
  let prefix: u32 = ~0;
  for (let bits = first + 1; bits <= longest; bits++) {
    const after = bits - first;
    for (let left = load<u32>(COUNTS + (bits << 2)); left > 0; left--) {
      if ((code & mask) != prefix) {
        prefix = code & mask;
        width = subtableBits(first, bits, left, longest);
        subtable = free;
        free += 1 << width;
        store<u32>(table + (prefix << 2), (subtable << 16) | LINK | width);
      }
      const entry = partOf(kind, <u32>load<u16>(at)) + after * 257;
      at += 2;
      for (let slot = code >> first; slot < <u32>(1 << width); slot += 1 << after) {
        store<u32>(table + ((subtable + slot) << 2), entry);
      }
      code = nextCode(code, bits);
    }
  }
}

/**
 * Makes the table of a code that is looked up by `first` bits, or by fewer where no code has as many.
 *
 * @returns by how many bits, or -1 for lengths that no code has. A code of one symbol has a bit that no symbol begins with; one of
 * none (of distances only) has two.
 */
export function buildTable(kind: u32, lengths: usize, symbols: u32, table: usize, first: u32): i32 {
  const longest = sortSymbols(lengths, symbols);
  const missing = missingCodes(longest);
  if (missing != 0) {
    if (missing < 0 || longest > 1 || kind == CODE_LENGTHS) return -1;
    store<u32>(table, NO_SYMBOL);
    store<u32>(table, NO_SYMBOL, 4);
    if (longest == 1) store<u32>(table, partOf(kind, <u32>load<u16>(SORTED)) + 257);
    return 1;
  }
  fillTable(kind, table, first, longest);
  return <i32>min(first, longest);
}
