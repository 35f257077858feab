/** Turns whatever a system call threw into an error of ours that says what was being done, where, and why it failed. @module */
import { type Blosc2Error, type Blosc2ErrorCode, IoError, isBlosc2Error } from "../errors.js";

/** What was being done when something failed. */
export interface IoOperationFacts {
  /** `"open"`, `"read"`, `"write"`, `"truncate"`, `"flush"`, `"close"`, `"rename"`, `"remove"`, ... */
  readonly operation: string;
  readonly path: string;
  /** Absolute position in the file, for reads and writes. */
  readonly position?: number | undefined;
  /** How many bytes were asked for; for `truncate` the wanted size. */
  readonly length?: number | undefined;
}

function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** What the error says, without the call and the paths that Node adds: the facts name those already. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  const call = "syscall" in error ? message.lastIndexOf(`, ${String(error.syscall)}`) : -1;
  return call > 0 ? message.slice(0, call) : message;
}

function codeFor(errno: string | undefined): Blosc2ErrorCode {
  if (errno === "ENOENT") return "BLOSC2_IO_NOT_FOUND";
  if (errno === "EEXIST") return "BLOSC2_IO_EXISTS";
  if (errno === "ENOSPC" || errno === "EDQUOT") return "BLOSC2_IO_NO_SPACE";
  return "BLOSC2_IO_FAILED";
}

function describe(facts: IoOperationFacts): string {
  const length = facts.length === undefined ? "" : ` of ${facts.length} bytes`;
  const position = facts.position === undefined ? "" : ` at position ${facts.position}`;
  return `${facts.path}: ${facts.operation}${length}${position}`;
}

/**
 * An `IoError` with `error` as its cause; an error that is one of ours already comes back as it is. Recognises the
 * operating system's error names (`ENOENT`, `EEXIST`, `ENOSPC`, `EDQUOT`) in `error.code`, as Node.js and most other runtimes set them.
 *
 * @example
 * ```ts
 * try { unlinkSync(path); } catch (error) { throw ioFailure(error, { operation: "remove", path }); }
 * ```
 */
export function ioFailure(error: unknown, facts: IoOperationFacts): Blosc2Error {
  if (isBlosc2Error(error)) return error;
  const errno = errnoOf(error);
  return new IoError(codeFor(errno), `${describe(facts)} failed: ${reasonOf(error)}`, { ...facts, errno }, error);
}

/** The error for a file that ends before the wanted bytes do. `available`: how many of them are there. */
export function shortRead(facts: IoOperationFacts & { position: number; length: number }, available: number): IoError {
  return new IoError(
    "BLOSC2_IO_SHORT_READ",
    `${describe(facts)}: short read: expected ${facts.length} bytes, found ${available}`,
    { ...facts, expected: facts.length, found: available },
  );
}
