/** Starting again from the last commit. @module */
import { ArgumentError } from "../errors.js";

/** The error for a frame that has no commit to start from. */
export function nothingToReopen(path: string | undefined): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path ?? "frame"}: reopen: nothing has been committed`, {
    parameter: "frame",
    path,
  });
}
