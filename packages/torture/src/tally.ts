/** Counting what passed and what failed. @module */

/** Failures printed in full; the rest is counted. */
const MAX_PRINTED = 20;

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
  }

  fail(message: string): void {
    this.#failed++;
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

  summary(): string {
    return `${this.#passed} passed, ${this.#failed} failed`;
  }
}
