/** What happens when nobody reads the program's output, or it can't be written. @module */
import { ReaderGone } from "./stop-request.js";

/**
 * Takes the errors of standard output and standard error, which would end the program with a stack. Who writes with a callback hears
 * of them there; for what is written without one, help among them, a reader that has gone is no fault.
 *
 * @param report is told of any other failure.
 */
export function takeOutputErrors(report: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") report(error);
  });
  // Where messages can't go, no message about that can go either.
  process.stderr.on("error", () => {});
}

/** The error that a failed write of output stands for. */
export function outputError(error: NodeJS.ErrnoException, otherwise: () => Error): Error {
  return error.code === "EPIPE" ? new ReaderGone() : otherwise();
}
