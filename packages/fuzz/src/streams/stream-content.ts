/** Content for streams of codecs. @module */
import type { SeededRandom } from "@b2frame/interop/seeded-random";

const WORDS =
  "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, ";

/** Most content fits a block; some is longer than the window of deflate. */
const USUAL_LENGTH = 3000;
const LONGEST = 100_000;

function fillPiece(random: SeededRandom, bytes: Uint8Array, from: number, to: number): void {
  const kind = random.integer(0, 6);
  const value = random.bits();
  const back = from > 0 ? random.magnitude(1, from) : 0;
  for (let at = from; at < to; at++) {
    if (kind === 0) bytes[at] = value;
    else if (kind === 1) bytes[at] = random.bits();
    else if (kind === 2) bytes[at] = random.bits() & 7 & random.bits();
    else if (kind === 3) bytes[at] = (at + value) >>> 3;
    else if (kind === 4) bytes[at] = WORDS.charCodeAt((at + value) % WORDS.length);
    else if (kind === 5 && back > 0) bytes[at] = bytes[at - back] as number;
    else bytes[at] = random.magnitude(1, 255);
  }
}

/** Pieces of noise, runs, repetitions and what lies between them. */
export function randomContent(random: SeededRandom): Uint8Array {
  const byteLength = random.oneIn(20) ? random.integer(0, LONGEST) : random.magnitude(1, USUAL_LENGTH) - 1;
  const bytes = new Uint8Array(byteLength);
  for (let at = 0; at < byteLength; ) {
    const end = Math.min(byteLength, at + random.magnitude(1, byteLength));
    fillPiece(random, bytes, at, end);
    at = end;
  }
  return bytes;
}
