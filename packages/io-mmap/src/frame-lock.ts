/**
 * The advisory lock of frames on disk, as the *Blosc2 format documents* describe it ("Sidecar lock file"): a small file beside
 * the frame, locked with `flock`, shared by readers and exclusive to a writer, which also carries a counter of changes.
 *
 * @module
 */
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { endianness } from "node:os";
import { ArgumentError, IoError, ioFailure, UnsupportedError } from "@b2frame/core";
import { type KoffiDriver, loadKoffiDriver } from "./koffi-driver.js";

/** Readers share a lock; a writer has it alone. */
export type FrameLockKind = "shared" | "exclusive";

/** Options of {@link FrameLock}. */
export interface FrameLockOptions {
  /** The frame is a sparse one: its lock file lies inside the directory. Default false. */
  readonly sparse?: boolean;
}

/** How long {@link FrameLock.acquire} waits. */
export interface FrameLockWait {
  /** Milliseconds until it gives up; 0: it does not wait. Default: it waits for as long as it takes. */
  readonly timeout?: number;
}

/** What taking the lock told. */
export interface FrameLockHeld {
  /** Someone else had the frame for writing since this lock was last held: what is known of the frame must be read anew. */
  readonly changed: boolean;
}

/** Where the counter lies in the lock file: 8 bytes, an unsigned integer in the machine's byte order. */
const COUNTER_POSITION = 8;
const COUNTER_LENGTH = 8;
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 32;
const LITTLE_ENDIAN: boolean = endianness() === "LE";

function loadLocking(urlpath: string): KoffiDriver {
  const result = loadKoffiDriver();
  if (result.driver !== undefined) return result.driver;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED_BACKEND",
    `${urlpath}: locking needs the package koffi to call flock, and it can't be used here (${result.reason}): open without locking`,
    { feature: "locking", path: urlpath, reason: result.reason },
  );
}

/**
 * One holder of a frame's lock. Advisory: it keeps out only those who take the lock, too (python-blosc2: `locking=True`;
 * C-Blosc2: `blosc2_stdio_params.locking` or `BLOSC_LOCKING=1`). Not for network file systems. The operating system gives the lock
 * back when the process ends, however it ends.
 *
 * Take it for one operation, or a few that belong together, not for as long as the frame is open: others wait meanwhile.
 *
 * @example
 * ```ts
 * using lock = new FrameLock("data.b2frame");
 * if (lock.acquire("exclusive", { timeout: 5000 }).changed) frame.refresh();
 * try { frame.appendData(data); frame.flush(); } finally { lock.release(); }
 * ```
 */
export class FrameLock {
  /** The lock file: `urlpath` + `.b2lock`, or `urlpath/.b2lock` for a sparse frame. */
  readonly path: string;
  readonly #driver: KoffiDriver;
  readonly #counter = new DataView(new ArrayBuffer(COUNTER_LENGTH));
  #descriptor: number | undefined;
  #held: FrameLockKind | undefined;
  #depth = 0;
  #lastSeen = 0n;

  /**
   * Opens the lock file, which is made if there is none. Takes no lock yet.
   *
   * @throws UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` where `koffi` can't be loaded; IoError if the lock file can't be opened
   * for writing.
   */
  constructor(urlpath: string, options: FrameLockOptions = {}) {
    this.#driver = loadLocking(urlpath);
    this.path = options.sparse === true ? `${urlpath}/.b2lock` : `${urlpath}.b2lock`;
    try {
      this.#descriptor = openSync(this.path, constants.O_CREAT | constants.O_RDWR);
    } catch (error) {
      throw ioFailure(error, { operation: "open", path: this.path });
    }
  }

  /** What is held. */
  get held(): FrameLockKind | undefined {
    return this.#held;
  }

  /**
   * Takes the lock; waits while others have it. Taking it again while it is held nests: it is given back by as many calls of
   * `release`. The wait blocks the thread.
   *
   * @throws IoError `BLOSC2_IO_LOCKED` when the timeout is over; ArgumentError for `"exclusive"` while only `"shared"` is held, which
   * would give the lock away for a moment.
   */
  acquire(kind: FrameLockKind, wait: FrameLockWait = {}): FrameLockHeld {
    const timeout = wait.timeout ?? Number.POSITIVE_INFINITY;
    if (typeof timeout !== "number" || !(timeout >= 0)) this.#refuse("timeout", "milliseconds, 0 or more", timeout);
    const deadline = performance.now() + timeout;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const held = this.tryAcquire(kind);
      if (held !== undefined) return held;
      const left = deadline - performance.now();
      if (left <= 0) throw this.#locked(kind, timeout);
      sleep(Math.min(pause, left));
    }
  }

  /** As {@link acquire}, but gives undefined instead of waiting while others have the lock. */
  tryAcquire(kind: FrameLockKind): FrameLockHeld | undefined {
    const descriptor = this.#requireOpen();
    if (kind !== "shared" && kind !== "exclusive") this.#refuse("kind", '"shared" or "exclusive"', kind);
    if (this.#held !== undefined) {
      if (kind === "exclusive" && this.#held === "shared") this.#refuse("kind", '"shared", as the lock is held', kind);
      this.#depth++;
      return { changed: false };
    }
    try {
      if (!this.#driver.tryLock(descriptor, kind)) return undefined;
    } catch (error) {
      throw ioFailure(error, { operation: "lock", path: this.path });
    }
    let changed: boolean;
    try {
      changed = this.#readCounter(descriptor, kind);
    } catch (error) {
      this.#driver.unlock(descriptor);
      throw ioFailure(error, { operation: "lock", path: this.path });
    }
    this.#held = kind;
    this.#depth = 1;
    return { changed };
  }

  /**
   * Gives the lock back, or ends one nested taking of it.
   *
   * @throws ArgumentError if it is not held.
   */
  release(): void {
    const descriptor = this.#requireOpen();
    if (this.#held === undefined) this.#refuse("lock", "a lock that is held", "one that is not");
    if (--this.#depth > 0) return;
    this.#held = undefined;
    try {
      this.#driver.unlock(descriptor);
    } catch (error) {
      throw ioFailure(error, { operation: "unlock", path: this.path });
    }
  }

  /** Gives the lock back if it is held, and closes the lock file, which stays where it is. Idempotent. */
  close(): void {
    if (this.#descriptor === undefined) return;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    this.#held = undefined;
    this.#depth = 0;
    try {
      closeSync(descriptor);
    } catch (error) {
      throw ioFailure(error, { operation: "close", path: this.path });
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Compares the counter with the last one seen; a writer counts up as it enters. */
  #readCounter(descriptor: number, kind: FrameLockKind): boolean {
    const bytes = new Uint8Array(this.#counter.buffer);
    const complete = readSync(descriptor, bytes, 0, COUNTER_LENGTH, COUNTER_POSITION) === COUNTER_LENGTH;
    const found = complete ? this.#counter.getBigUint64(0, LITTLE_ENDIAN) : 0n;
    const changed = found !== this.#lastSeen;
    let seen = found;
    if (kind === "exclusive") {
      seen = BigInt.asUintN(64, found + 1n);
      this.#counter.setBigUint64(0, seen, LITTLE_ENDIAN);
      writeSync(descriptor, bytes, 0, COUNTER_LENGTH, COUNTER_POSITION);
    }
    this.#lastSeen = seen;
    return changed;
  }

  #requireOpen(): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    throw new IoError("BLOSC2_IO_CLOSED", `${this.path}: lock: the lock has been closed`, {
      operation: "lock",
      path: this.path,
    });
  }

  #locked(kind: FrameLockKind, timeout: number): IoError {
    return new IoError(
      "BLOSC2_IO_LOCKED",
      `${this.path}: another holder kept the lock for ${timeout} ms; a ${kind} one was wanted`,
      { operation: "lock", path: this.path, kind, timeout },
    );
  }

  #refuse(parameter: string, expected: string, found: unknown): never {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${this.path}: ${parameter}: expected ${expected}, found ${String(found)}`,
      { parameter, expected, found: String(found) },
    );
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
