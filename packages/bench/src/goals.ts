/** What b2frame aims at: ratios of speeds, ours to the peer's. @module */
import { CASES_BY_CHUNKSIZE, CHUNKSIZE } from "./parameters.js";
import type { CaseName, PeerName, Trial } from "./trial.js";

interface Goal {
  readonly peer: PeerName;
  readonly workers: number;
  readonly atLeast: number;
  /** Of trials with one of these codecs; default: with any. */
  readonly codecs?: readonly string[];
}

/** What C-Blosc2 decodes itself, and what native libraries decode on both sides. */
const QUICK = ["lz4", "lz4hc", "blosclz"];
const DENSE = ["zstd", "zlib"];

function byCodec(quick: number, dense: number): Goal[] {
  return [
    { peer: "c-blosc2", workers: 0, atLeast: quick, codecs: QUICK },
    { peer: "c-blosc2", workers: 0, atLeast: dense, codecs: DENSE },
  ];
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
  "array-read": [...byCodec(1, 0.9), { peer: "c-blosc2", workers: 2, atLeast: 1 }],
  "array-crop": byCodec(1, 0.9),
  "array-plane": [{ peer: "c-blosc2", workers: 0, atLeast: 1 }],
  "array-write": byCodec(1, 0.9),
  "zarr-arrays": [{ peer: "zarrita", workers: 0, atLeast: 3 }],
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
  const { codec } = trial.parameters;
  const fits = (goal: Goal): boolean =>
    goal.peer === peer && goal.workers === workers && goal.codecs?.includes(String(codec)) !== false;
  return GOALS[name]?.find(fits)?.atLeast;
}
