/** Work that takes long: it tells how far it is, and can be ended between two steps. @module */

const TELL_EVERY_MS = 60;

/** See the module. */
export class Work {
  readonly signal: AbortSignal;
  readonly #tell: (done: number, total: number) => void;
  #told = 0;

  constructor(signal: AbortSignal, tell: (done: number, total: number) => void) {
    this.signal = signal;
    this.#tell = tell;
  }

  /** Tells how far it is, and lets the worker hear whether it shall end. @throws the signal's reason */
  async breathe(done: number, total: number): Promise<void> {
    const now = performance.now();
    if (now - this.#told < TELL_EVERY_MS) return;
    this.#told = now;
    this.#tell(done, total);
    await new Promise((resolve) => setTimeout(resolve));
    this.signal.throwIfAborted();
  }
}
