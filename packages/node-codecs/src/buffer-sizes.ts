/** How large the output buffers of node:zlib are made. @module */

/** node:zlib refuses smaller ones. */
const MIN_CHUNK_SIZE = 64;

/**
 * Options that make node:zlib take one buffer for an output of `byteLength` bytes, and throw instead of producing much more.
 * The buffer has a byte to spare: when it comes back full, node:zlib allocates another one to ask for more.
 */
export function bufferSizes(byteLength: number): { chunkSize: number; maxOutputLength: number } {
  const roomy = Math.max(MIN_CHUNK_SIZE, byteLength + 1);
  return { chunkSize: roomy, maxOutputLength: roomy };
}
