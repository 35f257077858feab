/**
 * The advisory lock of frames on disk, as the *Blosc2 format documents* describe it ("Sidecar lock file"): a small file beside
 * the frame, locked with `flock`, shared by readers and exclusive to a writer, which also carries a counter of changes.
 *
 * @module
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { endianness } from "node:os";
import { ArgumentError, IoError, type LockKind, UnsupportedError } from "@b2frame/core";
import { type IoLock, type IoLockHeld, type IoLockOptions, ioFailure } from "@b2frame/core/backend";
import { type FlockDriver, type FlockDriverResult, flockDriver } from "./flock-driver.js";

/** Options of {@link FrameLock}. */
export type FrameLockOptions = Partial<IoLockOptions>;

/** Where the counter lies in the lock file: 8 bytes, an unsigned integer in the machine's byte order. */
const COUNTER_POSITION = 8;
const COUNTER_LENGTH = 8;
/** Milliseconds between two attempts. C-Blosc2's writers hold the lock for about one. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 16;
const LITTLE_ENDIAN: boolean = endianness() === "LE";
/** How file systems and permissions refuse to let a file be made or written. */
const READ_ONLY_CODES: readonly unknown[] = ["EACCES", "EPERM", "EROFS"];

/** What this thread holds, by the lock file's device and inode: waiting for oneself would never end. */
const heldHere = new Map<string, Set<FrameLock>>();

function requireDriver(urlpath: string, result: FlockDriverResult): FlockDriver {
  if (result.driver !== undefined) return result.driver;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED_BACKEND",
    `${urlpath}: locking calls flock, which can't be had here (${result.reason}): install the package koffi, or open without locking`,
    { feature: "locking", path: urlpath, reason: result.reason },
  );
}

/**
 * One holder of a frame's lock. Advisory: it keeps out only those who take the lock, too (b2frame: the option `locking`;
 * python-blosc2: `locking=True`; C-Blosc2: `blosc2_stdio_params.locking` or `BLOSC_LOCKING=1`). Not for network file systems.
 * The operating system gives the lock back when the process ends, however it ends.
 *
 * Frames take it by themselves with the option `locking`. By hand it serves for what concerns the file as a whole: copying it,
 * or moving another into its place.
 *
 * @example
 * ```ts
 * using lock = new FrameLock("data.b2frame");
 * lock.acquire("shared", 5000);
 * copyFileSync("data.b2frame", "backup.b2frame");
 * ```
 */
export class FrameLock implements IoLock {
  /** The lock file: `urlpath` + `.b2lock`, or `urlpath/.b2lock` for a sparse frame. */
  readonly path: string;
  readonly #urlpath: string;
  readonly #driver: FlockDriver;
  readonly #counter = new DataView(new ArrayBuffer(COUNTER_LENGTH));
  readonly #identity: string;
  #descriptor: number | undefined;
  #held: LockKind | undefined;
  #lastSeen = 0n;

  /**
   * Opens the lock file, which is made if there is none. Takes no lock yet.
   *
   * @throws UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` where `flock` can't be called; IoError if the lock file can't be opened,
   * or not made.
   */
  constructor(urlpath: string, options: FrameLockOptions = {}, driver: FlockDriverResult = flockDriver()) {
    const { sparse = false, write = true } = options;
    this.#driver = requireDriver(urlpath, driver);
    this.#urlpath = urlpath;
    this.path = sparse ? `${urlpath}/.b2lock` : `${urlpath}.b2lock`;
    try {
      this.#descriptor = openLockFile(this.path, write);
      const { dev, ino } = fstatSync(this.#descriptor, { bigint: true });
      this.#identity = `${dev}:${ino}`;
    } catch (error) {
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
      throw ioFailure(error, { operation: "open lock file", path: this.path });
    }
  }

  get held(): LockKind | undefined {
    return this.#held;
  }

  /**
   * Takes the lock; waits while others have it, which blocks the thread.
   *
   * @param timeout milliseconds until it gives up; 0: it does not wait. Default: it waits for as long as it takes.
   * @throws IoError `BLOSC2_IO_LOCKED` when the time is over, and at once if another `FrameLock` of this thread has it;
   * ArgumentError if this one has it already.
   */
  acquire(kind: LockKind, timeout: number = Number.POSITIVE_INFINITY): IoLockHeld {
    const descriptor = this.#requireOpen("lock");
    if (kind !== "shared" && kind !== "exclusive") this.#refuse("kind", '"shared" or "exclusive"', kind);
    if (typeof timeout !== "number" || !(timeout >= 0)) this.#refuse("timeout", "milliseconds, 0 or more", timeout);
    if (this.#held !== undefined) this.#refuse("lock", "a lock that is not held yet", this.#held);
    try {
      if (!this.#take(descriptor, kind, timeout)) throw this.#locked(kind, timeout);
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
    this.#note(kind);
    return { changed };
  }

  /** Gives the lock back. @throws ArgumentError if it is not held */
  release(): void {
    const descriptor = this.#requireOpen("unlock");
    if (this.#held === undefined) this.#refuse("lock", "a lock that is held", "one that is not");
    this.#note(undefined);
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
    this.#note(undefined);
    try {
      closeSync(descriptor);
    } catch (error) {
      throw ioFailure(error, { operation: "close", path: this.path });
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Whether it could be had. */
  #take(descriptor: number, kind: LockKind, timeout: number): boolean {
    if (this.#driver.tryLock(descriptor, kind)) return true;
    if (this.#hasRivalHere(kind)) return false;
    if (timeout === Number.POSITIVE_INFINITY) {
      this.#driver.lock(descriptor, kind);
      return true;
    }
    const deadline = performance.now() + timeout;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      sleep(Math.min(pause, left));
      if (this.#driver.tryLock(descriptor, kind)) return true;
    }
  }

  /** Whether one of this thread keeps the lock from this one. */
  #hasRivalHere(kind: LockKind): boolean {
    for (const other of heldHere.get(this.#identity) ?? []) {
      if (other !== this && (kind === "exclusive" || other.held === "exclusive")) return true;
    }
    return false;
  }

  #note(held: LockKind | undefined): void {
    this.#held = held;
    const holders = heldHere.get(this.#identity) ?? new Set<FrameLock>();
    if (held === undefined) holders.delete(this);
    else holders.add(this);
    if (holders.size > 0) heldHere.set(this.#identity, holders);
    else heldHere.delete(this.#identity);
  }

  /** Compares the counter with the last one seen; a writer counts up as it enters. */
  #readCounter(descriptor: number, kind: LockKind): boolean {
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

  #requireOpen(operation: string): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    throw new IoError("BLOSC2_IO_CLOSED", `${this.path}: ${operation}: the lock has been closed`, {
      operation,
      path: this.path,
    });
  }

  #locked(kind: LockKind, timeout: number): IoError {
    const wanted = kind === "exclusive" ? "changing it" : "reading it";
    const message = this.#hasRivalHere(kind)
      ? `another handle of this thread has locked the frame, so waiting is of no use: commit (flush) or close that one before ${wanted} here`
      : `another program has locked the frame, and kept the lock for the ${timeout} ms that ${wanted} was to wait: try again later, or wait longer`;
    return new IoError("BLOSC2_IO_LOCKED", `${this.#urlpath}: ${message} (lock file ${this.path})`, {
      operation: "lock",
      path: this.#urlpath,
      lockFile: this.path,
      kind,
      timeout,
    });
  }

  #refuse(parameter: string, expected: string, found: unknown): never {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${this.path}: ${parameter}: expected ${expected}, found ${String(found)}`,
      { parameter, expected, found: String(found) },
    );
  }
}

/** A link planted under the lock's name is not followed: the counter would be written into somebody's file. */
const { O_CREAT, O_RDONLY, O_RDWR, O_NOFOLLOW = 0 } = constants;

/** A reader that may not write beside the frame is content with a lock file that is there. */
function openLockFile(path: string, write: boolean): number {
  try {
    return openSync(path, O_CREAT | O_RDWR | O_NOFOLLOW);
  } catch (error) {
    if (!READ_ONLY_CODES.includes((error as NodeJS.ErrnoException).code)) throw error;
    if (!write) {
      try {
        return openSync(path, O_RDONLY | O_NOFOLLOW);
      } catch (second) {
        if ((second as NodeJS.ErrnoException).code !== "ENOENT") throw second;
      }
    }
    throw new IoError(
      "BLOSC2_IO_FAILED",
      `${path}: the frame can't be locked: there is no lock file beside it, and none can be made ` +
        `(${(error as NodeJS.ErrnoException).code}): open it without locking, or make an empty file of this name`,
      { operation: "open lock file", path, errno: (error as NodeJS.ErrnoException).code },
      error,
    );
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
