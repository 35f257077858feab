/** The memory of a decoder that is a module of its own: the stream, and what it becomes. @module */

const PAGE = 65_536;
const ALIGNMENT = 64;
/** Room behind the stream and behind the content for reads and writes in whole vectors. */
export const MARGIN = 64;

/** The next address that is a multiple of a vector's length. */
export function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}

/** A module's memory, which grows with what is decoded. */
export class DecoderMemory {
  /** Where streams go. */
  readonly source: number;
  readonly #memory: WebAssembly.Memory;
  #bytes: Uint8Array;

  constructor(memory: WebAssembly.Memory, heapBase: number) {
    this.source = align(heapBase);
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.buffer);
  }

  /** All of it, as long as it does not grow. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Makes sure of so many bytes from address 0 on. @throws RangeError when the platform refuses. */
  reserve(byteLength: number): void {
    const missing = byteLength - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE));
    this.#bytes = new Uint8Array(this.#memory.buffer);
  }
}
