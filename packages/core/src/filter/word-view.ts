/** Looking at a block's bytes as 32-bit words. @module */

const LITTLE_ENDIAN: boolean = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** One view per buffer, so that a filter call creates no object. */
const views: WeakMap<ArrayBufferLike, Int32Array> = new WeakMap();

/**
 * A view of the whole buffer under `bytes`; the word at byte `o` of `bytes` is at index `(bytes.byteOffset + o) >> 2`.
 * `undefined` where words can't be used: `bytes` does not start on a multiple of 4, or the platform is big-endian (the
 * filters are defined on little-endian words).
 */
export function wordView(bytes: Uint8Array): Int32Array | undefined {
  if ((bytes.byteOffset & 3) !== 0 || !LITTLE_ENDIAN) return undefined;
  const buffer = bytes.buffer;
  const words = views.get(buffer);
  // A resizable buffer may have grown since.
  if (words !== undefined && words.length === buffer.byteLength >> 2) return words;
  const fresh = new Int32Array(buffer, 0, buffer.byteLength >> 2);
  views.set(buffer, fresh);
  return fresh;
}
