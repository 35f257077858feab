/** Holding what a reader allocates against a super-chunk's limits. @module */
import { type SuperChunkReader, stateOf } from "./super-chunk-reader.js";

/**
 * Throws if the limits that a super-chunk was opened with forbid an array of that many bytes.
 *
 * @param structure what it is for, as the message names it.
 * @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED`
 */
export function checkAllocation(schunk: SuperChunkReader, byteLength: number, structure: string): void {
  stateOf(schunk).requireAllocation(byteLength, structure);
}
