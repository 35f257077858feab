/** Work as threads do it: set up once, then task by task. @module */

/** What a task gave, and which of its memory moves to who asked for it. */
export interface Outcome<Result> {
  readonly result: Result;
  readonly transfer: readonly ArrayBuffer[];
}

/** Work that has been set up in a thread. */
export interface Job<Task, Result> {
  run(task: Task): Outcome<Result>;
  /** Releases what setting up took. */
  close(): void;
}
