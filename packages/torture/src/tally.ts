/** Counting what passed and what failed. @module */

/** Failures printed in full; the rest is counted. */
const MAX_PRINTED = 20;
/** How often standard error says how far the run is. */
const TRIALS_PER_LINE = 100;

/** Prints failures as they come, and the counts at the end. */
export class Tally {
  #passed = 0;
  #failed = 0;
  readonly #kind: string;

  /** @param kind names the trials in messages. */
  constructor(kind: string) {
    this.#kind = kind;
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
  }

  /** Runs a trial; an error is a failure. */
  attempt(what: string, trial: () => void): void {
    try {
      trial();
      this.pass();
    } catch (error) {
      this.fail(`${what}: ${(error as Error).message}`);
    }
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
