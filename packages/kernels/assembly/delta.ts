// The delta filter: XOR with the word before in a chunk's block 0, XOR with block 0 in every other block.
import { copyExact } from "./copy-bytes";
import { shiftUp1, shiftUp2, shiftUp4, shiftUp8 } from "./prefix-scan";

/** Word size for a typesize: 1, 2, 4 and 8 as they are, other multiples of 8 as 8, all else as 1. @inline */
function wordSize(typesize: usize): usize {
  if (typesize == 2 || typesize == 4) return typesize;
  return (typesize & 7) == 0 ? 8 : 1;
}

/** XOR of `length` bytes with `reference`. */
function xorBytes(length: usize, source: usize, reference: usize, target: usize): void {
  let i: usize = 0;
  for (; i + 16 <= length; i += 16) {
    v128.store(target + i, v128.xor(v128.load(source + i), v128.load(reference + i)));
  }
  for (; i < length; i++) {
    store<u8>(target + i, load<u8>(source + i) ^ load<u8>(reference + i));
  }
}

/** Running XOR over `length` bytes of words of type `T`. */
function runningXor<T>(length: usize, source: usize, target: usize): void {
  let carry: T = 0;
  let carries = i64x2.splat(0);
  let i: usize = 0;
  for (; i + 16 <= length; i += 16) {
    let v = v128.load(source + i);
    if (sizeof<T>() <= 1) v = v128.xor(v, shiftUp1(v));
    if (sizeof<T>() <= 2) v = v128.xor(v, shiftUp2(v));
    if (sizeof<T>() <= 4) v = v128.xor(v, shiftUp4(v));
    v = v128.xor(v128.xor(v, shiftUp8(v)), carries);
    v128.store(target + i, v);
    carry = load<T>(target + i + 16 - sizeof<T>());
    carries = v128.splat<T>(carry);
  }
  for (; i < length; i += sizeof<T>()) {
    carry = <T>(carry ^ load<T>(source + i));
    store<T>(target + i, carry);
  }
}

/** Forward delta; `reference` is the raw block 0 (at least `length` bytes), or 0 while block 0 itself is filtered. */
export function deltaForward(typesize: usize, length: usize, source: usize, reference: usize, target: usize): void {
  const word = wordSize(typesize);
  const whole = length - (length % word);
  if (reference != 0) {
    xorBytes(whole, source, reference, target);
  } else if (whole > 0) {
    copyExact(target, source, word);
    xorBytes(whole - word, source + word, source, target + word);
  }
  copyExact(target + whole, source + whole, length - whole);
}

/** Backward delta; `reference` is the decoded block 0 (at least `length` bytes), or 0 for block 0 itself. */
export function deltaBackward(typesize: usize, length: usize, source: usize, reference: usize, target: usize): void {
  const word = wordSize(typesize);
  const whole = length - (length % word);
  if (reference != 0) xorBytes(whole, source, reference, target);
  else if (word == 8) runningXor<u64>(whole, source, target);
  else if (word == 4) runningXor<u32>(whole, source, target);
  else if (word == 2) runningXor<u16>(whole, source, target);
  else runningXor<u8>(whole, source, target);
  copyExact(target + whole, source + whole, length - whole);
}
