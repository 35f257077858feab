// Running XOR and running sum over the lanes of a vector: each step adds the vector shifted by twice as many bytes.

/** `v` moved up by one byte, zero below. @inline */
export function shiftUp1(v: v128): v128 {
  return i8x16.shuffle(v, i64x2.splat(0), 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
}

/** `v` moved up by two bytes, zero below. @inline */
export function shiftUp2(v: v128): v128 {
  return i8x16.shuffle(v, i64x2.splat(0), 16, 17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
}

/** `v` moved up by four bytes, zero below. @inline */
export function shiftUp4(v: v128): v128 {
  return i8x16.shuffle(v, i64x2.splat(0), 16, 17, 18, 19, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
}

/** `v` moved up by eight bytes, zero below. @inline */
export function shiftUp8(v: v128): v128 {
  return i8x16.shuffle(v, i64x2.splat(0), 16, 17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6, 7);
}
