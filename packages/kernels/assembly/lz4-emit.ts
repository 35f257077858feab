// Writing LZ4 sequences; shared by the fast and the high-compression encoder.
import { copyExact } from "./copy-bytes";

export const MIN_MATCH: usize = 4;
/** Largest distance that the 16-bit offset field holds. */
export const MAX_DISTANCE: usize = 65535;
/** No match starts nearer to the end of the input. */
export const MATCH_START_LIMIT: usize = 12;
/** The last bytes of a block are literals. */
export const LAST_LITERALS: usize = 5;

/** Writes the rest of a length whose first part, 15, stands in the token. @inline */
function emitLength(op: usize, length: usize): usize {
  while (length >= 255) {
    store<u8>(op, 255);
    op++;
    length -= 255;
  }
  store<u8>(op, <u8>length);
  return op + 1;
}

/**
 * Writes one sequence: `literals` bytes from `anchor`, then a match.
 *
 * @param matched the length of the match, at least 4
 * @returns the new output position, or 0 if the sequence and the end of a block would not fit `outputEnd`
 *
 * @inline
 */
export function emitSequence(
  op: usize,
  outputEnd: usize,
  anchor: usize,
  literals: usize,
  offset: usize,
  matched: usize,
  inputEnd: usize,
): usize {
  const extra = matched - MIN_MATCH;
  // Token, offset, the lengths' further bytes, and the token and literals that end a block.
  if (outputEnd - op < literals + (literals >> 7) + (extra >> 7) + 12) return 0;
  const tokenAt = op;
  op++;
  let token: usize;
  if (literals < 15) {
    token = literals << 4;
    if (outputEnd - op >= 16 && inputEnd - anchor >= 16) v128.store(op, v128.load(anchor));
    else copyExact(op, anchor, literals);
  } else {
    token = 0xf0;
    op = emitLength(op, literals - 15);
    copyExact(op, anchor, literals);
  }
  op += literals;
  store<u16>(op, <u16>offset);
  op += 2;
  if (extra < 15) {
    token |= extra;
  } else {
    token |= 15;
    op = emitLength(op, extra - 15);
  }
  store<u8>(tokenAt, <u8>token);
  return op;
}

/** Writes the last sequence, literals only. @returns the new output position, or 0 if it does not fit */
export function emitLastLiterals(op: usize, outputEnd: usize, anchor: usize, literals: usize): usize {
  const lengthBytes: usize = literals < 15 ? 0 : (literals - 15) / 255 + 1;
  if (outputEnd - op < 1 + lengthBytes + literals) return 0;
  if (literals < 15) {
    store<u8>(op, <u8>(literals << 4));
    op++;
  } else {
    store<u8>(op, 0xf0);
    op = emitLength(op + 1, literals - 15);
  }
  copyExact(op, anchor, literals);
  return op + literals;
}
