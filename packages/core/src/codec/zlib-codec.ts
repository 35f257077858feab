/** zlib through fflate, with the checks that fflate leaves out. @module */
import { inflateSync, zlibSync } from "fflate";
import { adler32 } from "./adler32.js";
import type { Codec, CodecContext } from "./codec.js";
import { compressionFailed, malformedStream, wrongDecodedLength } from "./stream-error.js";

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

const HEADER_LENGTH = 2;
const CHECKSUM_LENGTH = 4;
/** Header, the shortest deflate stream (an empty block with fixed codes), checksum. */
const MIN_STREAM_LENGTH = 8;

let scratch = new Uint8Array(0);

/** One byte more than wanted, because fflate cuts what does not fit without a word. */
function roomFor(byteLength: number): Uint8Array {
  if (scratch.byteLength < byteLength + 1) scratch = new Uint8Array(byteLength + 1);
  return scratch.subarray(0, byteLength + 1);
}

function inflate(deflated: Uint8Array, room: Uint8Array): Uint8Array {
  try {
    return inflateSync(deflated, { out: room });
  } catch (cause) {
    throw malformedStream("zlib", cause instanceof Error ? cause.message : "not a deflate stream", undefined, cause);
  }
}

function ends(deflated: Uint8Array, room: Uint8Array): boolean {
  try {
    inflateSync(deflated, { out: room });
    return true;
  } catch {
    return false;
  }
}

function checksumIsAt(source: Uint8Array, offset: number, checksum: number): boolean {
  return (
    source[offset] === checksum >>> 24 &&
    source[offset + 1] === ((checksum >>> 16) & 0xff) &&
    source[offset + 2] === ((checksum >>> 8) & 0xff) &&
    source[offset + 3] === (checksum & 0xff)
  );
}

/**
 * Whether the checksum stands where the deflate stream ends though more bytes follow it, which the Blosc2 format's readers
 * accept. fflate does not tell where that is; but with one byte less it must fail.
 */
function checksumPrecedesTrailingBytes(source: Uint8Array, checksum: number, room: Uint8Array): boolean {
  for (let offset = source.byteLength - CHECKSUM_LENGTH - 1; offset > HEADER_LENGTH; offset--) {
    if (!checksumIsAt(source, offset, checksum)) continue;
    if (!ends(source.subarray(HEADER_LENGTH, offset), room)) return false;
    if (!ends(source.subarray(HEADER_LENGTH, offset - 1), room)) return true;
  }
  return false;
}

function decompress(source: Uint8Array, target: Uint8Array): void {
  if (source.byteLength < MIN_STREAM_LENGTH) throw malformedStream("zlib", `only ${source.byteLength} bytes long`);
  const header = source[0] * 256 + source[1];
  if ((source[0] & 0x0f) !== 8 || source[0] >>> 4 > 7 || header % 31 !== 0) {
    throw malformedStream("zlib", `header check fails for 0x${header.toString(16).padStart(4, "0")}`, 0);
  }
  if ((source[1] & 0x20) !== 0) throw malformedStream("zlib", "needs a preset dictionary", 1);
  const room = roomFor(target.byteLength);
  const decoded = inflate(source.subarray(HEADER_LENGTH, -CHECKSUM_LENGTH), room);
  if (decoded.byteLength !== target.byteLength) {
    throw wrongDecodedLength(
      "zlib",
      target.byteLength,
      decoded.byteLength > target.byteLength ? "more" : decoded.byteLength,
    );
  }
  target.set(decoded);
  const checksum = adler32(target);
  if (
    !checksumIsAt(source, source.byteLength - CHECKSUM_LENGTH, checksum) &&
    !checksumPrecedesTrailingBytes(source, checksum, room)
  ) {
    throw malformedStream("zlib", "Adler-32 checksum differs from the data's", source.byteLength - CHECKSUM_LENGTH);
  }
}

function compress(source: Uint8Array, target: Uint8Array, context: CodecContext): number {
  let stream: Uint8Array;
  try {
    stream = zlibSync(source, { level: Math.min(9, Math.max(1, context.clevel)) as Level });
  } catch (cause) {
    throw compressionFailed("zlib", cause);
  }
  if (stream.byteLength > target.byteLength) return 0;
  target.set(stream);
  return stream.byteLength;
}

/** zlib in TypeScript. */
export const zlibCodec: Codec = {
  id: 4,
  name: "zlib",
  formatCode: 3,
  dictionaries: false,
  compress,
  decompress,
};
