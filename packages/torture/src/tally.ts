/** Counting what passed and what failed. @module */

/** Failures printed in full; the rest is counted. */
const MAX_PRINTED = 20;
/** How often standard error says how far the run is. */
const TRIALS_PER_LINE = 100;

/** Thrown at the first failure where one is enough. */
export class FirstFailure extends Error {}

/** Prints failures as they come, and the counts at the end. */
export class Tally {
  #passed = 0;
  #failed = 0;
  readonly #kind: string;
  readonly #stop: boolean;

  /**
   * @param kind names the trials in messages.
   * @param stop whether the first failure ends the run, by {@link FirstFailure}.
   */
  constructor(kind: string, stop = false) {
    this.#kind = kind;
    this.#stop = stop;
  }

  get failed(): number {
    return this.#failed;
  }

  pass(): void {
    this.#passed++;
    this.#showProgress();
  }

  fail(message: string): void {
    this.#failed++;
    this.#showProgress();
    if (this.#failed <= MAX_PRINTED) console.log(`FAILED ${this.#kind}: ${message}`);
    if (this.#stop) throw new FirstFailure(message);
  }

  /** Runs a trial; an error is a failure. */
  attempt(what: string, trial: () => void): void {
    try {
      trial();
    } catch (error) {
      this.fail(`${what}: ${(error as Error).message}`);
      return;
    }
    this.pass();
  }

  /** {@link attempt} for a trial that waits. */
  async attemptAsync(what: string, trial: () => Promise<void>): Promise<void> {
    try {
      await trial();
      this.pass();
    } catch (error) {
      this.fail(`${what}: ${(error as Error).message}`);
    }
  }

  #showProgress(): void {
    const done = this.#passed + this.#failed;
    if (done % TRIALS_PER_LINE === 0) console.error(`${this.#kind}: ${done} done, ${this.#failed} failed`);
  }

  summary(): string {
    return `${this.#passed} passed, ${this.#failed} failed`;
  }
}
