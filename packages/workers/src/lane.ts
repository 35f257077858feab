/** Somewhere that tasks run: a worker thread, or the caller's own. @module */
import { setImmediate } from "node:timers/promises";
import type { Job } from "./job.js";
import { type JobSpec, openJob } from "./jobs.js";

/** Runs the tasks of jobs, each after the one before. */
export interface Lane {
  /** Whether it is another thread: memory that is not shared is moved to it, and back. */
  readonly isThread: boolean;
  /** Sets a job up; a failure to do so is what its tasks fail with. */
  begin(job: number, spec: JobSpec): void;
  /** Runs a task. `transfer` moves to the lane. */
  run<Task, Result>(job: number, task: Task, transfer?: readonly ArrayBuffer[]): Promise<Result>;
  /** Ends a job after the tasks that it was given. */
  end(job: number): Promise<void>;
}

/** Milliseconds after which other events of this thread get their turn. */
export const TURN = 10;

/** The caller's own thread. */
export class InlineLane implements Lane {
  readonly isThread = false;
  readonly #jobs = new Map<number, Promise<Job<never, unknown>>>();
  #turnEnds: number = performance.now() + TURN;

  begin(job: number, spec: JobSpec): void {
    const opening = openJob(spec, 0);
    // Who runs the first task is told.
    opening.catch(() => undefined);
    this.#jobs.set(job, opening);
  }

  async run<Task, Result>(job: number, task: Task): Promise<Result> {
    if (performance.now() > this.#turnEnds) {
      await setImmediate();
      this.#turnEnds = performance.now() + TURN;
    }
    const opened = (await this.#jobs.get(job)) as Job<Task, Result>;
    return opened.run(task).result;
  }

  async end(job: number): Promise<void> {
    const opening = this.#jobs.get(job);
    this.#jobs.delete(job);
    const opened = await opening?.catch(() => undefined);
    opened?.close();
  }
}

let lastJob = 0;

/** A number that no other job of this thread has. */
export function newJob(): number {
  lastJob++;
  return lastJob;
}
