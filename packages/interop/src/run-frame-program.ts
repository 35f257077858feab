/** One frame program, run by b2frame and python-blosc2 in turn on one file, and read by both after each segment. @module */
import { rmSync } from "node:fs";
import { FrameModel } from "./frame-model.js";
import type { FrameProgram, FrameState } from "./frame-program.js";
import type { PythonPeer } from "./python-peer.js";
import { describeFrame, type Participant, runSteps } from "./run-steps.js";

/** A disagreement, with what is needed to find it. */
export class Disagreement extends Error {}

/**
 * Runs `program` at `path`, with one of `participants` by the program's seed.
 *
 * @throws Disagreement with the model, or when either side refuses a step.
 */
export async function runFrameProgram(
  program: FrameProgram,
  path: string,
  peer: PythonPeer,
  participants: readonly Participant[],
): Promise<void> {
  const able = participants.filter(({ backend }) => program.contiguous || backend.capabilities.sparseFrames);
  const participant = able[program.seed % able.length] as Participant;
  const model = new FrameModel(program);
  rmSync(path, { recursive: true, force: true });
  for (const [index, steps] of program.segments.entries()) {
    const turn = program.first === "b2frame" ? index % 2 === 0 : index % 2 === 1;
    const writer = turn ? "b2frame" : "python";
    for (const step of steps) model.apply(step);
    const stage = async (who: string, action: () => unknown): Promise<void> => {
      try {
        const found = await action();
        const difference = found === undefined ? "" : model.difference(found as FrameState);
        if (difference !== "") throw new Disagreement(difference);
      } catch (error) {
        const { cparams, contiguous, chunksize } = program;
        const facts = JSON.stringify({ contiguous, chunksize, cparams, steps: steps.map(wordStep) });
        const { name, message } = error as Error;
        throw new Disagreement(
          `segment ${index} (${writer} writes, ${participant.name}): ${who}: ${name}: ${message}\n  ${facts}`,
        );
      }
    };
    const isFirst = index === 0;
    await stage(`${writer} writes`, async () => {
      if (turn) runSteps(path, program, steps, isFirst, participant);
      else await peer.request("write", { ...program, path, create: isFirst, steps, threads: 1 + (program.seed % 2) });
    });
    await stage("b2frame reads", () => describeFrame(path, participant));
    await stage("python reads", async () => {
      const { ok, ...state } = await peer.request("describe", { path, mmapMode: null });
      return state;
    });
  }
}

function wordStep(step: object): string {
  return Object.entries(step)
    .map(
      ([key, value]) =>
        `${key}=${value instanceof Uint8Array ? `${value.byteLength} bytes` : String(value).slice(0, 40)}`,
    )
    .join(" ");
}
