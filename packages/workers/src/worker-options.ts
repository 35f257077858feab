/** The options that everything here has. @module */
import { ArgumentError, Blosc2Error } from "@b2frame/core";
import type { OptionNames } from "@b2frame/core/backend";
import type { PoolState } from "./pool-state.js";
import { requireWorkers, stateOf, WorkerPool } from "./worker-pool.js";

/** Where to work, and how to stop and follow it. */
export interface WorkerOptions {
  /**
   * Threads to start for this call, 0 to 256. With 0, the default and right for little work, everything is done on the caller's
   * thread. The result is the same for each number.
   */
  readonly workers?: number | undefined;
  /** Threads that are there already, instead of `workers`. */
  readonly pool?: WorkerPool | undefined;
  /** Stops the work: the call then fails with `BLOSC2_ABORTED`, once no thread works for it any longer. */
  readonly signal?: AbortSignal | undefined;
  /** Is told now and then how many uncompressed bytes are done, of how many if that is known; and once at the end. */
  readonly onProgress?: ((done: number, total: number | undefined) => void) | undefined;
}

/** See `checkOptionNames`. */
export const WORKER_NAMES: OptionNames<WorkerOptions> = { workers: true, pool: true, signal: true, onProgress: true };

/** A pool in use: the caller's, or one for this call. */
export class BorrowedPool implements AsyncDisposable {
  readonly pool: WorkerPool;
  readonly state: PoolState;
  readonly #own: boolean;

  /** @throws ArgumentError */
  constructor({ workers, pool }: WorkerOptions) {
    if (workers !== undefined && pool !== undefined) {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "workers: a pool was given, which has its number of workers", {
        parameter: "workers",
      });
    }
    requireWorkers(workers ?? 0);
    this.#own = pool === undefined;
    this.pool = pool ?? new WorkerPool({ workers: workers ?? 0 });
    this.state = stateOf(this.pool);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#own) await this.pool.close();
  }
}

/** The error for a signal that fired. */
export function aborted(signal: AbortSignal, operation: string): Blosc2Error {
  return new Blosc2Error("BLOSC2_ABORTED", `${operation}: aborted by the caller`, { operation }, signal.reason);
}

/** @throws Blosc2Error `BLOSC2_ABORTED` once the signal has fired */
export function requireNotAborted(signal: AbortSignal | undefined, operation: string): void {
  if (signal?.aborted === true) throw aborted(signal, operation);
}
