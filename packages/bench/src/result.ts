/** Results as they are reported. @module */
import { goalOf } from "./goals.js";
import { MIB } from "./parameters.js";
import type { CallsOfBoth, Comparison } from "./run-trial.js";
import type { BackendName, CaseName, PeerName, Trial, Unit, WriteDurability } from "./trial.js";

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
  /** What each of them brought about before its sample ended, where they write. */
  readonly durability?: { readonly ours: WriteDurability; readonly peer: WriteDurability };
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

/** Whether both were run as they are used to: all but those of writers that wait for the disk, or do not, against their habit. */
export function isUsual({ peerName, durability }: Pick<Result, "peerName" | "durability">): boolean {
  if (durability === undefined) return true;
  return durability.ours === "disk" && (peerName !== "c-blosc2" || durability.peer === "none");
}

/** A comparison of a trial as a result; `fullSize` when its data is as much as goals are for. */
export function resultOf(name: CaseName, trial: Trial, comparison: Comparison, fullSize: boolean): Result {
  const { ours, peer, peerName } = comparison;
  const divisor = trial.unit === "MiB/s" ? MIB : 1;
  const durability =
    ours.durability === undefined || peer.durability === undefined
      ? undefined
      : { ours: ours.durability, peer: peer.durability };
  // A peer that is made to do more than it is used to is no goal.
  const asUsual = fullSize && (peer.name !== "c-blosc2" || peer.durability !== "disk");
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
    ...(durability === undefined ? {} : { durability }),
    ratio: comparison.ratio,
    ratioQuartiles: comparison.ratioQuartiles,
    ...(goal === undefined ? {} : { goal }),
    ...(comparison.calls === undefined ? {} : { calls: comparison.calls }),
    samples: comparison.samples,
  };
}
