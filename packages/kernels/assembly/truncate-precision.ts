// The two filters that drop low bits: trunc_prec of floating-point mantissas and int_trunc of integers. Nothing undoes them.
import { copyExact } from "./copy-bytes";
import { FILTER_META_INVALID } from "./error-codes";

/** Clears bits of words of type `T`; the bytes that are no full word are copied. */
function maskWords<T>(mask: T, length: usize, source: usize, target: usize): void {
  const masks = v128.splat<T>(mask);
  const whole = length - (length % sizeof<T>());
  let i: usize = 0;
  for (; i + 16 <= whole; i += 16) {
    v128.store(target + i, v128.and(v128.load(source + i), masks));
  }
  for (; i < whole; i += sizeof<T>()) {
    store<T>(target + i, <T>(load<T>(source + i) & mask));
  }
  copyExact(target + whole, source + whole, length - whole);
}

/** trunc_prec: keeps `meta` mantissa bits, or zeroes `-meta` of them. @returns 0 or an error code */
export function truncPrec(typesize: usize, meta: u32, length: usize, source: usize, target: usize): i32 {
  const precision = <i32>(<i8>meta);
  const mantissa = typesize == 4 ? 23 : 52;
  const zeroed = precision >= 0 ? mantissa - precision : -precision;
  if ((typesize != 4 && typesize != 8) || zeroed < 0 || zeroed >= mantissa) return FILTER_META_INVALID;
  if (typesize == 4) maskWords<u32>((<u32>-1) << zeroed, length, source, target);
  else maskWords<u64>((<u64>-1) << (<u64>zeroed), length, source, target);
  return 0;
}

/** int_trunc: keeps `meta` of the item's bits, or zeroes `-meta` of them. @returns 0 or an error code */
export function intTrunc(typesize: usize, meta: u32, length: usize, source: usize, target: usize): i32 {
  const precision = <i32>(<i8>meta);
  const bits = <i32>typesize * 8;
  const zeroed = precision >= 0 ? bits - precision : -precision;
  if (zeroed < 0 || zeroed >= bits) return FILTER_META_INVALID;
  if (typesize == 1) maskWords<u8>(<u8>((<u32>-1) << zeroed), length, source, target);
  else if (typesize == 2) maskWords<u16>(<u16>((<u32>-1) << zeroed), length, source, target);
  else if (typesize == 4) maskWords<u32>((<u32>-1) << zeroed, length, source, target);
  else if (typesize == 8) maskWords<u64>((<u64>-1) << (<u64>zeroed), length, source, target);
  else return FILTER_META_INVALID;
  return 0;
}
