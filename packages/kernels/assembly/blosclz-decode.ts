// BloscLZ streams, decoded with every read and write checked.
import { copyExact } from "./copy-bytes";
import { STREAM_MALFORMED } from "./error-codes";
import { copyMatchExact } from "./overlap-copy";

const FAR_DISTANCE: usize = 8192;
const FAR_MARK: usize = 0x1fff;

/**
 * Decodes one BloscLZ stream of exactly `targetLength` bytes, at least as far as its first `wanted` bytes (see `lz4Decode`).
 *
 * @returns 0 or an error code
 */
export function blosclzDecode(
  source: usize,
  sourceLength: usize,
  target: usize,
  targetLength: usize,
  wanted: usize,
): i32 {
  const inputEnd = source + sourceLength;
  const outputEnd = target + targetLength;
  const stop = wanted == targetLength ? outputEnd + 1 : target + wanted;
  if (sourceLength == 0) return STREAM_MALFORMED;
  let ip = source + 1;
  let op = target;
  let control = <usize>load<u8>(source) & 31;
  while (true) {
    if (control < 32) {
      const length = control + 1;
      if (length > outputEnd - op || length > inputEnd - ip) return STREAM_MALFORMED;
      if (outputEnd - op >= 32 && inputEnd - ip >= 32) {
        v128.store(op, v128.load(ip));
        v128.store(op, v128.load(ip, 16), 16);
      } else {
        copyExact(op, ip, length);
      }
      ip += length;
      op += length;
      if (ip >= inputEnd) break;
    } else {
      let length = (control >> 5) - 1;
      if (length == 6) {
        let more: usize;
        do {
          if (ip >= inputEnd) return STREAM_MALFORMED;
          more = <usize>load<u8>(ip);
          ip++;
          length += more;
          if (length > targetLength) return STREAM_MALFORMED;
        } while (more == 255);
      }
      length += 3;
      if (ip >= inputEnd) return STREAM_MALFORMED;
      let distance = ((control & 31) << 8) | <usize>load<u8>(ip);
      ip++;
      if (distance == FAR_MARK) {
        if (inputEnd - ip < 2) return STREAM_MALFORMED;
        distance = FAR_DISTANCE + (((<usize>load<u8>(ip)) << 8) | <usize>load<u8>(ip + 1));
        ip += 2;
      } else {
        distance++;
      }
      // A match that ends the input is never carried out, so the output would come out short.
      if (ip >= inputEnd) return STREAM_MALFORMED;
      const left = outputEnd - op;
      if (length > left || distance > op - target) return STREAM_MALFORMED;
      copyMatchExact(op, distance, length, left);
      op += length;
    }
    if (op >= stop) return 0;
    control = <usize>load<u8>(ip);
    ip++;
  }
  return op == outputEnd || op >= stop ? 0 : STREAM_MALFORMED;
}
