/** BloscLZ compression; the stream's layout is described with the decoder. @module */

/** C-Blosc2's writer stores shorter inputs raw, and needs this much room. */
const MIN_INPUT = 16;
const MIN_ROOM = 66;

const HASH_BITS = 14;
const MIN_MATCH = 4;
/** A match that needs the far form costs two bytes more. */
const MIN_FAR_MATCH = 6;
const MAX_NEAR_DISTANCE = 8191;
const FAR_BASE = 8192;
const MAX_DISTANCE = FAR_BASE + 65533;
/** The last match starts before this many bytes from the end, so that literals always follow it. */
const TAIL = 12;
const MAX_LITERAL_RUN = 32;
/** Set in the first control byte by C-Blosc2's writer; readers ignore it. */
const FIRST_CONTROL_MARK = 0x20;
/** Control, distance and, for the far form, its two bytes. */
const MAX_MATCH_HEAD = 4;
/** Stored positions stay below this, so that they fit the table's 32 bits. */
const MAX_STORED = 0x7fff0000;

const head: Int32Array = new Int32Array(1 << HASH_BITS);
/** What is added to a position when it is stored: entries of earlier calls are told by their value. */
let base = 1;

function hashAt(data: Uint8Array, at: number): number {
  const word = data[at] | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24);
  return Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/** Writes `source[from..to]` as literal runs. The caller has checked the room. */
function writeLiterals(target: Uint8Array, at: number, source: Uint8Array, from: number, to: number): number {
  let out = at;
  let next = from;
  while (next < to) {
    const stop = Math.min(next + MAX_LITERAL_RUN, to);
    target[out++] = stop - next - 1;
    while (next < stop) target[out++] = source[next++];
  }
  return out;
}

/** Writes a match. The caller has checked the room. */
function writeMatch(target: Uint8Array, at: number, length: number, distance: number): number {
  let out = at;
  const near = distance <= MAX_NEAR_DISTANCE;
  const high = near ? (distance - 1) >>> 8 : 31;
  const coded = length - 3;
  if (coded < 6) target[out++] = ((coded + 1) << 5) | high;
  else {
    target[out++] = (7 << 5) | high;
    let rest = coded - 6;
    for (; rest >= 255; rest -= 255) target[out++] = 255;
    target[out++] = rest;
  }
  if (near) target[out++] = (distance - 1) & 0xff;
  else {
    target[out++] = 255;
    target[out++] = (distance - FAR_BASE) >>> 8;
    target[out++] = (distance - FAR_BASE) & 0xff;
  }
  return out;
}

/**
 * Compresses `source` into the front of `target`.
 *
 * @param clevel - 1..9: low levels pass faster over what does not match, high ones remember every position
 * @returns the stream's length; 0 when it does not fit
 */
export function blosclzEncode(source: Uint8Array, target: Uint8Array, clevel: number): number {
  const end = source.byteLength;
  const room = target.byteLength;
  if (end < MIN_INPUT || room < MIN_ROOM) return 0;
  if (base + end > MAX_STORED) {
    head.fill(0);
    base = 1;
  }
  const lastMatchStart = end - TAIL;
  const matchLimit = end - 1;
  const haste = clevel >= 9 ? 31 : 3 + clevel;
  const everyPosition = clevel >= 7;
  let out = 0;
  let anchor = 0;
  let position = 1;
  let misses = 0;
  head[hashAt(source, 0)] = base;
  while (position < lastMatchStart) {
    const hash = hashAt(source, position);
    let from = head[hash] - base;
    head[hash] = position + base;
    const distance = position - from;
    let length = 0;
    if (from >= 0 && distance <= MAX_DISTANCE) {
      while (position + length < matchLimit && source[from + length] === source[position + length]) length++;
    }
    if (length < MIN_MATCH || (distance > MAX_NEAR_DISTANCE && length < MIN_FAR_MATCH)) {
      position += 1 + (misses++ >>> haste);
      continue;
    }
    misses = 0;
    // Back over bytes that were passed by; the very first byte stays a literal.
    while (position > anchor && from > 0 && source[position - 1] === source[from - 1]) {
      position--;
      from--;
      length++;
    }
    const literals = position - anchor;
    const needed = literals + Math.ceil(literals / MAX_LITERAL_RUN) + MAX_MATCH_HEAD + Math.ceil(length / 255);
    if (out + needed > room) {
      base += end;
      return 0;
    }
    out = writeLiterals(target, out, source, anchor, position);
    out = writeMatch(target, out, length, distance);
    const next = position + length;
    const insertFrom = everyPosition ? position + 1 : next - 2;
    for (let at = insertFrom; at < next && at < lastMatchStart; at++) head[hashAt(source, at)] = at + base;
    position = next;
    anchor = next;
  }
  base += end;
  const literals = end - anchor;
  if (out + literals + Math.ceil(literals / MAX_LITERAL_RUN) > room) return 0;
  out = writeLiterals(target, out, source, anchor, end);
  target[0] |= FIRST_CONTROL_MARK;
  return out;
}
