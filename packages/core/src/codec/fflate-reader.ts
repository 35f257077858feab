/** Reading zlib through fflate, with the checks that fflate leaves out: header, end, checksum. @module */
import { inflateSync } from "fflate";
import { adler32 } from "./adler32.js";

const HEADER_LENGTH = 2;
const CHECKSUM_LENGTH = 4;
/** Header, the shortest deflate stream (an empty block with fixed codes), checksum. */
const MIN_STREAM_LENGTH = 8;

let scratch: Uint8Array = new Uint8Array(0);

/** One byte more than wanted, because fflate cuts what does not fit without a word. */
function roomFor(byteLength: number): Uint8Array {
  if (scratch.byteLength < byteLength + 1) scratch = new Uint8Array(byteLength + 1);
  return scratch.subarray(0, byteLength + 1);
}

function requireHeader(source: Uint8Array): void {
  if (source.byteLength < MIN_STREAM_LENGTH) throw new Error(`only ${source.byteLength} bytes long`);
  const header = source[0] * 256 + source[1];
  if ((source[0] & 0x0f) !== 8 || source[0] >>> 4 > 7 || header % 31 !== 0) {
    throw new Error(`header check fails for 0x${header.toString(16).padStart(4, "0")}`);
  }
  if ((source[1] & 0x20) !== 0) throw new Error("needs a preset dictionary");
}

/** Whether the deflate stream ends within `deflated`. */
function isWhole(deflated: Uint8Array, room: Uint8Array): boolean {
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
 * accept. fflate does not tell where that is; but with one byte less the stream must be cut.
 */
function checksumPrecedesTrailingBytes(source: Uint8Array, checksum: number, room: Uint8Array): boolean {
  for (let offset = source.byteLength - CHECKSUM_LENGTH - 1; offset > HEADER_LENGTH; offset--) {
    if (!checksumIsAt(source, offset, checksum)) continue;
    if (!isWhole(source.subarray(HEADER_LENGTH, offset), room)) return false;
    if (!isWhole(source.subarray(HEADER_LENGTH, offset - 1), room)) return true;
  }
  return false;
}

/** The content of a zlib stream. It is valid until the next call. */
export function inflateByFflate(source: Uint8Array, byteLength: number): Uint8Array {
  requireHeader(source);
  const room = roomFor(byteLength);
  const content = inflateSync(source.subarray(HEADER_LENGTH, -CHECKSUM_LENGTH), { out: room });
  if (content.byteLength !== byteLength) return content;
  const checksum = adler32(content);
  // Looking for the end decodes again, so the content must not lie in the same memory.
  if (
    !checksumIsAt(source, source.byteLength - CHECKSUM_LENGTH, checksum) &&
    !checksumPrecedesTrailingBytes(source, checksum, new Uint8Array(byteLength + 1))
  ) {
    throw new Error("Adler-32 checksum differs from the data's");
  }
  return content;
}
