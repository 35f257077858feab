/**
 * BloscLZ decompression. A stream is a sequence of literal runs and matches, each led by a control byte; the
 * *Blosc2 format documents* do not describe it, so its layout stands here.
 *
 * - control `c < 32`: `c + 1` literal bytes follow. Of the stream's first byte only the low five bits count.
 * - otherwise a match: length `(c >> 5) + 2`, or for `c >> 5 === 7` 9 plus the following bytes up to and including the first
 *   that is not 255. Then one byte `low`: distance `((c & 31) << 8) + low + 1`; but with all 13 bits set a big-endian
 *   uint16 follows and the distance is that plus 8192.
 * - a match never ends a stream.
 *
 * @module
 */
import { malformedStream, wrongDecodedLength } from "./stream-error.js";

const FAR_BASE = 8192;
/** From here on a bulk copy beats the byte loop. */
const BULK = 48;

function truncated(at: number): Error {
  return malformedStream("blosclz", "ends inside a match", at);
}

/**
 * Decompresses all of `source`, which must give exactly `target.byteLength` bytes.
 *
 * @throws CodecError on anything else.
 */
export function blosclzDecode(source: Uint8Array, target: Uint8Array): void {
  const end = source.byteLength;
  const targetEnd = target.byteLength;
  let at = 0;
  let out = 0;
  let mask = 31;
  while (at < end) {
    const control = source[at++] & mask;
    mask = 255;
    if (control < 32) {
      const stop = out + control + 1;
      if (at + control + 1 > end) throw malformedStream("blosclz", `${control + 1} literals run past its end`, at);
      if (stop > targetEnd) throw wrongDecodedLength("blosclz", targetEnd, "more");
      while (out < stop) target[out++] = source[at++];
      continue;
    }
    let length = (control >>> 5) + 2;
    if (length === 9) {
      let byte = 255;
      while (byte === 255) {
        if (at >= end) throw truncated(at);
        byte = source[at++];
        length += byte;
      }
    }
    if (at >= end) throw truncated(at);
    let distance = ((control & 31) << 8) + source[at++] + 1;
    if (distance === FAR_BASE) {
      if (at + 2 > end) throw truncated(at);
      distance = FAR_BASE + ((source[at] << 8) | source[at + 1]);
      at += 2;
    }
    if (at >= end) throw malformedStream("blosclz", "ends with a match", at);
    let from = out - distance;
    if (from < 0) throw malformedStream("blosclz", `match distance ${distance} after ${out} bytes`, at);
    const stop = out + length;
    if (stop > targetEnd) throw wrongDecodedLength("blosclz", targetEnd, "more");
    if (length >= BULK && distance >= length) target.copyWithin(out, from, from + length);
    else if (length >= BULK && distance === 1) target.fill(target[from], out, stop);
    else while (out < stop) target[out++] = target[from++];
    out = stop;
  }
  if (out !== targetEnd) throw wrongDecodedLength("blosclz", targetEnd, out);
}
