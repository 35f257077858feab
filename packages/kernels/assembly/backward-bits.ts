// Bit streams that are read from their end (RFC 8878, 4.1): a position counts the bits that are left. Bits in front of a
// stream read as whatever memory holds there, so that only the position tells of the end: it must come out as 0.

/** Bits that `bitsBelow` gives at least. */
export const GUARANTEED_BITS: i32 = 57;

/** The position at the end of a stream, past its end mark; -1 if it has none. */
export function openBits(source: usize, length: usize): i32 {
  if (length == 0) return -1;
  const last = <u32>load<u8>(source + length - 1);
  if (last == 0) return -1;
  return ((<i32>length) << 3) - (clz(last) - 24) - 1;
}

/** The bits below a position, which may be negative by less than a few hundred, in the top of a word. @inline */
export function bitsBelow(source: usize, position: i32): u64 {
  // The highest byte of the word is the one that the bit below the position lies in.
  const top = position - 1;
  return load<u64>(<usize>(<i32>source + (top >> 3) - 7)) << (7 - (<u64>top & 7));
}

/** The highest `count` (0..57) bits of a word. @inline */
export function topBits(word: u64, count: u64): u32 {
  return <u32>((word >> 1) >> (63 - count));
}
