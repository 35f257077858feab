/** Being asked to stop: by a signal, or by whoever reads the output going away. @module */
import { setImmediate } from "node:timers/promises";

/** Thrown where work ends because of a signal. */
export class Stopped extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/** Thrown where work ends because nobody reads standard output any longer. */
export class ReaderGone extends Error {}

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * While it is open, the signals that end a program are noted instead, so that work can end between two chunks and clear away
 * what it has begun. A second one ends the program at once.
 */
export class StopRequest {
  #caught: NodeJS.Signals | undefined;
  readonly #note = (signal: NodeJS.Signals): void => {
    this.#caught = signal;
    this[Symbol.dispose]();
  };

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#note);
  }

  /**
   * Lets signals and output through. To be called after each chunk.
   *
   * @throws Stopped
   */
  async breathe(): Promise<void> {
    await setImmediate();
    if (this.#caught !== undefined) throw new Stopped(this.#caught);
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#note);
  }
}
