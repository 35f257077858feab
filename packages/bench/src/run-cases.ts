/** Runs cases one after another. @module */
import type { BenchContext } from "./bench-context.js";
import { CASES } from "./cases/all-cases.js";
import { type Result, resultOf } from "./result.js";
import { type Effort, runTrial } from "./run-trial.js";
import type { CaseName } from "./trial.js";

/** What came of a run. */
export interface Outcome {
  readonly results: readonly Result[];
  /** Cases that ended with an error, which says why. */
  readonly failures: readonly { readonly case: CaseName; readonly error: Error }[];
}

/** Runs the named cases; `announce` is told of each trial before it starts. A case that fails does not stop the others. */
export async function runCases(
  names: readonly CaseName[],
  context: BenchContext,
  effort: Effort,
  announce: (text: string) => void,
): Promise<Outcome> {
  const results: Result[] = [];
  const failures: Outcome["failures"][number][] = [];
  for (const benchCase of CASES) {
    const { name } = benchCase;
    if (!names.includes(name)) continue;
    try {
      for await (const trial of benchCase.trials(context)) {
        announce(`${name}, ${trial.data}, ${describeParameters(trial.parameters)}`);
        for (const comparison of await runTrial(trial, effort)) {
          results.push(resultOf(name, trial, comparison, context.fullSize));
        }
      }
    } catch (error) {
      failures.push({ case: name, error: error as Error });
    }
  }
  return { results, failures };
}

/** `chunksize 4194304, nchunks 64`, and so on. */
export function describeParameters(parameters: Readonly<Record<string, string | number>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
