/** Whether frames can be locked here. @module */
import { flockDriver } from "./flock-driver.js";

/** Whether the lock can be had in this process. */
export interface LockingStatus {
  readonly available: boolean;
  /** Why not. */
  readonly reason?: string;
}

/**
 * Whether `locking` works in this process, and if not, why.
 *
 * @example
 * ```ts
 * using s = openUdio(path, stdio(), { mode: "r+", locking: lockingStatus().available });
 * ```
 */
export function lockingStatus(): LockingStatus {
  const result = flockDriver();
  return result.driver === undefined ? { available: false, reason: result.reason } : { available: true };
}
