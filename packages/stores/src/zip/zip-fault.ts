/** What is wrong with a structure of a ZIP file. @module */
import { FormatError } from "@b2frame/core";

/** Where a structure lies, for messages. */
export interface Place {
  readonly path: string;
  readonly structure: string;
  readonly position: number;
}

/** The error for a field that can't be what it is. `offset` is that of the field in its structure. */
export function invalid(
  place: Place,
  field: string,
  offset: number,
  expected: string | number,
  found: string | number,
): FormatError {
  return new FormatError("BLOSC2_FORMAT_INVALID", { ...place, field, offset, expected, found });
}
