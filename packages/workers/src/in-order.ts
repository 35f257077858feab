/** Tasks that run on several lanes at once, and results in the order of the tasks. @module */
import { ArgumentError } from "@b2frame/core";
import type { Lane } from "./lane.js";
import { aborted } from "./worker-options.js";

/** Bytes in flight unless asked otherwise. */
const DEFAULT_BYTES_IN_FLIGHT = 64 * 1024 * 1024;

/** Tasks given to a thread at once: while one runs, the next ones wait there. */
const TASKS_PER_THREAD = 2;

/** A piece of work that holds so many bytes until its result has been taken. */
export interface Weighed {
  readonly byteLength: number;
}

/** See the module's description. */
export interface InOrderParts<Task extends Weighed, Result> {
  readonly lanes: readonly Lane[];
  /** Most bytes of tasks whose results have not been taken; a task that is larger runs alone. */
  readonly maxBytesInFlight: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Names the whole in error messages. */
  readonly operation: string;
  /** The next task; undefined after the last one. */
  next(): Task | undefined | Promise<Task | undefined>;
  run(lane: Lane, task: Task): Promise<Result>;
}

interface Entry {
  readonly byteLength: number;
  readonly settled: Promise<void>;
  done: boolean;
  failed: boolean;
  outcome: unknown;
}

/** @throws ArgumentError unless undefined or a positive integer */
export function requireBudget(maxBytesInFlight: number | undefined): void {
  if (maxBytesInFlight === undefined || (Number.isSafeInteger(maxBytesInFlight) && maxBytesInFlight > 0)) return;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `maxBytesInFlight: expected a positive integer, found ${maxBytesInFlight}`,
    { parameter: "maxBytesInFlight", expected: "1..2^53 - 1", found: String(maxBytesInFlight) },
  );
}

/**
 * Runs tasks ahead of who takes their results, within a budget of bytes. A failure ends it: no further task is given out, results
 * before the failed one still come, and before the error is thrown all tasks have ended.
 */
export class InOrder<Task extends Weighed, Result> {
  readonly #parts: InOrderParts<Task, Result>;
  readonly #budget: number;
  readonly #depth: number;
  readonly #loads: number[];
  readonly #entries: Entry[] = [];
  #bytesInFlight = 0;
  /** Taken from the source, and waiting for room. */
  #held: Task | undefined;
  #pulling = false;
  #stopped = false;
  #wake: (() => void) | undefined;

  constructor(parts: InOrderParts<Task, Result>) {
    const threads = parts.lanes.some((lane) => lane.isThread);
    this.#parts = parts;
    // What the caller's own thread does ahead, it does not do meanwhile.
    this.#budget = threads ? (parts.maxBytesInFlight ?? DEFAULT_BYTES_IN_FLIGHT) : 0;
    this.#depth = threads ? TASKS_PER_THREAD : 1;
    this.#loads = parts.lanes.map(() => 0);
  }

  /** Bytes of the tasks that were given out and whose results have not been taken. */
  get bytesInFlight(): number {
    return this.#bytesInFlight;
  }

  /** The results, in order. Ending the iteration early waits until all tasks have ended. */
  async *results(): AsyncGenerator<Result, void, undefined> {
    const { signal } = this.#parts;
    const wake = (): void => this.#wake?.();
    signal?.addEventListener("abort", wake);
    try {
      for (;;) {
        this.#requireNotAborted();
        this.#pump();
        const entry = this.#entries[0];
        if (entry === undefined && !this.#pulling) return;
        if (entry?.done !== true) {
          await this.#change();
          continue;
        }
        this.#entries.shift();
        this.#bytesInFlight -= entry.byteLength;
        if (entry.failed) throw entry.outcome;
        this.#pump();
        yield entry.outcome as Result;
      }
    } finally {
      signal?.removeEventListener("abort", wake);
      this.#stopped = true;
      await Promise.all(this.#entries.map((entry) => entry.settled));
    }
  }

  #requireNotAborted(): void {
    const { signal, operation } = this.#parts;
    if (signal?.aborted === true) throw aborted(signal, operation);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Gives out tasks as long as there is a lane for them and room in the budget. */
  #pump(): void {
    while (!this.#stopped && !this.#pulling) {
      const lane = this.#freeLane();
      if (lane < 0) return;
      if (this.#held === undefined && !this.#pull()) return;
      const task = this.#held as Task;
      if (this.#entries.length > 0 && this.#bytesInFlight + task.byteLength > this.#budget) return;
      this.#held = undefined;
      this.#give(lane, task);
    }
  }

  /** Takes a task from the source. False if there is none, or not yet. */
  #pull(): boolean {
    let next: Task | undefined | Promise<Task | undefined>;
    try {
      next = this.#parts.next();
    } catch (error) {
      this.#add(0, Promise.reject(error));
      return false;
    }
    if (!(next instanceof Promise)) return this.#accept(next);
    this.#pulling = true;
    next.then(
      (task) => {
        this.#pulling = false;
        this.#accept(task);
        this.#pump();
        this.#wake?.();
      },
      (error) => {
        this.#pulling = false;
        this.#add(0, Promise.reject(error));
      },
    );
    return false;
  }

  #accept(task: Task | undefined): boolean {
    if (task === undefined) this.#stopped = true;
    this.#held = task;
    return task !== undefined;
  }

  #freeLane(): number {
    let best = -1;
    let least = this.#depth;
    this.#loads.forEach((load, i) => {
      if (load < least) {
        least = load;
        best = i;
      }
    });
    return best;
  }

  #give(lane: number, task: Task): void {
    const { lanes, run } = this.#parts;
    this.#loads[lane] = (this.#loads[lane] ?? 0) + 1;
    this.#bytesInFlight += task.byteLength;
    const leave = (): void => {
      this.#loads[lane] = (this.#loads[lane] ?? 0) - 1;
    };
    this.#add(task.byteLength, run(lanes[lane] as Lane, task).finally(leave));
  }

  #add(byteLength: number, running: Promise<Result>): void {
    const settle = (failed: boolean, outcome: unknown): void => {
      entry.done = true;
      entry.failed = failed;
      entry.outcome = outcome;
      if (failed) this.#stopped = true;
      this.#pump();
      this.#wake?.();
    };
    const settled = running.then(
      (result) => settle(false, result),
      (error) => settle(true, error),
    );
    const entry: Entry = { byteLength, settled, done: false, failed: false, outcome: undefined };
    this.#entries.push(entry);
  }
}
