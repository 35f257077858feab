/** Workers that decode what was fetched, so that the thread that reads stays free. @module */
import { checkOptionNames } from "@b2frame/core/backend";
import { ArgumentError } from "@b2frame/core/read";
import { DecodeLanes } from "./decode-lanes.js";
import type { WebWorker } from "./start-worker.js";

const MAX_WORKERS = 64;
const DEFAULT_MOST = 8;

/** Options of {@link DecodePool}. */
export interface DecodePoolOptions {
  /** Number of workers, 1 to 64. Default: what the machine can run at once, 8 at most. */
  readonly workers?: number | undefined;
  /**
   * Makes a worker, in a page whose bundler does not find `@b2frame/remote/decode-worker` by itself:
   * `() => new Worker(url, { type: "module" })`.
   */
  readonly start?: (() => WebWorker) | undefined;
}

function parallelism(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return Math.max(1, Math.min(DEFAULT_MOST, navigator?.hardwareConcurrency ?? 2));
}

const lanesOfPools = new WeakMap<DecodePool, DecodeLanes>();

/** What frames give their tasks to. */
export function lanesOf(pool: DecodePool): DecodeLanes {
  return lanesOfPools.get(pool) as DecodeLanes;
}

/**
 * Workers that decode: Web Workers in a page, worker threads in Node. They start with the first work (or {@link ready}); idle ones keep no
 * process running. Give one pool to all frames. Codecs and filters of your own are not in them.
 *
 * @example
 * ```ts
 * await using pool = new DecodePool({ workers: 2 });
 * using scan = await openRemoteArray("https://example.org/scan.b2nd", { pool });
 * const crop = await scan.getSlice([10, 0, 0], [74, 64, 64]); // decoded by a worker
 * ```
 */
export class DecodePool implements AsyncDisposable {
  /** Number of workers. */
  readonly workers: number;
  readonly #lanes: DecodeLanes;

  /** @throws ArgumentError for an impossible number of workers */
  constructor(options: DecodePoolOptions = {}) {
    checkOptionNames<DecodePoolOptions>({ workers: true, start: true }, options);
    const { workers = parallelism(), start } = options;
    if (!Number.isInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `workers: expected an integer in 1..${MAX_WORKERS}, found ${workers}`,
        { parameter: "workers", expected: `1..${MAX_WORKERS}`, found: String(workers) },
      );
    }
    this.workers = workers;
    this.#lanes = new DecodeLanes(workers, start);
    lanesOfPools.set(this, this.#lanes);
  }

  /** Starts the workers and waits until all of them can work. @throws IoError if they can't be started */
  async ready(): Promise<void> {
    await this.#lanes.ready();
  }

  /**
   * Decodes a chunk that is stored by itself, as the chunks of Zarr arrays are.
   *
   * @param structure for messages.
   * @throws FormatError, CodecError, UnsupportedError; IoError
   */
  decodeChunk(bytes: Uint8Array, structure: string): Promise<Uint8Array> {
    return this.#lanes.run({ kind: "stored", bytes: bytes.slice(), structure }, undefined, undefined);
  }

  /** Ends the workers; what they have not done fails with `BLOSC2_IO_CLOSED`. Idempotent. */
  async close(): Promise<void> {
    await this.#lanes.close();
  }

  /** {@link close} at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
