/** One try of a request: how long it may take, and what is tried again. @module */

/** Answers that may be others a moment later. */
export const PASSING_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const SECOND = 1000;

/** Milliseconds that the server asks to wait. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = Number(text);
  const milliseconds = Number.isFinite(seconds) ? seconds * SECOND : Date.parse(text) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/**
 * Runs one try, and ends it when its time is over or the signal fires. It ends then also where the request goes on: in Node the signal of
 * a request may be collected as garbage before it fires, and a function that is given for `fetch` need not heed it.
 *
 * @param run is given what ends its request.
 * @param explain says what to throw for an error; `ended` if the time was over or the signal had fired.
 */
export async function withinTime<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  run: (stop: AbortController) => Promise<T>,
  explain: (error: unknown, ended: boolean) => unknown,
): Promise<T> {
  const stop = new AbortController();
  let end = (): void => stop.abort();
  const ended = new Promise<never>((_, reject) => {
    end = () => {
      stop.abort();
      reject(stop.signal.reason);
    };
  });
  const timer = setTimeout(end, milliseconds);
  if (signal?.aborted === true) end();
  signal?.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([ended, run(stop)]);
  } catch (error) {
    throw explain(error, stop.signal.aborted);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}
