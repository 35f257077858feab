/**
 * The system call `flock` through `koffi`. The only file that calls foreign functions.
 *
 * @module
 */
import { createRequire } from "node:module";
import type { LockKind } from "@b2frame/core";
import { systemError } from "./system-error.js";

type Koffi = typeof import("koffi");

/** Where the numbers below are right, and the call is what C-Blosc2 uses. */
const PLATFORMS: readonly string[] = ["linux", "darwin"];

const LOCK_SH = 1;
const LOCK_EX = 2;
const LOCK_NB = 4;
const LOCK_UN = 8;

/** Locks open files. Failures are errors as those of `node:fs` are. */
export interface FlockDriver {
  /** Takes the lock of an open file without waiting. False: another open file has it. */
  tryLock(descriptor: number, kind: LockKind): boolean;
  /** Takes the lock and waits for as long as it takes, in the order in which the system serves those who wait. */
  lock(descriptor: number, kind: LockKind): void;
  unlock(descriptor: number): void;
}

/** The driver, or why there is none. */
export type FlockDriverResult =
  | { readonly driver: FlockDriver }
  | { readonly driver: undefined; readonly reason: string };

class KoffiFlock implements FlockDriver {
  readonly #koffi: Koffi;
  readonly #flock: (descriptor: number, operation: number) => number;

  constructor(koffi: Koffi) {
    this.#koffi = koffi;
    // null: the symbols that the running program has, the C library's among them, whatever its file is called here.
    this.#flock = koffi.load(null).func("int flock(int descriptor, int operation)");
  }

  tryLock(descriptor: number, kind: LockKind): boolean {
    return this.#call(descriptor, operationOf(kind) | LOCK_NB);
  }

  lock(descriptor: number, kind: LockKind): void {
    this.#call(descriptor, operationOf(kind));
  }

  unlock(descriptor: number): void {
    this.#call(descriptor, LOCK_UN);
  }

  /** False where the call would have to wait. */
  #call(descriptor: number, operation: number): boolean {
    const { EINTR, EWOULDBLOCK } = this.#koffi.os.errno;
    while (this.#flock(descriptor, operation) !== 0) {
      const errno = this.#koffi.errno();
      if (errno === EWOULDBLOCK) return false;
      if (errno !== EINTR) throw systemError(errno, "flock");
    }
    return true;
  }
}

function operationOf(kind: LockKind): number {
  return kind === "shared" ? LOCK_SH : LOCK_EX;
}

/** Loads the driver, by a `require` of the caller's in tests. */
export function loadFlockDriver(
  requireModule: (name: string) => unknown = createRequire(import.meta.url),
  platform: string = process.platform,
): FlockDriverResult {
  if (!PLATFORMS.includes(platform)) return { driver: undefined, reason: `there is no flock on ${platform}` };
  try {
    return { driver: new KoffiFlock(requireModule("koffi") as Koffi) };
  } catch (error) {
    // Node adds lines about who required it.
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { driver: undefined, reason: `koffi: ${reason}` };
  }
}

let loaded: FlockDriverResult | undefined;

/** The calling thread's one driver, loaded at the first call. */
export function flockDriver(): FlockDriverResult {
  loaded ??= loadFlockDriver();
  return loaded;
}
