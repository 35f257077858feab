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
 * Runs one try, and ends it when its time is over or the signal fires.
 *
 * @param run is given what ends its request.
 */
export async function withinTime<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  run: (stop: AbortController) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const timer = setTimeout(end, milliseconds);
  if (signal?.aborted === true) end();
  signal?.addEventListener("abort", end, { once: true });
  try {
    return await run(stop);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}
