/** Special chunks: one value for all of the content (`README_CHUNK_FORMAT`, "Special values"). @module */
import { ArgumentError } from "../errors.js";
import { MAX_CHUNK_BYTES } from "../limits.js";
import { encodeChunkHeader, type SpecialKind } from "./chunk-header.js";
import { EXTENDED_HEADER_LENGTH, MAX_BLOCKSIZE } from "./chunk-layout.js";

const NAN_32: Uint8Array = Uint8Array.of(0x00, 0x00, 0xc0, 0x7f);
const NAN_64: Uint8Array = Uint8Array.of(0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x7f);

/** The bytes that a chunk of NaN repeats; `typesize` is 4 or 8. */
export function nanPattern(typesize: number): Uint8Array {
  return typesize === 4 ? NAN_32 : NAN_64;
}

function invalid(parameter: string, message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `special chunk: ${parameter} ${message}`, { parameter });
}

/**
 * Encodes a special chunk: a bare header, and the value where there is one.
 *
 * @param nbytes uncompressed bytes; a multiple of `typesize`, except for zeros.
 * @param typesize 1 or more; 4 or 8 for NaN.
 * @param value the bytes to repeat; their number must divide `nbytes`. For kind `"value"` only.
 * @param blocksize what the header states, at most `nbytes`. Default: all in one block. In a B2ND array C-Blosc2 wants that of the
 * array.
 * @throws ArgumentError when these do not fit one another.
 */
export function encodeSpecialChunk(
  kind: SpecialKind,
  nbytes: number,
  typesize: number,
  value?: Uint8Array,
  blocksize: number = nbytes,
): Uint8Array {
  if (!Number.isInteger(nbytes) || nbytes < 0 || nbytes > MAX_CHUNK_BYTES)
    throw invalid("nbytes", `must be an integer in 0..${MAX_CHUNK_BYTES}`);
  if (!Number.isInteger(typesize) || typesize < 1) throw invalid("typesize", "must be a positive integer");
  if (kind !== "zeros" && nbytes % typesize !== 0)
    throw invalid("nbytes", `must be a multiple of typesize ${typesize}`);
  if (kind === "nan" && typesize !== 4 && typesize !== 8) throw invalid("typesize", "must be 4 or 8 for NaN");
  let valueLength = 0;
  if (kind === "value") {
    valueLength = value?.byteLength ?? 0;
    if (valueLength === 0 || valueLength > nbytes || nbytes % valueLength !== 0) {
      throw invalid("value", `must have a length that divides nbytes ${nbytes}`);
    }
  } else if (value !== undefined) {
    throw invalid("value", `does not go with kind "${kind}"`);
  }
  const cbytes = EXTENDED_HEADER_LENGTH + valueLength;
  const chunk = new Uint8Array(cbytes);
  const stated = Math.min(Math.max(1, Math.min(blocksize, nbytes)), MAX_BLOCKSIZE);
  encodeChunkHeader({ typesize, nbytes, blocksize: stated, cbytes, special: kind }, chunk);
  if (value !== undefined) chunk.set(value, EXTENDED_HEADER_LENGTH);
  return chunk;
}

/** Zeros to copy from; a multiple of 8 and 8 more. */
const ZEROS: Uint8Array = new Uint8Array(64 * 1024 + 8);

/**
 * Fills `target[from..to)` with zeros. JavaScript engines fill shared memory byte by byte, but copy by words into it, if both sides are
 * aligned alike.
 */
export function fillZeros(target: Uint8Array, from: number, to: number): void {
  if (target.buffer instanceof ArrayBuffer) {
    target.fill(0, from, to);
    return;
  }
  const phase = (target.byteOffset + from) & 7;
  for (let at = from; at < to; ) {
    const length = Math.min(ZEROS.byteLength - 8, to - at);
    target.set(ZEROS.subarray(phase, phase + length), at);
    at += length;
  }
}

/**
 * Fills `target[from..to)` with `pattern` repeated, as if the repetition had begun `phase` bytes into the pattern.
 */
export function fillPattern(target: Uint8Array, from: number, to: number, pattern: Uint8Array, phase: number): void {
  const size = pattern.byteLength;
  if (size === 1) {
    target.fill(pattern[0] as number, from, to);
    return;
  }
  const first = Math.min(size, to - from);
  for (let i = 0, p = phase % size; i < first; i++) {
    target[from + i] = pattern[p] as number;
    p = p + 1 === size ? 0 : p + 1;
  }
  // Doubling keeps the period: every copy starts a whole number of patterns after the first byte.
  let done = first;
  while (from + done < to) {
    const piece = Math.min(done, to - from - done);
    target.copyWithin(from + done, from, from + piece);
    done += piece;
  }
}
