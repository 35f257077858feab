/**
 * Buffers of closed handles, kept for the next ones: a new buffer of 32 KiB costs several times what opening a file costs.
 *
 * @module
 */

/** Bytes kept in all. */
const MAX_POOLED_BYTES = 4 * 1024 * 1024;

/** A buffer so much larger than wanted is left for who needs it. */
const MAX_WASTE = 128 * 1024;

const pool: Uint8Array[] = [];
let pooledBytes = 0;

/** A buffer of at least this size; what it holds is of no meaning. */
export function takeBuffer(byteLength: number): Uint8Array {
  for (let i = pool.length - 1; i >= 0; i--) {
    const bytes = pool[i] as Uint8Array;
    if (bytes.byteLength < byteLength || bytes.byteLength > byteLength + MAX_WASTE) continue;
    pool.splice(i, 1);
    pooledBytes -= bytes.byteLength;
    return bytes;
  }
  return new Uint8Array(byteLength);
}

/** Hands a buffer back; the caller and those that it lent views to use it no more. */
export function giveBuffer(bytes: Uint8Array | undefined): void {
  if (bytes === undefined || bytes.byteLength === 0 || pooledBytes + bytes.byteLength > MAX_POOLED_BYTES) return;
  pool.push(bytes);
  pooledBytes += bytes.byteLength;
}
