/**
 * Keeping a frame to oneself while it is read or changed, by the advisory lock that its backend has.
 *
 * Reading takes the lock shared, changing takes it exclusively. What others have committed in between is read again as soon as the lock
 * is there, before anything else. The lock goes back when the operation ends, but never while there are uncommitted changes: nobody
 * sees the frame, or changes it, between a change and its commit.
 *
 * @module
 */
import { ArgumentError, IoError, isBlosc2Error, UnsupportedError } from "../errors.js";
import type { IoBackend, IoLock, LockKind, OpenMode } from "../io/backend.js";
import { openChecked } from "../io/checked-handle.js";
import type { Frame } from "./frame.js";
import { requireDirectories } from "./sparse-files.js";

/** How a frame is locked. */
export interface LockingOptions {
  /**
   * Milliseconds that an operation waits for others before it throws `BLOSC2_IO_LOCKED`. The wait blocks the thread. 0: none; `"forever"`:
   * as long as it takes, as C-Blosc2 does. Default 10,000.
   */
  readonly wait?: number | "forever" | undefined;
}

/** Whether a frame is locked against other handles and programs that lock it, and how. */
export type Locking = boolean | LockingOptions;

const DEFAULT_WAIT = 10_000;

function timeoutOf(locking: Locking): number {
  const wait = typeof locking === "object" ? locking.wait : undefined;
  if (wait === undefined) return DEFAULT_WAIT;
  if (wait === "forever") return Number.POSITIVE_INFINITY;
  if (typeof wait === "number" && wait >= 0) return wait;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `locking.wait: expected milliseconds, 0 or more, or "forever", found ${String(wait)}`,
    { parameter: "locking.wait", found: String(wait) },
  );
}

function openLock(path: string, backend: IoBackend, sparse: boolean, write: boolean): IoLock {
  const lock = backend.openLock?.(path, { sparse, write });
  if (lock !== undefined) return lock;
  throw new UnsupportedError(
    "BLOSC2_UNSUPPORTED_BACKEND",
    `${path}: the ${backend.name} backend can't lock frames: open it without locking, or through one that can (stdio, mmap)`,
    { feature: "locking", backend: backend.name, path },
  );
}

/** See the module's description. */
export class FrameLocking {
  readonly #lock: IoLock;
  readonly #timeout: number;
  #frame: Frame | undefined;
  /** Operations that are under way, one inside the other, and brackets around them. */
  #depth = 0;
  /** Others have changed the frame, and reading it again has not succeeded yet. */
  #stale = false;

  private constructor(lock: IoLock, timeout: number) {
    this.#lock = lock;
    this.#timeout = timeout;
  }

  /** Takes a lock that {@link guard} or {@link close} ends. */
  static entered(lock: IoLock, timeout: number, kind: LockKind): FrameLocking {
    const locking = new FrameLocking(lock, timeout);
    try {
      locking.enter(kind);
      return locking;
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  /** Whether something is under way. */
  get busy(): boolean {
    return this.#depth > 0;
  }

  /** Says which frame is locked, as it is now. Ends what {@link entered} began. */
  guard(frame: Frame): void {
    this.#frame = frame;
    this.#stale = false;
    this.leave();
  }

  /**
   * Begins an operation, or a bracket around some: takes the lock, unless it is held, and reads again what others have changed.
   *
   * @returns whether the frame was read again.
   * @throws IoError `BLOSC2_IO_LOCKED`; what `Frame.refresh` throws; ArgumentError for a change inside a bracket that only reads
   */
  enter(kind: LockKind): boolean {
    const lock = this.#lock;
    if (lock.held !== undefined) {
      if (kind === "exclusive" && lock.held === "shared") {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `${lock.path}: the frame is locked for reading ("shared"); release that lock, or take an "exclusive" one, before changing it`,
          { parameter: "kind", expected: "exclusive", found: "shared" },
        );
      }
      this.#depth++;
      return false;
    }
    if (lock.acquire(kind, this.#timeout).changed) this.#stale = true;
    this.#depth = 1;
    if (!this.#stale || this.#frame === undefined) return false;
    try {
      this.#frame.refresh();
    } catch (error) {
      this.leave();
      throw error;
    }
    this.#stale = false;
    return true;
  }

  /** As `enter("exclusive")`, if that can be had at once and nobody has changed the frame; whether it could. */
  enterUnchanged(): boolean {
    const lock = this.#lock;
    if (this.#stale || lock.held === "shared") return false;
    if (lock.held === undefined) {
      try {
        this.#stale = lock.acquire("exclusive", 0).changed;
      } catch {
        return false;
      }
    }
    this.#depth++;
    if (this.#stale) this.leave();
    return !this.#stale;
  }

  /** Ends what `enter` began. */
  leave(): void {
    this.#depth--;
    this.settle();
  }

  /** Gives the lock back, if nothing is under way and nothing uncommitted. */
  settle(): void {
    const { held } = this.#lock;
    if (this.#depth > 0 || held === undefined) return;
    if (held === "exclusive" && this.#frame?.dirty === true) return;
    this.#lock.release();
  }

  /** Gives the lock back, whatever is under way. Idempotent. */
  close(): void {
    this.#lock.close();
  }
}

/**
 * Takes the lock of the frame that is about to be opened.
 *
 * @throws UnsupportedError where there is no locking; IoError `BLOSC2_IO_LOCKED`, or as opening does if nothing is there; ArgumentError
 * for mode `"c"`
 */
export function lockToOpen(
  path: string,
  backend: IoBackend,
  locking: Locking | undefined,
  mode: OpenMode,
): FrameLocking | undefined {
  if (locking === undefined || locking === false) return undefined;
  const timeout = timeoutOf(locking);
  if (mode === "c") {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${path}: locking: a private copy (mode "c") can't follow others, so there is nothing to lock: use "r" or "r+"`,
      { parameter: "locking", path },
    );
  }
  const sparse = backend.directories?.isDirectory(path) === true;
  // Where there is no frame, no lock file is to be left.
  if (!sparse && !backend.exists(path)) openChecked(backend, path, "r").close();
  return FrameLocking.entered(openLock(path, backend, sparse, mode !== "r"), timeout, "shared");
}

/** What {@link lockToCreate} needs to know of the new frame. */
export interface NewFrame {
  readonly urlpath?: string | undefined;
  readonly backend?: IoBackend | undefined;
  readonly contiguous?: boolean | undefined;
  readonly mode?: "w" | "x" | undefined;
  readonly locking?: Locking | undefined;
}

/**
 * Takes the lock of the frame that is about to be made; makes the directory of a sparse one if there is none.
 *
 * @throws UnsupportedError where there is no locking; IoError `BLOSC2_IO_LOCKED`; IoError `BLOSC2_IO_EXISTS` also where the other kind of
 * frame is, which others may have open under its lock; ArgumentError for a frame in memory
 */
export function lockToCreate({
  urlpath: path,
  backend,
  contiguous,
  mode,
  locking,
}: NewFrame): FrameLocking | undefined {
  if (locking === undefined || locking === false) return undefined;
  const timeout = timeoutOf(locking);
  if (path === undefined || backend === undefined) throw nothingToLock();
  const sparse = contiguous === false;
  const isDirectory = backend.directories?.isDirectory(path) === true;
  const isThere = isDirectory || backend.exists(path);
  if (isThere && (mode === "x" || isDirectory !== sparse)) {
    const kind = isDirectory ? "sparse" : "contiguous";
    const reason =
      mode === "x"
        ? "there is something at this path already"
        : `there is a ${kind} frame, which others may have open under its lock: remove it first`;
    throw new IoError("BLOSC2_IO_EXISTS", `${path}: ${reason}`, { operation: "create", path });
  }
  if (sparse && !isThere) makeDirectory(path, backend, mode === "x");
  return FrameLocking.entered(openLock(path, backend, sparse, true), timeout, "exclusive");
}

function makeDirectory(path: string, backend: IoBackend, exclusively: boolean): void {
  try {
    requireDirectories(backend, path).make(path);
  } catch (error) {
    // Two may do that at once; then both have it, and take turns from here on.
    if (exclusively || !isBlosc2Error(error, "BLOSC2_IO_EXISTS")) throw error;
  }
}

/** @throws ArgumentError if locking is asked for where nobody could lock */
export function refuseLocking(options: object): void {
  if ("locking" in options && options.locking !== undefined && options.locking !== false) throw nothingToLock();
}

function nothingToLock(): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    "locking: only a frame that is opened or made by its path, through a backend, can be locked",
    { parameter: "locking" },
  );
}
