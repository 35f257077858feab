/** Trying again what failed for the moment. @module */

/** When and how often a request is tried again. */
export interface RetryOptions {
  /** Tries in all. Default 4; 1 means never again. */
  readonly tries?: number | undefined;
  /** Milliseconds before the second try, about; each further one waits twice as long. Default 200. */
  readonly minDelay?: number | undefined;
  /** Milliseconds that a wait takes at most, whatever the server asks for. Default 10,000. */
  readonly maxDelay?: number | undefined;
}

/** A failure that may pass. */
export class PassingFailure extends Error {
  /** What to throw when there are no tries left. */
  readonly failure: Error;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(failure: Error, retryAfter?: number) {
    super(failure.message);
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

const DEFAULT_TRIES = 4;
const DEFAULT_MIN_DELAY = 200;
const DEFAULT_MAX_DELAY = 10_000;

/**
 * Runs `attempt` until it succeeds, fails for good, or there are no tries left.
 *
 * @throws what it throws; of a passing failure the last one's cause; the signal's reason
 */
export async function retrying<T>(
  options: RetryOptions,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const { tries = DEFAULT_TRIES, minDelay = DEFAULT_MIN_DELAY, maxDelay = DEFAULT_MAX_DELAY } = options;
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof PassingFailure)) throw error;
      if (tried >= tries) throw error.failure;
      await pause(Math.min(error.retryAfter ?? delayBefore(tried + 1, minDelay), maxDelay), signal);
    }
  }
}

/** Half of it at random, so that many who failed together do not come back together. */
export function delayBefore(nextTry: number, minDelay: number): number {
  return minDelay * 2 ** (nextTry - 2) * (0.5 + Math.random() / 2);
}

/** @throws the signal's reason */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      signal?.removeEventListener("abort", abort);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
  });
}
