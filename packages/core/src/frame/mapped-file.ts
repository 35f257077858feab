/** An open file whose bytes are laid under the engine's memory. @module */
import type { WindowMemory } from "../block/window-memory.js";
import type { IoHandle } from "../io/backend.js";

/** Bytes of a file that are copied before any are mapped: small frames are read without. */
const COPIED_BEFORE = 2 ** 20;

/** What of a file lies in whose memory. */
export class MappedFile {
  readonly #handle: IoHandle;
  /** Stands for the file in the engine's memory, which must not keep the handle of a frame that nobody closed. */
  readonly #key = {};
  readonly #memories: Set<WindowMemory> = new Set();
  #copied = 0;

  constructor(handle: IoHandle) {
    this.#handle = handle;
  }

  /** As {@link WindowMemory.locate}. */
  locate(memory: WindowMemory, position: number, length: number): Uint8Array | undefined {
    if (this.#copied < COPIED_BEFORE) {
      this.#copied += length;
      return undefined;
    }
    const bytes = memory.locate(this.#key, this.#handle, position, length);
    if (bytes !== undefined) this.#memories.add(memory);
    return bytes;
  }

  /** Puts plain memory where parts of the file are. */
  release(): void {
    for (const memory of this.#memories) memory.release(this.#key);
    this.#memories.clear();
  }
}
