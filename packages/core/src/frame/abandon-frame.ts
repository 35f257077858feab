/** Giving up a frame that has been begun. @module */
import { isBlosc2Error } from "../errors.js";
import type { Frame } from "./frame.js";
import { removeSparseFrame } from "./sparse-files.js";

/**
 * Releases a frame that was made and is not finished, and removes it, so that nobody takes it for a whole one.
 *
 * @param locked whether the caller has its lock.
 * @throws IoError if it can't be removed.
 */
export function abandonFrame(frame: Frame, locked: boolean): void {
  const { path, backend } = frame.origin;
  const committed = frame.committedLength > 0;
  try {
    frame.discard();
  } catch (error) {
    // The failure that this one stands for has been reported, and the file is not wanted.
    if (!isBlosc2Error(error, "BLOSC2_IO_HANDLE_FAILED")) throw error;
  }
  if (path === undefined || backend === undefined) return;
  if (frame.sparse) removeSparseFrame(backend, path, locked, true);
  else if (committed && backend.exists(path)) backend.remove(path);
}
