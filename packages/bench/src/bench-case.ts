/** A benchmark case. @module */
import type { BenchContext } from "./bench-context.js";
import type { CaseName, Trial } from "./trial.js";

/** See the module's description. */
export interface BenchCase {
  readonly name: CaseName;
  readonly title: string;
  /** The trials, each set up when it is asked for; what it set up is removed when the next one is. */
  trials(context: BenchContext): AsyncIterable<Trial>;
}
