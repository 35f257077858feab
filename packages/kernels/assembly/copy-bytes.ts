// Copies whose bounds are exact, in pieces that are cheaper than `memory.copy` for short lengths.

/** Copies `length` bytes, any length, no overlap. @inline */
export function copyExact(target: usize, source: usize, length: usize): void {
  if (length >= 16) {
    if (length > 512) {
      memory.copy(target, source, length);
      return;
    }
    const last = length - 16;
    for (let i: usize = 0; i < last; i += 16) {
      v128.store(target + i, v128.load(source + i));
    }
    v128.store(target + last, v128.load(source + last));
    return;
  }
  if (length >= 8) {
    const head = load<u64>(source);
    const tail = load<u64>(source + length - 8);
    store<u64>(target, head);
    store<u64>(target + length - 8, tail);
    return;
  }
  for (let i: usize = 0; i < length; i++) {
    store<u8>(target + i, load<u8>(source + i));
  }
}

/** Whether all `length` bytes (at least 1) equal the first one. */
export function isByteRun(source: usize, length: usize): bool {
  const first = load<u8>(source);
  const all = i8x16.splat(first);
  let i: usize = 0;
  for (; i + 16 <= length; i += 16) {
    if (i8x16.bitmask(i8x16.eq(v128.load(source + i), all)) != 0xffff) return false;
  }
  for (; i < length; i++) {
    if (load<u8>(source + i) != first) return false;
  }
  return true;
}
