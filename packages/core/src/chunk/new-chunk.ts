/** A chunk that has just been made and lies in the engine's memory. @module */
import type { Lease } from "../block/lease.js";
import type { Lent } from "../bytes/lent.js";
import type { ChunkHeader } from "./chunk-header.js";

/** What of its header those who store a chunk go by. */
export type StoredHeader = Pick<ChunkHeader, "typesize" | "nbytes" | "cbytes" | "vlBlocks" | "special">;

/**
 * A chunk whose bytes are the engine's. Until `end()` nobody else can decode or encode with that engine; whoever gets the chunk
 * stores or copies its bytes, and then ends it, also when that fails.
 */
export class NewChunk {
  /** All of the chunk's `cbytes`. They hold until {@link end}. */
  readonly bytes: Lent;
  /** What is in the header, so that nobody need decode it. */
  readonly header: StoredHeader;
  readonly #lease: Lease;
  #ended = false;

  /** @param lease has been taken; the chunk ends it. */
  constructor(bytes: Lent, header: StoredHeader, lease: Lease) {
    this.bytes = bytes;
    this.header = header;
    this.#lease = lease;
  }

  /** Gives the engine back. Idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#lease.end();
  }
}
