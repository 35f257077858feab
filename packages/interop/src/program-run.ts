/** Running any kind of program: the two sides write in turn on one file, and both read it after each segment. @module */
import type { PeerRequest, PythonPeer } from "./python-peer.js";

/** Who runs a segment. */
export type Side = "b2frame" | "python";

/** An operation of `peer.py` with its fields. */
export type PeerOperation = readonly [operation: string, fields: PeerRequest];

/** A program bound to a file and to the way in which b2frame takes part. */
export interface ProgramRun<Step, State> {
  readonly first: Side;
  readonly segments: readonly (readonly Step[])[];
  /** The engine and backend in use, for messages. */
  readonly participant: string;
  /** How the file was created, for messages. */
  readonly facts: object;
  /** Takes a step in the oracle. */
  apply(step: Step): void;
  /** What is wrong with a description, by the oracle; empty if nothing is. */
  difference(found: State): string;
  /** Runs steps with b2frame; creates the file first if `isFirst`. */
  write(steps: readonly Step[], isFirst: boolean): void;
  /** The same with python-blosc2. */
  peerWrite(steps: readonly Step[], isFirst: boolean): PeerOperation;
  describe(): State;
  peerDescribe(): PeerOperation;
}

/** A disagreement, with what is needed to find it. */
export class Disagreement extends Error {}

function wordStep(step: object): string {
  const wordValue = (value: unknown): string =>
    value instanceof Uint8Array ? `${value.byteLength} bytes` : String(value).slice(0, 60);
  return Object.entries(step)
    .map(([key, value]) => `${key}=${wordValue(value)}`)
    .join(" ");
}

/**
 * Runs all segments.
 *
 * @throws Disagreement when a description differs from the oracle, or either side refuses a step.
 */
export async function runProgram<Step extends object, State>(
  run: ProgramRun<Step, State>,
  peer: PythonPeer,
): Promise<void> {
  for (const [index, steps] of run.segments.entries()) {
    const isOurs = (run.first === "b2frame") === (index % 2 === 0);
    for (const step of steps) run.apply(step);
    const stage = async (what: string, action: () => unknown): Promise<void> => {
      try {
        await action();
      } catch (error) {
        const { name, message } = error as Error;
        const writer = isOurs ? "b2frame" : "python";
        const facts = JSON.stringify({ ...run.facts, steps: steps.map(wordStep) });
        const where = `segment ${index} of ${run.segments.length}, written by ${writer} (${run.participant})`;
        throw new Disagreement(`${where}: ${what}: ${name}: ${message}\n  ${facts}`);
      }
    };
    const compare = (found: State): void => {
      const difference = run.difference(found);
      if (difference !== "") throw new Disagreement(difference);
    };
    await stage("writing", () =>
      isOurs ? run.write(steps, index === 0) : peer.request(...run.peerWrite(steps, index === 0)),
    );
    await stage("b2frame reads", () => compare(run.describe()));
    await stage("python reads", async () => {
      const { ok, ...state } = await peer.request(...run.peerDescribe());
      compare(state as State);
    });
  }
}
