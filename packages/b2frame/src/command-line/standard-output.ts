/** Writing to standard output without filling memory. @module */
import { ioFailure } from "@b2frame/core";
import { ReaderGone } from "./stop-request.js";

/** Without a listener the error that each write reports by itself would end the program as well. */
let listening = false;

/**
 * Writes all of it; on return the bytes have left the program's memory and may be overwritten.
 *
 * @throws ReaderGone when the other end of the pipe has closed; IoError
 */
export function writeStandardOutput(content: Uint8Array | string): Promise<void> {
  if (!listening) {
    listening = true;
    process.stdout.on("error", () => {});
  }
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => {
      if (error === null || error === undefined) resolve();
      else if ((error as NodeJS.ErrnoException).code === "EPIPE") reject(new ReaderGone());
      else reject(ioFailure(error, { operation: "write", path: "standard output" }));
    });
  });
}

/** A value as indented JSON, which ends the line. */
export function writeJson(value: unknown): Promise<void> {
  return writeStandardOutput(`${JSON.stringify(value, null, 2)}\n`);
}
