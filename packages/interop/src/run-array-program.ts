/** Binding an array program to a file. @module */
import { rmSync } from "node:fs";
import { ArrayModel } from "./array-model.js";
import { type ArrayProgram, type ArrayState, type ArrayStep, boxesOf } from "./array-program.js";
import { chooseParticipant, type Participant } from "./participants.js";
import type { ProgramRun } from "./program-run.js";
import { describeArray, runArraySteps } from "./run-array-steps.js";

/** `program` at `path`, which is removed first. */
export function bindArrayProgram(
  program: ArrayProgram,
  path: string,
  participants: readonly Participant[],
): ProgramRun<ArrayStep, ArrayState> {
  rmSync(path, { recursive: true, force: true });
  const { seed, contiguous, shape, chunks: chunkShape, blocks: blockShape, dtype, cparams, start } = program;
  const participant = chooseParticipant(participants, seed, contiguous);
  const model = new ArrayModel(program);
  return {
    ...program,
    participant: participant.name,
    facts: { contiguous, shape, chunks: chunkShape, blocks: blockShape, dtype, cparams, start: start.kind },
    apply: (step) => model.apply(step),
    difference: (found) => model.difference(found),
    write: (steps, isFirst) => runArraySteps(path, program, steps, isFirst, participant),
    peerWrite: (steps, isFirst) => [
      "write-array",
      { ...program, path, create: isFirst, steps, threads: 1 + (seed % 2) },
    ],
    describe: () => describeArray(path, program, participant),
    peerDescribe: () => ["describe-array", { path, boxes: boxesOf(program, model.shape) }],
  };
}
