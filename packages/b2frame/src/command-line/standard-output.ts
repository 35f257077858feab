/** Writing to standard output without filling memory. @module */
import { ioFailure } from "@b2frame/core/backend";
import { jsonText } from "../render/json-text.js";
import { outputError } from "./output-errors.js";

/**
 * Writes all of it; on return the bytes have left the program's memory and may be overwritten.
 *
 * @throws ReaderGone when the other end of the pipe has closed; IoError
 */
export function writeStandardOutput(content: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(outputError(error, () => ioFailure(error, { operation: "write", path: "standard output" }) as Error));
    });
  });
}

/** A value as indented JSON, which ends the line. */
export function writeJson(value: unknown): Promise<void> {
  return writeStandardOutput(`${jsonText(value, 2)}\n`);
}
