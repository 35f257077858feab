/** Binding a frame program to a file. @module */
import { rmSync } from "node:fs";
import { FrameModel } from "./frame-model.js";
import type { FrameProgram, FrameState, Step } from "./frame-program.js";
import { chooseParticipant, type Participant } from "./participants.js";
import type { ProgramRun } from "./program-run.js";
import { describeFrame, runFrameSteps } from "./run-frame-steps.js";

/** `program` at `path`, which is removed first. */
export function bindFrameProgram(
  program: FrameProgram,
  path: string,
  participants: readonly Participant[],
): ProgramRun<Step, FrameState> {
  rmSync(path, { recursive: true, force: true });
  const { seed, contiguous, chunksize, cparams } = program;
  const participant = chooseParticipant(participants, seed, contiguous);
  const model = new FrameModel(program);
  return {
    ...program,
    participant: participant.name,
    facts: { contiguous, chunksize, cparams },
    apply: (step) => model.apply(step),
    difference: (found) => model.difference(found),
    write: (steps, isFirst) => runFrameSteps(path, program, steps, isFirst, participant),
    peerWrite: (steps, isFirst) => ["write", { ...program, path, create: isFirst, steps, threads: 1 + (seed % 2) }],
    describe: () => describeFrame(path, participant),
    peerDescribe: () => ["describe", { path }],
  };
}
