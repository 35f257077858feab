/** Worker threads that many calls use. @module */
import { availableParallelism } from "node:os";
import { ArgumentError, IoError } from "@b2frame/core";
import { checkOptionNames } from "@b2frame/core/backend";
import { shareHandleBudget } from "@b2frame/io-stdio";
import type { ModuleExport } from "./backend-spec.js";
import { InlineLane, type Lane } from "./lane.js";
import { PoolThread } from "./pool-thread.js";
import { SpareBuffers } from "./spare-buffers.js";

const MAX_WORKERS = 256;
/** Bytes of buffers that are kept for later work. */
const MAX_SPARE_BYTES = 64 * 1024 * 1024;

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
  /** Whether the threads run a module of the user's. @internal */
  readonly hasSetup: boolean;
  /** Memory that tasks are done with. @internal */
  readonly spare: SpareBuffers<ArrayBuffer> = new SpareBuffers(MAX_SPARE_BYTES);
  /** The same, of memory that all threads see. @internal */
  readonly spareShared: SpareBuffers<SharedArrayBuffer> = new SpareBuffers(MAX_SPARE_BYTES);
  readonly #options: WorkerPoolOptions;
  readonly #threads: PoolThread[] = [];
  readonly #inline = new InlineLane();
  #closed = false;

  /** @throws ArgumentError for an impossible number of workers */
  constructor(options: WorkerPoolOptions = {}) {
    checkOptionNames<WorkerPoolOptions>({ workers: true, setup: true }, options);
    const { workers = availableParallelism(), setup } = options;
    requireWorkers(workers);
    this.workers = workers;
    this.hasSetup = setup !== undefined;
    this.#options = options;
  }

  /** Starts the threads and waits until all of them can work. @throws what the setup function throws */
  async ready(): Promise<void> {
    this.lanes();
    await Promise.all(this.#threads.map((thread) => thread.ready()));
  }

  /** Where tasks can run; threads that have failed are replaced. @throws IoError `BLOSC2_IO_CLOSED` @internal */
  lanes(): readonly Lane[] {
    if (this.#closed) {
      throw new IoError("BLOSC2_IO_CLOSED", "the worker pool has been closed", { operation: "run in a worker thread" });
    }
    if (this.workers === 0) return [this.#inline];
    // Threads inherit the budget that exists when they start.
    shareHandleBudget();
    const setup = this.#options.setup && {
      module: String(this.#options.setup.module),
      export: this.#options.setup.export,
    };
    for (let i = 0; i < this.workers; i++) {
      if (this.#threads[i]?.dead !== false) this.#threads[i] = new PoolThread(i, { setup });
    }
    return [...this.#threads];
  }

  /** Ends the threads, after what they were given to do. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.spare.clear();
    this.spareShared.clear();
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  /** {@link close} at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
