/** The LZ4 block format: checks that the decoders of others leave out. @module */
import { malformedStream, wrongDecodedLength } from "./stream-error.js";

/** No match may start in the last 12 bytes of a block (LZ4 block format, "End of block conditions"). */
export const MATCH_START_MARGIN = 12;
/** The last 5 bytes of a block are literals. */
export const LITERAL_MARGIN = 5;
/** The shortest match. */
export const MIN_MATCH = 4;
/** Offsets have 16 bits. */
export const MAX_OFFSET = 65535;

const NIBBLE_MAX = 15;

/**
 * Checks every sequence of `source`, so that a decoder without checks of its own stays inside both buffers: it will give
 * exactly `decodedLength` bytes, from literals of `source`, earlier output, and `historyLength` bytes before it.
 * Stricter than the reference decoder in one point: offset 0 is refused, as the format demands.
 *
 * @throws CodecError
 */
export function checkLz4Block(source: Uint8Array, decodedLength: number, historyLength: number, codec: string): void {
  const end = source.byteLength;
  const lastMatchStart = decodedLength - MATCH_START_MARGIN;
  const lastMatchEnd = decodedLength - LITERAL_MARGIN;
  let at = 0;
  let out = 0;
  for (;;) {
    if (at >= end) throw malformedStream(codec, "ends without a last run of literals", at);
    const token = source[at++];
    let literals = token >>> 4;
    if (literals === NIBBLE_MAX) {
      let byte = 255;
      while (byte === 255) {
        if (at >= end) throw malformedStream(codec, "ends inside a literal length", at);
        byte = source[at++];
        literals += byte;
      }
    }
    at += literals;
    out += literals;
    if (at > end) throw malformedStream(codec, `${literals} literals run past its end`, at - literals);
    if (at === end) break;
    if (out > decodedLength) throw wrongDecodedLength(codec, decodedLength, "more");
    if (at + 2 > end) throw malformedStream(codec, "ends inside a match offset", at);
    const offset = source[at] | (source[at + 1] << 8);
    if (offset === 0) throw malformedStream(codec, "match offset 0", at);
    if (offset > out + historyLength) {
      throw malformedStream(codec, `match offset ${offset} after ${out + historyLength} bytes`, at);
    }
    at += 2;
    if (out > lastMatchStart) throw malformedStream(codec, "a match starts in the block's last 12 bytes", at - 2);
    let length = token & NIBBLE_MAX;
    if (length === NIBBLE_MAX) {
      let byte = 255;
      while (byte === 255) {
        if (at >= end) throw malformedStream(codec, "ends inside a match length", at);
        byte = source[at++];
        length += byte;
      }
    }
    out += length + MIN_MATCH;
    if (out > lastMatchEnd) throw malformedStream(codec, "a match reaches into the block's last 5 bytes", at);
  }
  if (out !== decodedLength) throw wrongDecodedLength(codec, decodedLength, out);
}

/** Bytes that a run of literals with its token takes. */
export function literalRunLength(literals: number): number {
  return 1 + (literals < NIBBLE_MAX ? 0 : 1 + Math.floor((literals - NIBBLE_MAX) / 255)) + literals;
}

/** Writes the extra bytes of a length whose nibble is full. Returns the offset after them. */
export function writeExtraLength(target: Uint8Array, at: number, length: number): number {
  let rest = length - NIBBLE_MAX;
  let to = at;
  for (; rest >= 255; rest -= 255) target[to++] = 255;
  target[to++] = rest;
  return to;
}

/**
 * Writes the last sequence of a block: the literals `source[from..]`.
 *
 * @returns the offset after it, or 0 when it does not fit.
 */
export function writeLastLiterals(target: Uint8Array, at: number, source: Uint8Array, from: number): number {
  const literals = source.byteLength - from;
  if (at + literalRunLength(literals) > target.byteLength) return 0;
  let to = at;
  target[to++] = Math.min(literals, NIBBLE_MAX) << 4;
  if (literals >= NIBBLE_MAX) to = writeExtraLength(target, to, literals);
  for (let index = from; index < source.byteLength; index++) target[to++] = source[index];
  return to;
}

/**
 * Adds to the last run of literals of a well-formed block, `target[0..written]`, what the block does not yet hold of `source`.
 *
 * @returns the block's new length, or 0 when it does not fit.
 */
export function extendLastLiterals(target: Uint8Array, written: number, source: Uint8Array): number {
  let at = 0;
  let decoded = 0;
  for (;;) {
    const tokenOffset = at;
    const token = target[at++];
    let literals = token >>> 4;
    if (literals === NIBBLE_MAX) {
      let byte = 255;
      while (byte === 255) {
        byte = target[at++];
        literals += byte;
      }
    }
    at += literals;
    if (at >= written) return writeLastLiterals(target, tokenOffset, source, decoded);
    at += 2;
    let length = token & NIBBLE_MAX;
    if (length === NIBBLE_MAX) {
      let byte = 255;
      while (byte === 255) {
        byte = target[at++];
        length += byte;
      }
    }
    decoded += literals + length + MIN_MATCH;
  }
}
