/** Results as they are reported. @module */
import { goalOf } from "./goals.js";
import { MIB } from "./parameters.js";
import type { CallsOfBoth, Comparison } from "./run-trial.js";
import type { BackendName, CaseName, PeerName, Trial, Unit } from "./trial.js";

/** One comparison; the JSON report holds these. */
export interface Result {
  readonly case: CaseName;
  readonly backend: BackendName;
  /** Worker threads of b2frame; C-Blosc2 has as many, and one where this is 0. */
  readonly workers: number;
  readonly data: string;
  /** Sizes and counts of the case. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly unit: Unit;
  /** b2frame's median speed, in `unit`. */
  readonly ours: number;
  /** The peer's median speed, in `unit`. */
  readonly peer: number;
  readonly peerName: PeerName;
  /** How the peer was run, where it was run in more ways than one: `"fsync"` when it had to make its file durable. */
  readonly peerVariant?: string;
  /** Median of the rounds' ratios: how many times as fast as the peer b2frame is. */
  readonly ratio: number;
  /** Quartiles of those ratios. */
  readonly ratioQuartiles: readonly [number, number];
  /** The ratio aimed at. */
  readonly goal?: number;
  /** System calls of each kind that one sample takes, where the case counts them. */
  readonly calls?: CallsOfBoth;
  /** Seconds of each round; the peer's are for less work where `parameters` say so. */
  readonly samples: Comparison["samples"];
}

/** A comparison of a trial as a result; `fullSize` when its data is as much as goals are for. */
export function resultOf(name: CaseName, trial: Trial, comparison: Comparison, fullSize: boolean): Result {
  const { ours, peer, peerName } = comparison;
  const divisor = trial.unit === "MiB/s" ? MIB : 1;
  const asUsual = fullSize && peer.variant === undefined;
  const goal = asUsual ? goalOf(name, trial, peerName, ours.workers) : undefined;
  return {
    case: name,
    backend: ours.backend,
    workers: ours.workers,
    data: trial.data,
    parameters: trial.parameters,
    unit: trial.unit,
    ours: comparison.ourSpeed / divisor,
    peer: comparison.peerSpeed / divisor,
    peerName,
    ...(peer.variant === undefined ? {} : { peerVariant: peer.variant }),
    ratio: comparison.ratio,
    ratioQuartiles: comparison.ratioQuartiles,
    ...(goal === undefined ? {} : { goal }),
    ...(comparison.calls === undefined ? {} : { calls: comparison.calls }),
    samples: comparison.samples,
  };
}
