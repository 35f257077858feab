/** Worker threads that many calls use. @module */
import { availableParallelism } from "node:os";
import { ArgumentError } from "@b2frame/core";
import { checkOptionNames, describeValue } from "@b2frame/core/backend";
import type { ModuleExport } from "./backend-spec.js";
import { type PoolDiagnostic, PoolState } from "./pool-state.js";

const MAX_WORKERS = 256;

/** Options of {@link WorkerPool}. */
export interface WorkerPoolOptions {
  /** Number of threads, 0 to 256. With 0 the work is done on the caller's thread. Default: what the machine can run at once. */
  readonly workers?: number | undefined;
  /**
   * A function that each thread calls once, before anything else: to register codecs and filters of your own. It may return a
   * promise.
   */
  readonly setup?: ModuleExport | undefined;
}

/** @throws ArgumentError unless it is a possible number of workers */
export function requireWorkers(workers: number): void {
  if (Number.isInteger(workers) && workers >= 0 && workers <= MAX_WORKERS) return;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `workers: expected an integer in 0..${MAX_WORKERS}, found ${workers}`,
    { parameter: "workers", expected: `0..${MAX_WORKERS}`, found: String(workers) },
  );
}

/** Threads and memory of a pool, for the other files of this package. */
export let stateOf: (pool: WorkerPool) => PoolState;

/**
 * Worker threads to decompress and compress on. Starting one takes tens of milliseconds, so a program that reads or writes more than
 * once makes one pool. Threads start with the first work (or {@link ready}); idle ones keep no process running. Node's codecs
 * and the reading plugins are registered in them, and they share the process's budget of open files.
 *
 * @example
 * ```ts
 * await using pool = new WorkerPool({ workers: 2 });
 * const bytes = await readAll("t.b2frame", { io: "mmap", pool });
 * ```
 */
export class WorkerPool implements AsyncDisposable {
  /** Number of threads. */
  readonly workers: number;
  readonly #state: PoolState;

  static {
    stateOf = (pool) => pool.#state;
  }

  /** @throws ArgumentError for an impossible number of workers */
  constructor(options: WorkerPoolOptions = {}) {
    checkOptionNames<WorkerPoolOptions>({ workers: true, setup: true }, options);
    const { workers = availableParallelism(), setup } = options;
    requireWorkers(workers);
    this.workers = workers;
    this.#state = new PoolState(workers, setup);
  }

  /** What goes another way than it should, and why: empty where the threads work in shared memory without copies. */
  get diagnostics(): readonly PoolDiagnostic[] {
    return this.#state.diagnostics;
  }

  /** Starts the threads and waits until all of them can work. @throws what the setup function throws */
  async ready(): Promise<void> {
    await this.#state.ready();
  }

  /**
   * Memory that the threads decompress into in place, filled with zeros: the fastest `target` of `readAll` and its like. This thread
   * decompresses into it in place as well. For `appendChunks` it is shared memory like any other.
   *
   * Make few and use them again: each has some 40 MiB of address space for each thread beside it, and goes with the last view of it. It is in
   * a `SharedArrayBuffer`, but not at its front: pass `byteOffset` along when you make another view. Where such memory can't be had, which
   * {@link diagnostics} then says, it is plain shared memory, which the threads copy to; without threads it is what `allocate` gives.
   *
   * @throws ArgumentError for a length that is no integer from 0 on; Blosc2Error `BLOSC2_LIMIT_EXCEEDED` when the platform refuses the memory
   * @example
   * ```ts
   * const target = pool.allocate(schunk.nbytes);
   * await readAll("t.b2frame", { io: "mmap", pool, target });
   * ```
   */
  allocate(byteLength: number): Uint8Array {
    if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
      const found = describeValue(byteLength);
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `byteLength: expected an integer from 0 on, found ${found}`, {
        parameter: "byteLength",
        expected: "an integer from 0 on",
        found,
      });
    }
    return this.#state.allocate(byteLength);
  }

  /** Ends the threads, after what they were given to do. Idempotent. */
  async close(): Promise<void> {
    await this.#state.close();
  }

  /** {@link close} at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
