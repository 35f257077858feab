/** Bringing what was written to the disk while the program goes on; for backends' `prepareFlush`. @module */

/** The system calls that this takes. */
export interface BackgroundFlushCalls {
  /** Opens a descriptor of the file for nothing but this. */
  open(): number;
  /** Starts making the file durable on another thread, returns at once, and calls `done` after that, whatever came of it. */
  sync(descriptor: number, done: () => void): void;
  close(descriptor: number): void;
}

/**
 * The most flushes under way. Who writes without ever returning to the event loop is not told of their end, and so has no more
 * than that many descriptors open.
 */
const MOST_UNDER_WAY = 16;

let underWay = 0;

/**
 * Starts to make a file durable, if not too much of that is under way on this thread, and does not wait for it.
 *
 * The descriptor is one of its own, because the system reports a write that failed once to each: what is lost here must be
 * reported by the flush of the handle that wrote.
 *
 * @returns whether it was started, so that `calls.close` follows.
 */
export function flushInBackground(calls: BackgroundFlushCalls): boolean {
  if (underWay >= MOST_UNDER_WAY) return false;
  let descriptor: number;
  try {
    descriptor = calls.open();
  } catch {
    // Nothing depends on it, and the flush that follows reports what is wrong with the file.
    return false;
  }
  underWay++;
  calls.sync(descriptor, () => {
    underWay--;
    try {
      calls.close(descriptor);
    } catch {
      // As above; nobody could catch it here.
    }
  });
  return true;
}
