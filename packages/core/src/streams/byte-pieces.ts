/** Pieces of bytes, cut anywhere, put together to whole units: items, or rows. @module */
import { describeValue } from "../checks/describe-value.js";
import { ArgumentError, IoError } from "../errors.js";

/** Bytes of a stream. */
export type BytePiece = ArrayBuffer | Uint8Array;

/** The bytes of a piece, not copied. @throws ArgumentError for what is none */
export function bytesOfPiece(piece: unknown, operation: string): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${operation}: the stream gave ${describeValue(piece)}; expected a Uint8Array`,
    { parameter: "source", found: describeValue(piece) },
  );
}

/** The failure of a stream whose bytes end in the middle of something. */
export function endedInside(operation: string, unit: string, index: number, found: number, expected: number): IoError {
  return new IoError(
    "BLOSC2_IO_SHORT_READ",
    `${operation}: the bytes end inside ${unit} ${index} of the stream: ${found} of ${expected} bytes`,
    { operation, unit, index, expected, found },
  );
}
