/** Wording of a filter's failures. @module */
import { CodecError } from "../errors.js";

/** A `CodecError` with code `BLOSC2_FILTER_FAILED` that names the filter, the direction and what was wrong, to throw. */
export function filterFailure(
  filter: string,
  direction: "forward" | "backward",
  field: string,
  expected: string | number,
  found: string | number,
): CodecError {
  return new CodecError(
    "BLOSC2_FILTER_FAILED",
    `filter ${filter} (${direction}): ${field}: expected ${expected}, found ${found}`,
    { codec: filter, direction: direction === "forward" ? "compress" : "decompress", field, expected, found },
  );
}
