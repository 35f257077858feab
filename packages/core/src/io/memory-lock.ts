/** Locks of files in memory. @module */
import { ArgumentError, IoError } from "../errors.js";
import type { IoLock, IoLockHeld, LockKind } from "./backend.js";

/** Who has a path's lock. All of them are in one thread, so that nobody can wait for anybody. */
class LockState {
  readonly readers: Set<MemoryLock> = new Set<MemoryLock>();
  writer: MemoryLock | undefined;
  /** Counts writers. */
  changes = 0;
}

/** The locks of one backend, by path. */
export class MemoryLocks {
  readonly #states = new Map<string, LockState>();

  open(path: string): IoLock {
    let state = this.#states.get(path);
    if (state === undefined) {
      state = new LockState();
      this.#states.set(path, state);
    }
    return new MemoryLock(path, state);
  }
}

class MemoryLock implements IoLock {
  readonly path: string;
  readonly #state: LockState;
  #held: LockKind | undefined;
  #lastSeen = 0;
  #closed = false;

  constructor(path: string, state: LockState) {
    this.path = path;
    this.#state = state;
  }

  get held(): LockKind | undefined {
    return this.#held;
  }

  acquire(kind: LockKind): IoLockHeld {
    this.#requireOpen("lock");
    if (this.#held !== undefined) throw this.#misuse("a lock that is not held yet", this.#held);
    const state = this.#state;
    if (state.writer !== undefined || (kind === "exclusive" && state.readers.size > 0)) {
      throw new IoError(
        "BLOSC2_IO_LOCKED",
        `${this.path}: another handle has locked the frame, and nobody can wait for it here: commit (flush) or close that one first`,
        { operation: "lock", path: this.path, kind },
      );
    }
    const changed = state.changes !== this.#lastSeen;
    if (kind === "exclusive") {
      state.changes++;
      state.writer = this;
    } else {
      state.readers.add(this);
    }
    this.#lastSeen = state.changes;
    this.#held = kind;
    return { changed };
  }

  release(): void {
    this.#requireOpen("unlock");
    if (this.#held === undefined) throw this.#misuse("a lock that is held", "one that is not");
    this.#giveBack();
  }

  close(): void {
    this.#closed = true;
    this.#giveBack();
  }

  #giveBack(): void {
    if (this.#held === "exclusive") this.#state.writer = undefined;
    this.#state.readers.delete(this);
    this.#held = undefined;
  }

  #requireOpen(operation: string): void {
    if (!this.#closed) return;
    throw new IoError("BLOSC2_IO_CLOSED", `${this.path}: ${operation}: the lock has been closed`, {
      operation,
      path: this.path,
    });
  }

  #misuse(expected: string, found: string): ArgumentError {
    return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${this.path}: lock: expected ${expected}, found ${found}`, {
      parameter: "lock",
      expected,
      found,
    });
  }
}
