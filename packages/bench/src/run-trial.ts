/** Samples the contenders of a trial in turn. @module */
import { setTimeout } from "node:timers/promises";
import type { CallCounts } from "./call-counter.js";
import { median, quantile } from "./statistics.js";
import type { Contender, PeerName, Trial } from "./trial.js";

/**
 * Before each sample. What the one before left to the event loop is done by then, such as closing the descriptors of flushes in the
 * background: the last one to be closed frees a file that has been removed, which takes as long as a good part of writing it.
 */
const SETTLE_MS = 20;

/** How much to measure. */
export interface Effort {
  /** Rounds; in each, every contender is sampled once. */
  readonly samples: number;
  /** No further round is started after this many seconds, once there is one. */
  readonly seconds: number;
}

/** One contender against another. */
export interface Comparison {
  readonly ours: Contender;
  readonly peer: Contender;
  readonly peerName: PeerName;
  /** Seconds of each round. */
  readonly samples: readonly { readonly ours: number; readonly peer: number }[];
  /** Median speeds, in the trial's amount per second. */
  readonly ourSpeed: number;
  readonly peerSpeed: number;
  /** Median of the rounds' ratios of speeds, ours to the peer's, and its quartiles. */
  readonly ratio: number;
  readonly ratioQuartiles: readonly [number, number];
  /** System calls of one sample, where both were counted. */
  readonly calls?: CallsOfBoth;
}

/** How many system calls of each kind a sample of ours and one of the peer's takes. */
export interface CallsOfBoth {
  readonly ours: CallCounts;
  readonly peer: CallCounts;
}

/**
 * Whether what the two do for the file's safety can be compared: each as it is used to, or both waiting for the disk, or neither.
 * b2frame is compared with itself only as it is used to.
 */
function comparesDurability(ours: Contender, other: Contender): boolean {
  if (ours.durability !== "process") return other.durability !== "process";
  return other.name !== "b2frame" && other.durability === "none";
}

/** Whom `ours` is compared with, when it is with `other`. */
function peerNameOf(ours: Contender, other: Contender): PeerName | undefined {
  if (ours.name !== "b2frame" || !comparesDurability(ours, other)) return undefined;
  const sameBackend = ours.backend === other.backend;
  if (ours.workers !== other.workers) {
    return other.name === "b2frame" && sameBackend && other.workers === 0 ? "no-workers" : undefined;
  }
  if (other.name !== "b2frame") return sameBackend ? other.name : undefined;
  return ours.backend === "mmap" && other.backend === "stdio" ? "stdio" : undefined;
}

function compare(ours: Contender, peer: Contender, peerName: PeerName, samples: Comparison["samples"]): Comparison {
  const ratios = samples.map((pair) => ours.amount / pair.ours / (peer.amount / pair.peer));
  return {
    ours,
    peer,
    peerName,
    samples,
    ourSpeed: median(samples.map((pair) => ours.amount / pair.ours)),
    peerSpeed: median(samples.map((pair) => peer.amount / pair.peer)),
    ratio: median(ratios),
    ratioQuartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

/** Checks that all contenders got the same out. */
function checkDigests(contenders: readonly Contender[], digests: readonly number[]): void {
  contenders.forEach((contender, i) => {
    if (digests[i] === digests[0] || contender.amount !== contenders[0]?.amount) return;
    const first = contenders[0]?.name ?? "";
    throw new Error(`${contender.name} (${contender.backend}) got other data out than ${first}`);
  });
}

/**
 * Samples all contenders once, then again, and so on, after an untimed round.
 *
 * @returns each contender of b2frame's against those of the same backend and number of workers, mmap against stdio, and any
 * number of workers against none.
 * @throws Error when contenders disagree about the data.
 */
export async function runTrial(trial: Trial, effort: Effort): Promise<readonly Comparison[]> {
  const { contenders } = trial;
  const calls = new Map<Contender, CallCounts>();
  for (const contender of contenders) {
    if (!contender.warmUp) continue;
    contender.prepare?.();
    await contender.sample();
    if (contender.countCalls === undefined) continue;
    contender.prepare?.();
    calls.set(contender, contender.countCalls());
  }
  const rounds: number[][] = [];
  const start = performance.now();
  while (rounds.length < effort.samples) {
    const seconds: number[] = [];
    const digests: number[] = [];
    for (const contender of contenders) {
      await setTimeout(SETTLE_MS);
      contender.prepare?.();
      const sample = await contender.sample();
      seconds.push(sample.seconds);
      digests.push(sample.digest);
    }
    checkDigests(contenders, digests);
    rounds.push(seconds);
    if (performance.now() - start > effort.seconds * 1000) break;
  }
  const comparisons: Comparison[] = [];
  contenders.forEach((ours, i) => {
    contenders.forEach((peer, k) => {
      const peerName = peerNameOf(ours, peer);
      if (peerName === undefined) return;
      const samples = rounds.map((seconds) => ({ ours: seconds[i] as number, peer: seconds[k] as number }));
      const ourCalls = calls.get(ours);
      const peerCalls = calls.get(peer);
      const counted = ourCalls && peerCalls ? { calls: { ours: ourCalls, peer: peerCalls } } : {};
      comparisons.push({ ...compare(ours, peer, peerName, samples), ...counted });
    });
  });
  return comparisons;
}
