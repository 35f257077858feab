/** Keeps the number of requests under way bounded, over all frames of a page or program. @module */

interface Waiting {
  readonly start: () => void;
  readonly signal: AbortSignal | undefined;
}

/** Runs at most so many at a time. Of those that wait the newest goes first: what was asked for last is looked at now. */
export class RequestQueue {
  readonly #limit: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs `request` when there is room; rejects with the signal's reason if that fires while it waits. */
  async run<T>(request: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#running < this.#limit) this.#running++;
    else await this.#wait(signal);
    try {
      // One that was given up just as its turn came passes the turn on, like one that has ended.
      signal?.throwIfAborted();
      return await request();
    } finally {
      this.#passOn();
    }
  }

  /** Resolves when a request that ends hands over its place. */
  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
        signal,
      };
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #passOn(): void {
    const next = this.#waiting.pop();
    if (next === undefined) this.#running--;
    else next.start();
  }
}

/** Requests at a time where nothing else is said: browsers allow six to a host that speaks HTTP/1.1. */
const DEFAULT_CONCURRENCY = 8;

/** Shared by all frames that are given no queue of their own. */
export const defaultQueue: RequestQueue = new RequestQueue(DEFAULT_CONCURRENCY);
