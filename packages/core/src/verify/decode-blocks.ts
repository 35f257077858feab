/** Decoding a chunk for the sake of seeing that it can be decoded. @module */
import type { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { requireAllocation } from "../frame/frame-parts.js";

/** Decodes chunks block by block into memory that is used again. */
export class BlockDecoder {
  readonly #environment: ChunkEnvironment;
  #scratch: Uint8Array = new Uint8Array(0);

  constructor(environment: ChunkEnvironment) {
    this.#environment = environment;
  }

  /**
   * Decodes all blocks. A special chunk has none; that there is a value to repeat was seen when it was opened.
   *
   * @throws FormatError, CodecError or UnsupportedError; Blosc2Error `BLOSC2_LIMIT_EXCEEDED`; IoError
   */
  decode(chunk: Chunk): void {
    if (chunk.special !== undefined) return;
    for (let block = 0; block < chunk.nblocks; block++) {
      const byteLength = chunk.blockByteLength(block);
      requireAllocation(this.#environment, "block", byteLength);
      if (this.#scratch.byteLength < byteLength) this.#scratch = new Uint8Array(byteLength);
      chunk.readBlockInto(block, this.#scratch);
    }
  }
}
