// The bytedelta filter: byte differences inside each of the `typesize` planes of a shuffled block.
import { copyExact } from "./copy-bytes";
import { shiftUp1, shiftUp2, shiftUp4, shiftUp8 } from "./prefix-scan";

/** Differences to the byte before, the first to 0. */
function differences(length: usize, source: usize, target: usize): void {
  if (length == 0) return;
  store<u8>(target, load<u8>(source));
  let i: usize = 1;
  for (; i + 16 <= length; i += 16) {
    v128.store(target + i, i8x16.sub(v128.load(source + i), v128.load(source + i - 1)));
  }
  for (; i < length; i++) {
    store<u8>(target + i, load<u8>(source + i) - load<u8>(source + i - 1));
  }
}

/** Running sum. */
function sums(length: usize, source: usize, target: usize): void {
  let carries = i64x2.splat(0);
  let i: usize = 0;
  for (; i + 16 <= length; i += 16) {
    let v = v128.load(source + i);
    v = i8x16.add(v, shiftUp1(v));
    v = i8x16.add(v, shiftUp2(v));
    v = i8x16.add(v, shiftUp4(v));
    v = i8x16.add(i8x16.add(v, shiftUp8(v)), carries);
    v128.store(target + i, v);
    carries = i8x16.splat(i8x16.extract_lane_u(v, 15));
  }
  let sum = i8x16.extract_lane_u(carries, 0);
  for (; i < length; i++) {
    sum += load<u8>(source + i);
    store<u8>(target + i, sum);
  }
}

/** Forward bytedelta of `length` bytes in `typesize` planes; the tail is copied. */
export function bytedeltaForward(typesize: usize, length: usize, source: usize, target: usize): void {
  const count = length / typesize;
  const whole = count * typesize;
  for (let at: usize = 0; at < whole; at += count) differences(count, source + at, target + at);
  copyExact(target + whole, source + whole, length - whole);
}

/** Backward bytedelta of `length` bytes in `typesize` planes; the tail is copied. */
export function bytedeltaBackward(typesize: usize, length: usize, source: usize, target: usize): void {
  const count = length / typesize;
  const whole = count * typesize;
  for (let at: usize = 0; at < whole; at += count) sums(count, source + at, target + at);
  copyExact(target + whole, source + whole, length - whole);
}
