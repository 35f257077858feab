/** 64-bit integers of the format as JavaScript numbers, or an error. @module */
import { FormatError, type SourceLocation } from "../errors.js";

/** Converts; throws `BLOSC2_FORMAT_BAD_LENGTH` past 2^53 - 1, which no file here can reach. */
export function toSafeInteger(value: bigint, where: SourceLocation & { field: string; offset?: number }): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER)) {
    throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", { ...where, expected: "an integer below 2^53", found: value });
  }
  return Number(value);
}
