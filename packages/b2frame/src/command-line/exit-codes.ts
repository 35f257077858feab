/** What the program's exit code says. @module */
import { isBlosc2Error } from "@b2frame/core";

/** All went well. */
export const EXIT_GOOD = 0;
/** The file is no Blosc2 file, or a damaged one. */
export const EXIT_BAD_FILE = 1;
/** The call can't be done: wrong arguments, no such file, something that is not supported here, a disk that fails. */
export const EXIT_BAD_CALL = 2;

/** I/O failures that tell of the file's content, not of the call or the machine. */
const CONTENT_CODES: readonly string[] = ["BLOSC2_IO_SHORT_READ", "BLOSC2_IO_STALE"];

/** The exit code for an error that ended a command. */
export function exitCodeOf(error: unknown): number {
  if (!isBlosc2Error(error)) return EXIT_BAD_CALL;
  const isContent = error.name === "FormatError" || error.name === "CodecError" || CONTENT_CODES.includes(error.code);
  return isContent ? EXIT_BAD_FILE : EXIT_BAD_CALL;
}
