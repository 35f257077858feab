/** Which part a worker is to write. @module */
import { ArgumentError } from "@b2frame/core";

/** Variables in which schedulers tell a task its number. */
const VARIABLES = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] as const;

/**
 * The number of the part, from 0: as given, or as a scheduler says it.
 *
 * @throws ArgumentError where neither does
 */
export function partNumber(given: number | undefined, oneBased: boolean, env: NodeJS.ProcessEnv): number {
  const name = VARIABLES.find((variable) => env[variable] !== undefined);
  const text = given ?? (name === undefined ? undefined : env[name]);
  if (text === undefined) {
    throw invalid(`no part: give its number, or set ${VARIABLES.join(" or ")}`);
  }
  const from = given === undefined ? name : "part";
  if (!/^\d+$/.test(String(text))) throw invalid(`${from}: expected a number, found ${text}`);
  const number = Number(text) - (oneBased ? 1 : 0);
  if (number < 0) throw invalid(`${from}: parts count from 1 with --one-based, found ${text}`);
  return number;
}

function invalid(message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "part" });
}
