/**
 * Walks the frames of a zstd stream (RFC 8878) without decoding them, so that sizes are known and checked before a decoder
 * that trusts them allocates anything.
 *
 * @module
 */
import { malformedStream } from "./stream-error.js";

/** One data frame of a stream. */
export interface ZstdFrame {
  /** Offset of its magic number. */
  readonly start: number;
  /** Offset after its last byte. */
  readonly end: number;
  /** The decoded size that its header promises. */
  readonly contentSize: number | undefined;
}

const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const DICTIONARY_ID_LENGTHS = [0, 1, 2, 4];
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
const BLOCK_HEADER_LENGTH = 3;
const CHECKSUM_LENGTH = 4;

function requireBytes(source: Uint8Array, at: number, count: number, what: string): void {
  if (at + count > source.byteLength) throw malformedStream("zstd", `ends inside ${what}`, at);
}

function uint32(source: Uint8Array, at: number): number {
  return (source[at] | (source[at + 1] << 8) | (source[at + 2] << 16) | (source[at + 3] << 24)) >>> 0;
}

/** The frame content size field; its length is 0, 1, 2, 4 or 8. */
function contentSizeOf(source: Uint8Array, at: number, length: number): number | undefined {
  if (length === 0) return undefined;
  if (length === 1) return source[at];
  if (length === 2) return (source[at] | (source[at + 1] << 8)) + 256;
  if (length === 4) return uint32(source, at);
  return uint32(source, at) + uint32(source, at + 4) * 2 ** 32;
}

function dataFrame(source: Uint8Array, start: number): ZstdFrame {
  let at = start + 4;
  requireBytes(source, at, 1, "the frame header");
  const descriptor = source[at++];
  if ((descriptor & 0x08) !== 0) throw malformedStream("zstd", "reserved bit of the frame header is set", at - 1);
  const singleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >>> 6;
  const sizeLength = sizeFlag === 0 ? (singleSegment ? 1 : 0) : 2 ** sizeFlag;
  at += (singleSegment ? 0 : 1) + DICTIONARY_ID_LENGTHS[descriptor & 3];
  requireBytes(source, at, sizeLength, "the frame header");
  const contentSize = contentSizeOf(source, at, sizeLength);
  at += sizeLength;
  for (let last = false; !last; ) {
    requireBytes(source, at, BLOCK_HEADER_LENGTH, "a block header");
    const header = source[at] | (source[at + 1] << 8) | (source[at + 2] << 16);
    const type = (header >>> 1) & 3;
    if (type === RESERVED_BLOCK) throw malformedStream("zstd", "reserved block type", at);
    const blockLength = type === RLE_BLOCK ? 1 : header >>> 3;
    at += BLOCK_HEADER_LENGTH;
    requireBytes(source, at, blockLength, "a block");
    at += blockLength;
    last = (header & 1) !== 0;
  }
  if ((descriptor & 0x04) !== 0) {
    requireBytes(source, at, CHECKSUM_LENGTH, "the checksum");
    at += CHECKSUM_LENGTH;
  }
  return { start, end: at, contentSize };
}

/**
 * The next data frame at or after `at`, past skippable ones; `undefined` when the stream ends there.
 *
 * @throws CodecError when anything else than whole frames is there.
 */
export function nextZstdFrame(source: Uint8Array, at: number): ZstdFrame | undefined {
  let start = at;
  while (start < source.byteLength) {
    requireBytes(source, start, 4, "a magic number");
    const magic = uint32(source, start);
    if (magic === MAGIC) return dataFrame(source, start);
    if ((magic & 0xfffffff0) >>> 0 !== SKIPPABLE_MAGIC) {
      throw malformedStream("zstd", `expected a frame, found 0x${magic.toString(16).padStart(8, "0")}`, start);
    }
    requireBytes(source, start + 4, 4, "a skippable frame");
    const length = uint32(source, start + 4);
    requireBytes(source, start + 8, length, "a skippable frame");
    start += 8 + length;
  }
  return undefined;
}
