/** Ending a long walk over a frame early. @module */
import { Blosc2Error } from "../errors.js";

/** The part of an `AbortSignal` that is used. Nothing else runs meanwhile, so `onProgress` is what can fire it. */
export interface AbortLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** @throws Blosc2Error `BLOSC2_ABORTED` once the signal has fired */
export function requireNotAborted(signal: AbortLike | undefined, operation: string): void {
  if (signal?.aborted !== true) return;
  throw new Blosc2Error("BLOSC2_ABORTED", `${operation}: aborted by the caller`, { operation }, signal.reason);
}
