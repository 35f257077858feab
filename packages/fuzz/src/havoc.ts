/** Random damage that knows where the formats keep their lengths. @module */
import type { SeededRandom } from "@b2frame/interop/seeded-random";
import { type Input, withFile } from "./input.js";

const MAX_FILE_BYTES = 2 ** 15;
const MAX_EDITS = 6;
/** Where the headers of chunks and frames and the trailer of frames are. */
const HEADER_BYTES = 160;
const TRAILER_BYTES = 64;
const MAX_BLOCK = 64;

const INTEGERS: readonly bigint[] = [
  ...[0n, 1n, -1n, 2n, 7n, 8n, 15n, 16n, 17n, 31n, 32n, 33n, 127n, 128n, 255n, 256n, 257n, 4095n, 4096n, 65535n],
  ...[65536n, 0x7fffff00n, 0x7fffffdfn, 0x7fffffffn, 0x80000000n, 0xfffffffen, 0xffffffffn, 0x100000000n],
  ...[2n ** 53n - 1n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n), 0x0100000000000000n],
];

/** Markers of msgpack and words of the formats. */
const TOKENS: readonly Uint8Array[] = [
  ...["b2frame\0", "b2nd", "caterva", "<f8", "|S7", ">i2", "<U1", "<M8[ns]", "[('a', '<i4'), ('b', '|V3', (2,))]"],
  ...["PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "'descr'", "'shape': (", "fortran_order", "(1,)", "embed.b2e"],
  ...["\xc0", "\x90", "\x9e", "\xdc\xff\xff", "\xdd", "\xde\x00\x01", "\xdf", "\xd2", "\xd3", "\xce", "\xcf"],
  ...["\xd9\xff", "\xdb\x7f\xff\xff\xff", "\xc6\xff\xff\xff\xff", "\xc4\x00", "\x28\xb5\x2f\xfd", "\x78\x9c"],
].map((text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0)));

type Edit = (bytes: Uint8Array, random: SeededRandom, other: Uint8Array) => Uint8Array;

function position(length: number, random: SeededRandom): number {
  const choice = random.integer(0, 3);
  if (choice === 0) return random.integer(0, Math.min(HEADER_BYTES, length) - 1);
  if (choice === 1) return random.integer(Math.max(0, length - TRAILER_BYTES), length - 1);
  return random.integer(0, length - 1);
}

function spliced(bytes: Uint8Array, at: number, removed: number, put: Uint8Array): Uint8Array {
  const tail = bytes.subarray(Math.min(bytes.byteLength, at + removed));
  const result = new Uint8Array(at + put.byteLength + tail.byteLength);
  result.set(bytes.subarray(0, at));
  result.set(put, at);
  result.set(tail, at + put.byteLength);
  return result;
}

function block(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const at = position(bytes.byteLength, random);
  return bytes.slice(at, at + random.magnitude(1, MAX_BLOCK));
}

const EDITS: readonly Edit[] = [
  (bytes, random) => {
    const at = position(bytes.byteLength, random);
    bytes[at] = (bytes[at] as number) ^ (1 << random.integer(0, 7));
    return bytes;
  },
  (bytes, random) => {
    bytes[position(bytes.byteLength, random)] = random.integer(0, 255);
    return bytes;
  },
  (bytes, random) => {
    const at = position(bytes.byteLength, random);
    bytes[at] = (bytes[at] as number) + random.integer(-16, 16);
    return bytes;
  },
  (bytes, random) => {
    const width = random.pick([2, 4, 4, 8]);
    const at = Math.max(0, Math.min(position(bytes.byteLength, random), bytes.byteLength - width));
    const integer = Buffer.alloc(8);
    if (random.oneIn(2)) integer.writeBigInt64LE(BigInt.asIntN(64, random.pick(INTEGERS)));
    else integer.writeBigInt64BE(BigInt.asIntN(64, random.pick(INTEGERS) << BigInt(64 - 8 * width)));
    return spliced(bytes, at, width, integer.subarray(0, width));
  },
  (bytes, random) =>
    spliced(bytes, position(bytes.byteLength, random), random.magnitude(1, MAX_BLOCK), new Uint8Array(0)),
  (bytes, random) => spliced(bytes, position(bytes.byteLength, random), 0, block(bytes, random)),
  (bytes, random, other) => {
    const put = block(other, random);
    return spliced(bytes, position(bytes.byteLength, random), random.oneIn(2) ? put.byteLength : 0, put);
  },
  (bytes, random) => {
    const token = random.pick(TOKENS);
    return spliced(bytes, position(bytes.byteLength, random), random.oneIn(2) ? token.byteLength : 0, token);
  },
  (bytes, random) => bytes.slice(0, random.integer(1, bytes.byteLength)),
];

/** A damaged copy of `input`; `other` lends it pieces. */
export function damaged(input: Input, other: Input, random: SeededRandom): Input {
  const index = random.integer(0, input.files.length - 1);
  const file = input.files[index];
  const lender = random.pick(other.files);
  if (file === undefined || file.bytes.byteLength === 0) return input;
  let bytes: Uint8Array = file.bytes.slice();
  for (let edits = random.integer(1, MAX_EDITS); edits > 0; edits -= 1) {
    const edited = random.pick(EDITS)(bytes, random, lender.bytes.byteLength === 0 ? bytes : lender.bytes);
    if (edited.byteLength > 0 && edited.byteLength <= MAX_FILE_BYTES) bytes = edited;
  }
  return withFile(input, index, bytes);
}
