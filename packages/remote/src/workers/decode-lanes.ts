/** Tasks, and the workers that they wait for. @module */
import { decodeError } from "@b2frame/core/backend";
import { IoError } from "@b2frame/core/read";
import type { DecodeTask, FilePiece, FrameDescription, Reply } from "./messages.js";
import { type RunningWorker, startWorker, type WebWorker } from "./start-worker.js";

/** Tasks that a worker has at a time: the next one is there when one is done. */
const TASKS_AHEAD = 2;

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

function buffersOf(task: DecodeTask): ArrayBuffer[] {
  if (task.kind === "nothing") return [];
  const pieces: readonly Pick<FilePiece, "bytes">[] = task.kind === "stored" ? [task] : task.pieces;
  return pieces.map(({ bytes }) => bytes.buffer as ArrayBuffer);
}

/** See the module. Workers start with the first work; one that fails is replaced. */
export class DecodeLanes {
  readonly #count: number;
  readonly #start: (() => WebWorker) | undefined;
  readonly #lanes: (Lane | undefined)[] = [];
  readonly #queue: Waiting[] = [];
  #lastCall = 0;
  #closed = false;

  constructor(count: number, start: (() => WebWorker) | undefined) {
    this.#count = count;
    this.#start = start;
  }

  /** Starts the workers and waits until all of them can work. @throws IoError if they can't be started */
  async ready(): Promise<void> {
    const starting = Array.from(
      { length: this.#count },
      (_, i) =>
        new Promise<Uint8Array>((resolve, reject) => {
          const waiting = { task: { kind: "nothing" }, frame: undefined, signal: undefined, resolve, reject } as const;
          this.#send(this.#lane(i), waiting);
        }),
    );
    await Promise.all(starting);
  }

  /** Runs a task, whose bytes move to the worker. */
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

  /** Tells the workers that a frame is no longer read. */
  forget(frame: number): void {
    for (const lane of this.#lanes) {
      if (lane?.frames.delete(frame) === true) lane.worker.send({ type: "forget", frame }, []);
    }
  }

  /** Gives waiting tasks to the workers that have least to do. */
  #dispatch(): void {
    while (this.#queue.length > 0) {
      let index = 0;
      for (let i = 1; i < this.#count; i++) if (this.#load(i) < this.#load(index)) index = i;
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
}
