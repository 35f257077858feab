/** Errors on their way between threads: `structuredClone` would lose their class, code and details. @module */
import {
  ArgumentError,
  Blosc2Error,
  type Blosc2ErrorCode,
  type Blosc2ErrorDetails,
  CodecError,
  FormatError,
  type FormatErrorFacts,
  IoError,
  isBlosc2Error,
  UnsupportedError,
} from "./errors.js";

type Primitive = string | number | bigint | boolean | null | undefined;

/** An error as plain data. */
export type TransferredError =
  | {
      readonly kind: "blosc2";
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      readonly code: Blosc2ErrorCode;
      readonly details: Blosc2ErrorDetails;
      readonly cause: TransferredError | undefined;
    }
  | {
      readonly kind: "error";
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      /** The error's own simple properties: the `code`, `errno` and `syscall` of system errors. */
      readonly properties: Readonly<Record<string, Primitive>>;
      readonly cause: TransferredError | undefined;
    }
  | { readonly kind: "value"; readonly value: Primitive };

/** Causes of causes beyond this depth are left out: a cause may be its own. */
const MAX_DEPTH = 8;

function isPrimitive(value: unknown): value is Primitive {
  return value === null || (typeof value !== "object" && typeof value !== "function" && typeof value !== "symbol");
}

function simpleProperties(error: Error): Record<string, Primitive> {
  const own: Record<string, Primitive> = {};
  for (const [name, value] of Object.entries(error)) if (isPrimitive(value)) own[name] = value;
  return own;
}

/** An error, or whatever else was thrown, as plain data. */
export function encodeError(error: unknown, depth = 0): TransferredError {
  if (!(error instanceof Error)) {
    return { kind: "value", value: isPrimitive(error) ? error : String(error) };
  }
  const { name, message, stack } = error;
  const cause = error.cause === undefined || depth === MAX_DEPTH ? undefined : encodeError(error.cause, depth + 1);
  if (isBlosc2Error(error)) {
    return { kind: "blosc2", name, message, stack, code: error.code, details: error.details, cause };
  }
  return { kind: "error", name, message, stack, properties: simpleProperties(error), cause };
}

/** The details with the position that {@link FormatError} was given, to which it adds the field's offset. */
function factsOf(details: Blosc2ErrorDetails): FormatErrorFacts {
  const facts = details as Blosc2ErrorDetails & FormatErrorFacts;
  return { ...facts, position: facts.position - (facts.offset ?? 0) };
}

type Encoded<Kind> = Extract<TransferredError, { readonly kind: Kind }>;

function decodeBlosc2Error(encoded: Encoded<"blosc2">): Blosc2Error {
  const { name, message, code, details } = encoded;
  const cause = encoded.cause === undefined ? undefined : decodeError(encoded.cause);
  switch (name) {
    case "FormatError":
      return new FormatError(code, factsOf(details), cause);
    case "UnsupportedError":
      return new UnsupportedError(code, message, details as Blosc2ErrorDetails & { feature: string }, cause);
    case "CodecError":
      return new CodecError(
        code,
        message,
        details as Blosc2ErrorDetails & { codec: string; direction: "compress" | "decompress" },
        cause,
      );
    case "IoError":
      return new IoError(code, message, details as Blosc2ErrorDetails & { operation: string }, cause);
    case "ArgumentError":
      return new ArgumentError(code, message, details as Blosc2ErrorDetails & { parameter: string }, cause);
    default:
      return new Blosc2Error(code, message, details, cause);
  }
}

function decodePlainError(encoded: Encoded<"error">): Error {
  const { name, message, properties } = encoded;
  const cause = encoded.cause === undefined ? undefined : decodeError(encoded.cause);
  const error = new Error(message, cause === undefined ? undefined : { cause });
  if (name !== "Error") Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  return Object.assign(error, properties);
}

/** The error again: of the same class, with the stack that it had where it was thrown. */
export function decodeError(encoded: TransferredError): unknown {
  if (encoded.kind === "value") return encoded.value;
  const error = encoded.kind === "blosc2" ? decodeBlosc2Error(encoded) : decodePlainError(encoded);
  if (encoded.stack !== undefined) {
    Object.defineProperty(error, "stack", { value: encoded.stack, configurable: true, writable: true });
  }
  return error;
}
