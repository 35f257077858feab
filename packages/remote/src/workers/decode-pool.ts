/** Workers that decode what was fetched, so that the thread that reads stays free. @module */
import { checkOptionNames, decodeError } from "@b2frame/core/backend";
import { ArgumentError, IoError } from "@b2frame/core/read";
import type { DecodeTask, FilePiece, FrameDescription, Reply } from "./messages.js";
import { type RunningWorker, startWorker, type WebWorker } from "./start-worker.js";

const MAX_WORKERS = 64;
const DEFAULT_MOST = 8;
/** Tasks that a worker has at a time: the next one is there when one is done. */
const TASKS_AHEAD = 2;

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

interface Waiting {
  readonly task: DecodeTask;
  readonly frame: FrameDescription | undefined;
  readonly signal: AbortSignal | undefined;
  resolve(bytes: Uint8Array): void;
  reject(reason: unknown): void;
}

interface Lane {
  readonly worker: RunningWorker;
  /** By the number of the call. */
  readonly calls: Map<number, Waiting>;
  readonly frames: Set<number>;
}

let lastFrame = 0;

/** A number for a frame that no other has. */
export function newFrameId(): number {
  lastFrame++;
  return lastFrame;
}

function parallelism(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return Math.max(1, Math.min(DEFAULT_MOST, navigator?.hardwareConcurrency ?? 2));
}

function buffersOf(task: DecodeTask): ArrayBuffer[] {
  if (task.kind === "nothing") return [];
  const pieces: readonly Pick<FilePiece, "bytes">[] = task.kind === "stored" ? [task] : task.pieces;
  return pieces.map(({ bytes }) => bytes.buffer as ArrayBuffer);
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
  readonly #start: (() => WebWorker) | undefined;
  readonly #lanes: (Lane | undefined)[] = [];
  readonly #queue: Waiting[] = [];
  #lastCall = 0;
  #closed = false;

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
    this.#start = start;
  }

  /** Starts the workers and waits until all of them can work. @throws IoError if they can't be started */
  async ready(): Promise<void> {
    const starting = Array.from(
      { length: this.workers },
      (_, i) =>
        new Promise<Uint8Array>((resolve, reject) => {
          const waiting = { task: { kind: "nothing" }, frame: undefined, signal: undefined, resolve, reject } as const;
          this.#send(this.#lane(i), waiting);
        }),
    );
    await Promise.all(starting);
  }

  /**
   * Decodes a chunk that is stored by itself, as the chunks of Zarr arrays are.
   *
   * @param structure for messages.
   * @throws FormatError, CodecError, UnsupportedError; IoError
   */
  decodeChunk(bytes: Uint8Array, structure: string): Promise<Uint8Array> {
    return this.run({ kind: "stored", bytes: bytes.slice(), structure }, undefined, undefined);
  }

  /** Runs a task, whose bytes move to the worker. @internal */
  run(task: DecodeTask, frame: FrameDescription | undefined, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new IoError("BLOSC2_IO_CLOSED", "the decoding pool has been closed", { operation: "decode" }));
        return;
      }
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const leave = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", leave, { once: true });
      const done = (): void => signal?.removeEventListener("abort", leave);
      this.#queue.push({
        task,
        frame,
        signal,
        resolve: (bytes) => {
          done();
          resolve(bytes);
        },
        reject: (reason) => {
          done();
          reject(reason);
        },
      });
      this.#dispatch();
    });
  }

  /** Tells the workers that a frame is no longer read. @internal */
  forget(frame: number): void {
    for (const lane of this.#lanes) {
      if (lane?.frames.delete(frame) === true) lane.worker.send({ type: "forget", frame }, []);
    }
  }

  /** Gives waiting tasks to the workers that have least to do. */
  #dispatch(): void {
    while (this.#queue.length > 0) {
      let index = 0;
      for (let i = 1; i < this.workers; i++) if (this.#load(i) < this.#load(index)) index = i;
      if (this.#load(index) >= TASKS_AHEAD) return;
      const waiting = this.#queue.shift() as Waiting;
      if (waiting.signal?.aborted) continue;
      try {
        this.#send(this.#lane(index), waiting);
      } catch (error) {
        waiting.reject(error);
      }
    }
  }

  #load(index: number): number {
    return this.#lanes[index]?.calls.size ?? 0;
  }

  #send({ worker, calls, frames }: Lane, waiting: Waiting): void {
    const { task, frame } = waiting;
    if (frame !== undefined && !frames.has(frame.id)) {
      worker.send({ type: "frame", frame }, []);
      frames.add(frame.id);
    }
    this.#lastCall++;
    worker.send({ type: "task", call: this.#lastCall, task }, buffersOf(task));
    if (calls.size === 0) worker.keepRunning(true);
    calls.set(this.#lastCall, waiting);
  }

  /** A worker; one that has failed is replaced. */
  #lane(index: number): Lane {
    const known = this.#lanes[index];
    if (known !== undefined) return known;
    const worker = startWorker(index, this.#start, {
      reply: (reply) => this.#settle(lane, reply),
      failed: (reason, cause) => this.#lose(index, lane, reason, cause),
    });
    const lane: Lane = { worker, calls: new Map(), frames: new Set() };
    this.#lanes[index] = lane;
    return lane;
  }

  #settle({ worker, calls }: Lane, reply: Reply): void {
    const waiting = calls.get(reply.call);
    calls.delete(reply.call);
    if (calls.size === 0) worker.keepRunning(false);
    if ("error" in reply) waiting?.reject(decodeError(reply.error));
    else waiting?.resolve(reply.bytes);
    this.#dispatch();
  }

  #lose(index: number, lane: Lane, reason: string, cause: unknown): void {
    if (this.#lanes[index] === lane) this.#lanes[index] = undefined;
    const error = new IoError("BLOSC2_IO_FAILED", `a decoding worker ${reason}`, { operation: "decode" }, cause);
    const lost = [...lane.calls.values()];
    lane.calls.clear();
    for (const { reject } of lost) reject(error);
    // What waits is tried on a new one.
    if (!this.#closed) this.#dispatch();
  }

  /** Ends the workers; what they have not done fails with `BLOSC2_IO_CLOSED`. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const error = new IoError("BLOSC2_IO_CLOSED", "the decoding pool has been closed", { operation: "decode" });
    const lanes = this.#lanes.filter((lane) => lane !== undefined);
    const left = [...this.#queue.splice(0), ...lanes.flatMap(({ calls }) => [...calls.values()])];
    for (const { reject } of left) reject(error);
    for (const { calls } of lanes) calls.clear();
    await Promise.all(lanes.map(({ worker }) => worker.stop()));
  }

  /** {@link close} at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
