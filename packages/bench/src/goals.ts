/** What b2frame aims at: ratios of speeds, ours to the peer's. @module */
import { CASES_BY_CHUNKSIZE, CHUNKSIZE } from "./parameters.js";
import type { CaseName, PeerName, Trial } from "./trial.js";

interface Goal {
  readonly peer: PeerName;
  readonly workers: number;
  readonly atLeast: number;
}

const GOALS: Partial<Readonly<Record<CaseName, readonly Goal[]>>> = {
  "read-all": [
    { peer: "c-blosc2", workers: 0, atLeast: 0.8 },
    { peer: "c-blosc2", workers: 2, atLeast: 1 },
  ],
  append: [
    { peer: "c-blosc2", workers: 0, atLeast: 0.7 },
    { peer: "c-blosc2", workers: 2, atLeast: 1.2 },
  ],
  "array-read": [{ peer: "c-blosc2", workers: 2, atLeast: 1 }],
  "append-small": [{ peer: "c-blosc2", workers: 0, atLeast: 20 }],
  "scattered-50": [{ peer: "c-blosc2", workers: 0, atLeast: 1.5 }],
  insert: [{ peer: "c-blosc2", workers: 0, atLeast: 5 }],
  update: [{ peer: "c-blosc2", workers: 0, atLeast: 20 }],
  crops: [{ peer: "c-blosc2", workers: 0, atLeast: 1 }],
  "open-many": [{ peer: "c-blosc2", workers: 0, atLeast: 1 }],
  "blosc-decode": [{ peer: "numcodecs", workers: 0, atLeast: 2 }],
  "blosc-encode": [{ peer: "numcodecs", workers: 0, atLeast: 2 }],
  remote: [
    { peer: "zarrita", workers: 0, atLeast: 2 },
    { peer: "fetch", workers: 0, atLeast: 0.8 },
  ],
  engines: [{ peer: "portable", workers: 0, atLeast: 5 }],
};

/** Copying is all that there is to do for the others. */
const DATA_WITH_GOALS: readonly string[] = ["float64", "int32", "volume", "field"];

/** The ratio that full-size data should reach, if there is one for such a trial. */
export function goalOf(name: CaseName, trial: Trial, peer: PeerName, workers: number): number | undefined {
  if (!DATA_WITH_GOALS.includes(trial.data)) return undefined;
  if (CASES_BY_CHUNKSIZE.includes(name) && trial.parameters.chunksize !== CHUNKSIZE) return undefined;
  return GOALS[name]?.find((goal) => goal.peer === peer && goal.workers === workers)?.atLeast;
}
