// The checksum of zlib streams (RFC 1950, 8.2).

const MODULUS: u64 = 65521;
/** Both sums stay below 2^32 for this many bytes of 255; a multiple of 16. */
const RUN: usize = 5552;

/** Sum of four lanes. @inline */
function sumOf(lanes: v128): u64 {
  return (
    <u64>i32x4.extract_lane(lanes, 0) +
    <u64>i32x4.extract_lane(lanes, 1) +
    <u64>i32x4.extract_lane(lanes, 2) +
    <u64>i32x4.extract_lane(lanes, 3)
  );
}

/** Adler-32 of `length` bytes. */
export function adler32(source: usize, length: usize): u32 {
  let low: u64 = 1;
  let high: u64 = 0;
  const front = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const back = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  const end = source + length;
  let at = source;
  while (end - at >= 16) {
    const run = min(end - at, RUN) & ~15;
    const stop = at + run;
    let sums = i32x4.splat(0);
    // What the bytes before a vector add to the second sum at each of its bytes, and what its own bytes add.
    let before = i32x4.splat(0);
    let within = i32x4.splat(0);
    high += low * <u64>run;
    for (; at < stop; at += 16) {
      const bytes = v128.load(at);
      before = i32x4.add(before, sums);
      within = i32x4.add(within, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), front));
      within = i32x4.add(within, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), back));
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
    }
    high = (high + (sumOf(before) << 4) + sumOf(within)) % MODULUS;
    low = (low + sumOf(sums)) % MODULUS;
  }
  for (; at < end; at++) {
    low += <u64>load<u8>(at);
    high += low;
  }
  return <u32>(((high % MODULUS) << 16) | (low % MODULUS));
}
