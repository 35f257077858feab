// Copies of a match that overlaps its own output: with offset `o`, the last `o` bytes repeat. One 16-byte vector holds as many
// whole repeats as fit; storing it again and again, that many bytes apart, continues the pattern.

/** For each offset 0..15 the lane order that repeats the first `offset` bytes of a vector (offset 0 is not used). */
const REPEAT_LANES: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0,
  1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1,
  2, 3, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 0, 1, 2, 3, 4,
  5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2,
  3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4, 0, 1, 2,
  3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8,
  9, 10, 11, 12, 13, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0,
]);

/** For each offset 0..15 the largest multiple of it that is at most 16. */
const REPEAT_STRIDE: usize = memory.data<u8>([16, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15]);

/** The 16 bytes that continue the pattern of the `offset` bytes at `match`, `offset` 1..15; 16 bytes there are readable. @inline */
export function repeatedPattern(match: usize, offset: usize): v128 {
  return i8x16.swizzle(v128.load(match), v128.load(REPEAT_LANES + (offset << 4)));
}

/** How far apart the vector of `repeatedPattern` is to be stored. @inline */
export function repeatStride(offset: usize): usize {
  return <usize>load<u8>(REPEAT_STRIDE + offset);
}

/**
 * Copies a match of `length` bytes from `offset` bytes before `target`. Up to 31 bytes past the end of the match are
 * overwritten too, and 16 bytes past the match's source are read; the caller knows that both lie in the output.
 *
 * @inline
 */
export function copyMatchWild(target: usize, offset: usize, length: usize): void {
  const end = target + length;
  let source = target - offset;
  if (offset >= 16) {
    do {
      v128.store(target, v128.load(source));
      v128.store(target, v128.load(source, 16), 16);
      target += 32;
      source += 32;
    } while (target < end);
    return;
  }
  const pattern = repeatedPattern(source, offset);
  const stride = repeatStride(offset);
  do {
    v128.store(target, pattern);
    target += stride;
    v128.store(target, pattern);
    target += stride;
  } while (target < end);
}

/**
 * Copies a match of `length` bytes from `offset` bytes before `target` near the end of the output, which is
 * `left` (at least `length`) bytes away; writes nothing past that end.
 */
export function copyMatchExact(target: usize, offset: usize, length: usize, left: usize): void {
  const whole = left - length >= 32 ? length : length > 32 ? length - 32 : 0;
  if (whole > 0) copyMatchWild(target, offset, whole);
  for (let i = whole; i < length; i++) {
    store<u8>(target + i, load<u8>(target + i - offset));
  }
}
