/** The threads in which actors play, and how they are reached; they serve one run after another. @module */
import { Worker } from "node:worker_threads";
import { Answerer, makeChannelMemory } from "./call-channel.js";
import type { ActorCall, ActorProgram, Answer } from "./messages.js";

/** Node runs JavaScript only, so this is the compiled file, also where the tests import the sources. */
const ENTRY: URL = new URL("../../dist/simulation/actor-thread.js", import.meta.url);

/** One thread. It stands still but between an answer and the next call. */
export class CastMember {
  readonly #channel: Answerer;

  constructor() {
    const memory = makeChannelMemory();
    this.#channel = new Answerer(memory);
    new Worker(ENTRY, { workerData: memory }).unref();
    this.nextCall();
  }

  /** Gives it its part in a run; it stands at its first call then. @returns that call */
  begin(program: ActorProgram): ActorCall {
    return this.proceed({ kind: "program", program });
  }

  /** Answers the call at which it stands. @returns the next one; `next` when its part is over */
  proceed(answer: Answer): ActorCall {
    this.#channel.answer(answer);
    return this.nextCall();
  }

  /** Ends the thread. */
  dismiss(): void {
    this.#channel.answer({ kind: "program", program: undefined } satisfies Answer);
  }

  private nextCall(): ActorCall {
    return this.#channel.next() as ActorCall;
  }
}
