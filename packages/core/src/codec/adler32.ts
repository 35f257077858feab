/** The checksum of zlib streams. @module */

/** Both sums stay below 2^32 for this many bytes of 255, so the modulo is taken only once per run (RFC 1950). */
const RUN = 5552;
const MODULUS = 65521;

/** Adler-32 of `bytes`, as an unsigned number. */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  const end = bytes.byteLength;
  for (let at = 0; at < end; ) {
    const stop = Math.min(at + RUN, end);
    for (; at < stop; at++) {
      low += bytes[at];
      high += low;
    }
    low %= MODULUS;
    high %= MODULUS;
  }
  return ((high << 16) | low) >>> 0;
}
