// LZ4 blocks, decoded with every read and write checked. The rules for the end of a block are those of the LZ4 block format: a
// block ends with a sequence of literals only, the last five bytes are literals, no match starts in the last twelve bytes.
import { copyExact } from "./copy-bytes";
import { STREAM_MALFORMED } from "./error-codes";
import { copyMatchExact, copyMatchWild, repeatedPattern, repeatStride } from "./overlap-copy";

const MIN_MATCH: usize = 4;
/** No match starts nearer to the end of the output. */
const MATCH_START_LIMIT: usize = 12;
/** The last bytes of a block are literals. */
const LAST_LITERALS: usize = 5;
/** What must follow literals that are not the last: an offset, a token and the last literals. */
const INPUT_AFTER_LITERALS: usize = 2 + 1 + LAST_LITERALS;
/** Room that the fast loop wants behind the input and output position of a sequence. */
const FAST_INPUT_ROOM: usize = 32;
const FAST_OUTPUT_ROOM: usize = 96;
/** More length bytes than any length here needs; fewer of them cannot overflow a sum of 32 bits. */
const MAX_LENGTH_BYTES: usize = 1 << 22;

/**
 * Decodes one LZ4 block of exactly `targetLength` bytes, at least as far as its first `wanted` bytes.
 *
 * With `wanted == targetLength` the whole block is decoded and checked to its last byte. Otherwise decoding stops once `wanted`
 * bytes are there; what follows is not looked at, and bytes from `wanted` to `targetLength` are undefined.
 *
 * @param history bytes before `target` that matches may refer to (a dictionary)
 * @returns 0 or an error code
 */
export function lz4Decode(
  source: usize,
  sourceLength: usize,
  target: usize,
  targetLength: usize,
  wanted: usize,
  history: usize,
): i32 {
  const inputEnd = source + sourceLength;
  const outputEnd = target + targetLength;
  const wantedEnd = target + wanted;
  const lowest = target - history;
  let ip = source;
  let op = target;

  if (sourceLength > FAST_INPUT_ROOM && targetLength > FAST_OUTPUT_ROOM) {
    const fastInputEnd = inputEnd - FAST_INPUT_ROOM;
    const fastOutputEnd = min(wantedEnd, outputEnd - FAST_OUTPUT_ROOM);
    while (ip < fastInputEnd && op < fastOutputEnd) {
      const sequenceInput = ip;
      const sequenceOutput = op;
      const token = <usize>load<u8>(ip);
      ip++;
      let length = token >> 4;
      if (length != 15) {
        v128.store(op, v128.load(ip));
        ip += length;
        op += length;
      } else {
        let more: usize;
        do {
          more = <usize>load<u8>(ip);
          ip++;
          length += more;
        } while (more == 255 && ip < fastInputEnd);
        // Compared with what is left, not added to the positions: the sum could wrap around.
        if (
          ip >= fastInputEnd ||
          ip - sequenceInput > MAX_LENGTH_BYTES ||
          length > fastInputEnd - ip ||
          length > fastOutputEnd - op
        ) {
          ip = sequenceInput;
          break;
        }
        const literalsEnd = op + length;
        let from = ip;
        do {
          v128.store(op, v128.load(from));
          v128.store(op, v128.load(from, 16), 16);
          op += 32;
          from += 32;
        } while (op < literalsEnd);
        ip += length;
        op = literalsEnd;
      }
      const offset = <usize>load<u16>(ip);
      ip += 2;
      // One comparison for both: offset 0 becomes the largest number.
      if (offset - 1 >= op - lowest) return STREAM_MALFORMED;
      length = token & 15;
      if (length != 15) {
        const match = op - offset;
        if (offset >= 16) {
          v128.store(op, v128.load(match));
          store<u16>(op, load<u16>(match, 16), 16);
        } else {
          const pattern = repeatedPattern(match, offset);
          v128.store(op, pattern);
          v128.store(op + repeatStride(offset), pattern);
        }
        op += length + MIN_MATCH;
        continue;
      }
      const matchInput = ip;
      let more: usize;
      do {
        more = <usize>load<u8>(ip);
        ip++;
        length += more;
      } while (more == 255 && ip < fastInputEnd);
      length += MIN_MATCH;
      if (
        ip >= fastInputEnd ||
        ip - matchInput > MAX_LENGTH_BYTES ||
        op >= fastOutputEnd ||
        length > fastOutputEnd - op
      ) {
        ip = sequenceInput;
        op = sequenceOutput;
        break;
      }
      copyMatchWild(op, offset, length);
      op += length;
    }
  }

  while (true) {
    if (op >= wantedEnd && wanted != targetLength) return 0;
    if (ip >= inputEnd) return STREAM_MALFORMED;
    const token = <usize>load<u8>(ip);
    ip++;
    let length = token >> 4;
    if (length == 15) {
      let more: usize;
      do {
        if (ip >= inputEnd) return STREAM_MALFORMED;
        more = <usize>load<u8>(ip);
        ip++;
        length += more;
        if (length > targetLength) return STREAM_MALFORMED;
      } while (more == 255);
    }
    if (length > outputEnd - op || length > inputEnd - ip) return STREAM_MALFORMED;
    copyExact(op, ip, length);
    ip += length;
    op += length;
    if (outputEnd - op < MATCH_START_LIMIT || inputEnd - ip < INPUT_AFTER_LITERALS) {
      // These literals must be the last ones.
      return ip == inputEnd && op == outputEnd ? 0 : STREAM_MALFORMED;
    }
    if (op >= wantedEnd && wanted != targetLength) return 0;
    const offset = <usize>load<u16>(ip);
    ip += 2;
    if (offset - 1 >= op - lowest) return STREAM_MALFORMED;
    length = token & 15;
    if (length == 15) {
      let more: usize;
      do {
        if (ip >= inputEnd) return STREAM_MALFORMED;
        more = <usize>load<u8>(ip);
        ip++;
        length += more;
        if (length > targetLength) return STREAM_MALFORMED;
      } while (more == 255);
    }
    length += MIN_MATCH;
    const left = outputEnd - op;
    if (left < LAST_LITERALS || length > left - LAST_LITERALS) return STREAM_MALFORMED;
    copyMatchExact(op, offset, length, left);
    op += length;
  }
}
