/** zlib streams of all levels and strategies, sound and damaged, with what zlib makes of them. @module */
import { constants, deflateRawSync, deflateSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib";
import type { SeededRandom } from "@b2frame/interop/seeded-random";
import { randomContent } from "./stream-content.js";

/** A stream, and its content as zlib reads it; `undefined` when zlib refuses it. */
export interface JudgedStream {
  readonly stream: Uint8Array;
  readonly content: Uint8Array | undefined;
}

const MAX_CONTENT = 2 ** 20;
const HEADER = [0x78, 0x9c];
const CHECKSUM_LENGTH = 4;

const STRATEGIES: readonly number[] = [
  ...[constants.Z_DEFAULT_STRATEGY, constants.Z_FILTERED, constants.Z_HUFFMAN_ONLY],
  ...[constants.Z_RLE, constants.Z_FIXED],
];

function randomOptions(random: SeededRandom): ZlibOptions {
  return {
    level: random.integer(0, 9),
    memLevel: random.integer(1, 9),
    windowBits: random.integer(9, 15),
    strategy: random.pick(STRATEGIES),
  };
}

/** Deflate data whose blocks are of different levels and strategies: stored, fixed and dynamic ones. */
function deflated(random: SeededRandom, content: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let left = random.integer(0, 3); left > 0; left--) {
    const end = random.integer(at, content.byteLength);
    const finishFlush = random.pick([constants.Z_SYNC_FLUSH, constants.Z_FULL_FLUSH]);
    pieces.push(deflateRawSync(content.subarray(at, end), { ...randomOptions(random), finishFlush }));
    at = end;
  }
  pieces.push(deflateRawSync(content.subarray(at), randomOptions(random)));
  return Uint8Array.from(Buffer.concat(pieces));
}

function damaged(random: SeededRandom, bytes: Uint8Array): Uint8Array {
  const result = Uint8Array.from(bytes);
  // The code lengths stand at the front: most of what can be wrong is wrong there.
  const place = (): number => random.magnitude(1, Math.max(1, result.byteLength)) - 1;
  for (let left = random.magnitude(1, 6); left > 0 && result.byteLength > 0; left--) {
    const at = place();
    const kind = random.integer(0, 3);
    if (kind === 0) result[at] = (result[at] as number) ^ (1 << random.integer(0, 7));
    else if (kind === 1) result[at] = random.bits();
    else if (kind === 2) result.copyWithin(at, place(), place());
    else result.fill(random.pick([0, 255]), at, at + random.integer(1, 4));
  }
  return random.oneIn(4) ? result.subarray(0, random.integer(0, result.byteLength)) : result;
}

function checksumOf(content: Uint8Array): Uint8Array {
  return deflateSync(content, { level: 0 }).subarray(-CHECKSUM_LENGTH);
}

/** Deflate data with the checksum that makes a stream of it sound if the data are: else damage would only ever be a wrong checksum. */
function withChecksum(random: SeededRandom, data: Uint8Array): JudgedStream {
  const trailing = Array.from({ length: random.oneIn(4) ? random.integer(1, 20) : 0 }, () => random.bits());
  try {
    const options: ZlibOptions = { maxOutputLength: MAX_CONTENT, info: true };
    const { buffer, engine } = inflateRawSync(data, options) as unknown as {
      readonly buffer: Uint8Array;
      readonly engine: { readonly bytesWritten: number };
    };
    const stream = [...HEADER, ...data.subarray(0, engine.bytesWritten), ...checksumOf(buffer), ...trailing];
    return { stream: Uint8Array.from(stream), content: buffer };
  } catch {
    return { stream: Uint8Array.from([...HEADER, ...data, ...trailing]), content: undefined };
  }
}

/** Any bytes, as zlib reads them. */
function judged(stream: Uint8Array): JudgedStream {
  try {
    return { stream, content: inflateSync(stream, { maxOutputLength: MAX_CONTENT }) };
  } catch {
    return { stream, content: undefined };
  }
}

/** A stream of random content, sound as often as not. */
export function zlibStream(random: SeededRandom): JudgedStream {
  const content = randomContent(random);
  const kind = random.integer(0, 7);
  if (kind === 0) return judged(deflateSync(content, randomOptions(random)));
  if (kind === 1) return judged(damaged(random, deflateSync(content, randomOptions(random))));
  if (kind === 2) return withChecksum(random, content.subarray(0, 1000));
  const data = deflated(random, content);
  return withChecksum(random, kind < 5 ? data : damaged(random, data));
}
