/** Error numbers of the C library as the errors that `node:fs` throws. @module */
import { getSystemErrorName } from "node:util";

/** An `Error` with `code`, `errno` and `syscall`. `errno`: the positive number that the C library gives. */
export function systemError(errno: number, syscall: string): NodeJS.ErrnoException {
  let code = `errno ${errno}`;
  try {
    // Nothing in Deno for numbers that it has no name for, whatever the types say.
    code = getSystemErrorName(-errno) ?? code;
  } catch {
    // A number that Node has no name for keeps the number.
  }
  return Object.assign(new Error(`${code}: ${syscall}`), { code, errno: -errno, syscall });
}
