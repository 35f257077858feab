/** Memory to use again: touching new memory can take longer than decompressing into it. @module */

/** Smaller buffers are as quick to make. */
const MIN_BYTE_LENGTH = 64 * 1024;

/** Buffers that nobody uses, up to so many bytes. */
export class SpareBuffers {
  readonly #buffers: ArrayBuffer[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Keeps a buffer, or drops it if there are enough. */
  put(buffer: ArrayBuffer): void {
    const { byteLength } = buffer;
    if (byteLength < MIN_BYTE_LENGTH || this.#bytes + byteLength > this.#maxBytes) return;
    this.#bytes += byteLength;
    this.#buffers.push(buffer);
  }

  /** A buffer of exactly that size, if there is one: the one used last, which may still be in the processor's cache. */
  take(byteLength: number): ArrayBuffer | undefined {
    const at = this.#buffers.findLastIndex((buffer) => buffer.byteLength === byteLength);
    if (at < 0) return undefined;
    this.#bytes -= byteLength;
    return this.#buffers.splice(at, 1)[0];
  }

  /** Drops all of them. */
  clear(): void {
    this.#buffers.length = 0;
    this.#bytes = 0;
  }
}
