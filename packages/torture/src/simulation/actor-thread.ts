/** A thread in which one actor after another plays its part; it only ever waits for the scheduler. @module */
import { workerData } from "node:worker_threads";
import { Caller } from "./call-channel.js";
import type { ActorProgram } from "./messages.js";
import { Reader } from "./reader.js";
import { ActorLine, Killed } from "./simulated-backend.js";
import { Writer } from "./writer.js";

const line = new ActorLine(new Caller(workerData as SharedArrayBuffer));

function play(program: ActorProgram): void {
  const actor = program.role === "writer" ? new Writer(line, program) : new Reader(line, program);
  try {
    actor.run();
  } catch (error) {
    if (error instanceof Killed || line.killed) return;
    const { stack, message } = error as Error;
    line.ask({ kind: "violation", message: `an error that is none of b2frame's: ${stack ?? message}` });
  }
}

for (;;) {
  line.revive();
  const answer = line.ask({ kind: "next" });
  if (answer.kind !== "program" || answer.program === undefined) break;
  play(answer.program);
}
