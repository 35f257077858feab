/**
 * The error classes of b2frame. Bad input of any kind surfaces as one of these, never as a `RangeError` or `TypeError`.
 *
 * @module
 */

/**
 * Each documented error code with the C-Blosc2 return code that it stands for (`include/blosc2.h`, `BLOSC2_ERROR_*`),
 * so that a test ported from C can compare. `null`: the C library has no such code.
 */
export const BLOSC2_ERROR_CODES = {
  /** A structure of the file contradicts the format. */
  BLOSC2_FORMAT_INVALID: -11,
  /** The bytes end before the structure does. */
  BLOSC2_FORMAT_TRUNCATED: -5,
  /** The magic number or a msgpack marker is not the one that must stand there. */
  BLOSC2_FORMAT_BAD_MAGIC: -11,
  /** A length field is negative, too large, or contradicts another one. */
  BLOSC2_FORMAT_BAD_LENGTH: -13,
  /** An offset or position points outside the structure that it must lie in. */
  BLOSC2_FORMAT_BAD_OFFSET: -13,
  /** A version newer than this software knows. */
  BLOSC2_FORMAT_BAD_VERSION: -10,
  /** A stored checksum differs from the data's. */
  BLOSC2_FORMAT_CHECKSUM: null,
  /** The input needs a feature that is not there; `details.feature` names it. */
  BLOSC2_UNSUPPORTED: -7,
  /** The input needs a codec that is not registered. */
  BLOSC2_UNSUPPORTED_CODEC: -7,
  /** The input needs a filter that is not registered. */
  BLOSC2_UNSUPPORTED_FILTER: -25,
  /** The backend lacks a capability that the call needs. */
  BLOSC2_UNSUPPORTED_BACKEND: -30,
  /** A compressed stream is malformed or does not give the expected number of bytes. */
  BLOSC2_CODEC_DECOMPRESS: -3,
  /** A codec failed to compress. */
  BLOSC2_CODEC_COMPRESS: -12,
  /** A filter can't be applied to this input. */
  BLOSC2_FILTER_FAILED: -16,
  /** Fewer bytes are there than were asked for. */
  BLOSC2_IO_SHORT_READ: -6,
  /** The operating system refused an operation; `cause` is its error. */
  BLOSC2_IO_FAILED: -15,
  /** The disk, or this user's part of it, is full. */
  BLOSC2_IO_NO_SPACE: -14,
  /** No file at that path. */
  BLOSC2_IO_NOT_FOUND: -15,
  /** There is a file at that path already. */
  BLOSC2_IO_EXISTS: -15,
  /** The handle, frame or array has been closed. */
  BLOSC2_IO_CLOSED: null,
  /** The handle was opened for reading only. */
  BLOSC2_IO_READ_ONLY: -29,
  /** An earlier write on this handle failed, so it takes no more. */
  BLOSC2_IO_HANDLE_FAILED: null,
  /** The file was replaced or cut under the open handle. */
  BLOSC2_IO_STALE: null,
  /** The name no longer leads to the open file: that was replaced, moved or removed, so nothing more is written to it. */
  BLOSC2_IO_MOVED: null,
  /** Another writer was first, so nothing was written; starting from what it wrote may succeed. */
  BLOSC2_IO_CONFLICT: null,
  /** A writer changed the frame while it was being read; reading it again (`refresh()`) gives the newer state. */
  BLOSC2_IO_CHANGED: null,
  /** A range was asked for that was not fetched beforehand. */
  BLOSC2_IO_NOT_PREFETCHED: null,
  /** Others hold the frame's lock. */
  BLOSC2_IO_LOCKED: -37,
  /** An argument is out of range or of the wrong type. */
  BLOSC2_ARGUMENT_INVALID: -12,
  /** An index is outside the chunks, items or dimensions that there are. */
  BLOSC2_ARGUMENT_OUT_OF_RANGE: -12,
  /** A configured limit (allocation, chunk size, handles) is exceeded. */
  BLOSC2_LIMIT_EXCEEDED: -4,
  /** The caller's `AbortSignal` fired. */
  BLOSC2_ABORTED: null,
} as const;

/** A documented error code; see {@link BLOSC2_ERROR_CODES}. */
export type Blosc2ErrorCode = keyof typeof BLOSC2_ERROR_CODES;

/** What an error says in machine-readable form. Values survive `structuredClone`. */
export type Blosc2ErrorDetails = Readonly<Record<string, string | number | bigint | boolean | null | undefined>>;

const BRAND: symbol = Symbol.for("b2frame.Blosc2Error");

/** The base class of every error that b2frame throws. Test with {@link isBlosc2Error} rather than `instanceof`. */
export class Blosc2Error extends Error {
  /** Which documented failure this is. */
  readonly code: Blosc2ErrorCode;
  /** Structured facts: file, structure, field, position, expected, found. */
  readonly details: Blosc2ErrorDetails;

  constructor(code: Blosc2ErrorCode, message: string, details: Blosc2ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    // By hand: minifiers give classes other names.
    this.name = "Blosc2Error";
    this.code = code;
    this.details = details;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Where in a file a structure lies; used to word errors. */
export interface SourceLocation {
  /** The file, if the bytes come from one. */
  readonly path?: string | undefined;
  /** The structure, in the format documents' words: "frame header", "chunk 3". */
  readonly structure: string;
  /** Absolute position of the structure's first byte in the file (or buffer). */
  readonly position: number;
}

/** What a {@link FormatError} reports. */
export interface FormatErrorFacts extends SourceLocation {
  /** Field name as the format documents spell it. */
  readonly field: string;
  /** Offset of the field inside the structure, if it has a fixed one. */
  readonly offset?: number | undefined;
  readonly expected: string | number | bigint;
  readonly found: string | number | bigint;
}

/** The bytes contradict the format. */
export class FormatError extends Blosc2Error {
  constructor(code: Blosc2ErrorCode, facts: FormatErrorFacts, cause?: unknown) {
    const at = facts.position + (facts.offset ?? 0);
    const where = facts.path === undefined ? "" : `${facts.path}: `;
    super(
      code,
      `${where}${facts.structure}: ${facts.field} at position ${at}: expected ${facts.expected}, found ${facts.found}`,
      { ...facts, position: at },
      cause,
    );
    this.name = "FormatError";
  }
}

/** The input or the call is legitimate but needs something that is not there. */
export class UnsupportedError extends Blosc2Error {
  constructor(
    code: Blosc2ErrorCode,
    message: string,
    details: Blosc2ErrorDetails & { feature: string },
    cause?: unknown,
  ) {
    super(code, message, details, cause);
    this.name = "UnsupportedError";
  }
}

/** A codec or filter failed on its data. */
export class CodecError extends Blosc2Error {
  constructor(
    code: Blosc2ErrorCode,
    message: string,
    details: Blosc2ErrorDetails & { codec: string; direction: "compress" | "decompress" },
    cause?: unknown,
  ) {
    super(code, message, details, cause);
    this.name = "CodecError";
  }
}

/** A read, write, open, flush or close failed. `cause` is the operating system's error where there is one. */
export class IoError extends Blosc2Error {
  constructor(
    code: Blosc2ErrorCode,
    message: string,
    details: Blosc2ErrorDetails & { operation: string },
    cause?: unknown,
  ) {
    super(code, message, details, cause);
    this.name = "IoError";
  }
}

/** The caller passed something that can't be. */
export class ArgumentError extends Blosc2Error {
  constructor(
    code: Blosc2ErrorCode,
    message: string,
    details: Blosc2ErrorDetails & { parameter: string },
    cause?: unknown,
  ) {
    super(code, message, details, cause);
    this.name = "ArgumentError";
  }
}

/**
 * Whether `error` is a b2frame error, and one of `code` if that is given. Works across copies of the package, which
 * `instanceof` does not.
 *
 * @example
 * ```ts
 * try { openUdio(path, stdio()); } catch (e) { if (isBlosc2Error(e, "BLOSC2_IO_NOT_FOUND")) createIt(); else throw e; }
 * ```
 */
export function isBlosc2Error(error: unknown, code?: Blosc2ErrorCode): error is Blosc2Error {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || (error as Blosc2Error).code === code;
}
