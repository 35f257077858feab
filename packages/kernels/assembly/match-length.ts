// How many bytes two positions have in common; the inner loop of every encoder.

/** Number of equal bytes at `a` and `b`, not counting past `limit` (an address behind `a`; `b` is lower than `a`). @inline */
export function matchLength(a: usize, b: usize, limit: usize): usize {
  let p = a;
  if (p + 8 <= limit) {
    const difference = load<u64>(p) ^ load<u64>(b);
    if (difference != 0) return <usize>(ctz(difference) >> 3);
    p += 8;
    b += 8;
    while (p + 16 <= limit) {
      const unequal = i8x16.bitmask(i8x16.ne(v128.load(p), v128.load(b)));
      if (unequal != 0) return p - a + ctz(unequal);
      p += 16;
      b += 16;
    }
    if (p + 8 <= limit) {
      const rest = load<u64>(p) ^ load<u64>(b);
      if (rest != 0) return p - a + <usize>(ctz(rest) >> 3);
      p += 8;
      b += 8;
    }
  }
  while (p < limit && load<u8>(p) == load<u8>(b)) {
    p++;
    b++;
  }
  return p - a;
}
