/** Giving up a planned frame. @module */
import { PartsFiles } from "./parts-files.js";

/** What giving up a plan came to. */
export interface Aborted {
  readonly target: string;
  /** Files that were removed: plan, parts, and what killed writers left. */
  readonly removed: number;
}

/**
 * Removes the plan of a target and all that belongs to it. The target, if it has been published, stays. A writer that is still at work
 * fails when it is done with its part, and leaves nothing. Aborting what is not there is no error.
 *
 * @throws IoError `BLOSC2_IO_EXISTS` for a folder that holds other files, which is left as it is
 */
export function abortParts(target: string): Aborted {
  const files = new PartsFiles(target);
  return { target: files.target, removed: files.remove() };
}
