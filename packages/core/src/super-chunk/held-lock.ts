/** A lock that is held for several operations. @module */
import type { LockKind } from "../io/backend.js";
import type { SuperChunkState } from "./super-chunk-state.js";

/**
 * Holds a frame's lock from `SChunk.lock()` on until it is released, at the latest at the end of a `using` block. An exclusive one commits
 * when it is released.
 */
export class HeldLock {
  readonly kind: LockKind;
  readonly #state: SuperChunkState;
  #released = false;

  /** Made by `SChunk.lock()`. */
  constructor(state: SuperChunkState, kind: LockKind) {
    this.kind = kind;
    this.#state = state;
  }

  /**
   * Commits, if the lock is an exclusive one and the outermost, and gives it back. Idempotent; nothing is left to do once the super-chunk
   * has been closed.
   *
   * @throws IoError as `SChunk.flush`; the lock is kept then, until the super-chunk is closed.
   */
  release(): void {
    if (this.#released || this.#state.closed) return;
    this.#released = true;
    this.#state.endBracket(this.kind);
  }

  /** {@link release} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.release();
  }
}
