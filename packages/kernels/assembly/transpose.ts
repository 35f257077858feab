// Byte interleaving. Reading the bytes of 2^k vectors as one array, an interleave of the first half of the vectors with the
// second half rotates each byte's index by one bit; so a few rounds of it transpose a matrix of bytes whose sides are powers
// of two. Every round compiles to one unpack instruction per vector.

/** Alternates the low eight bytes of `a` and `b`. @inline */
export function interleaveLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/** Alternates the high eight bytes of `a` and `b`. @inline */
export function interleaveHigh(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** Address in slot `index` of a table of stream addresses. @inline */
export function streamAt(streams: usize, index: usize): usize {
  return <usize>load<u32>(streams + (index << 2));
}

/** Stores the four 4-byte lanes of `v` `stride` bytes apart. @inline */
export function scatter4(target: usize, stride: usize, v: v128): void {
  v128.store32_lane(target, v, 0);
  v128.store32_lane(target + stride, v, 1);
  v128.store32_lane(target + stride * 2, v, 2);
  v128.store32_lane(target + stride * 3, v, 3);
}

/** Stores both 8-byte lanes of `v` `stride` bytes apart. @inline */
export function scatter2(target: usize, stride: usize, v: v128): void {
  v128.store64_lane(target, v, 0);
  v128.store64_lane(target + stride, v, 1);
}

/** Loads four 4-byte lanes that lie `stride` bytes apart. @inline */
export function gather4(source: usize, stride: usize): v128 {
  let v = v128.load32_zero(source);
  v = v128.load32_lane(source + stride, v, 1);
  v = v128.load32_lane(source + stride * 2, v, 2);
  return v128.load32_lane(source + stride * 3, v, 3);
}

/** Loads two 8-byte lanes that lie `stride` bytes apart. @inline */
export function gather2(source: usize, stride: usize): v128 {
  return v128.load64_lane(source + stride, v128.load64_zero(source), 1);
}
