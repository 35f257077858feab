/** `pnpm torture simulate`: several actors on one frame, interleaved at every call by a seed. @module */
import { CastMember } from "./simulation/cast.js";
import { MAX_ACTORS, runSimulation } from "./simulation/run-simulation.js";
import type { Tally } from "./tally.js";

/** Options of {@link simulate}. */
export interface SimulateOptions {
  /** Runs, each with a seed of its own. */
  readonly trials: number;
  /** The first run's seed. */
  readonly seed: number;
}

/** Plays the runs; each violation is printed with the seed that shows it again. */
export function simulate({ trials, seed }: SimulateOptions, tally: Tally): void {
  const cast = Array.from({ length: MAX_ACTORS }, () => new CastMember());
  for (let run = seed; run < seed + trials; run++) {
    tally.attempt(`--seed ${run} --trials 1`, () => {
      const violation = runSimulation(run, cast);
      if (violation !== undefined) throw new Error(violation);
    });
  }
  for (const member of cast) member.dismiss();
}
