/** Choosing results for a figure or a sentence. @module */
import { CASES_BY_CHUNKSIZE, CHUNKSIZE } from "../parameters.js";
import type { Result } from "../result.js";

/** Without the results for other than the usual chunk size, where a case varies it. */
export function headline(results: readonly Result[]): readonly Result[] {
  return results.filter(
    (result) => !CASES_BY_CHUNKSIZE.includes(result.case) || result.parameters.chunksize === CHUNKSIZE,
  );
}

/** The values that results have, each once, in the order in which they come. */
export function distinct<T>(results: readonly Result[], value: (result: Result) => T): readonly T[] {
  return [...new Set(results.map(value))];
}
