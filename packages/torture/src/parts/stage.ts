/** Actors at work on one target at the same time: a seed decides who makes the next call, and who dies before it. @module */
import type { SeededRandom } from "@b2frame/interop/seeded-random";
import type { Actor, ActorEvent, ActorPool } from "./actor.js";
import { type ActorMessage, DIE, GO, type PartJob, TEAR } from "./actor-messages.js";
import { NamedParts, type PartsModel, PLAN_FILE } from "./parts-model.js";
import type { PlannedFrame } from "./planned-frame.js";

/** A job and what becomes of it if it is killed. */
export interface StagedJob {
  readonly job: PartJob;
  /** Whether it is done again after it was killed. */
  readonly retried: boolean;
  /** Whether it is killed the first time, perhaps. */
  readonly mortal: boolean;
}

/** How a job ended. */
export interface Outcome {
  readonly job: PartJob;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly code?: string | undefined;
  /** What a refusal may name. */
  readonly named: NamedParts;
}

interface Running {
  readonly staged: StagedJob;
  readonly actor: Actor;
  readonly named: NamedParts;
  /** The plan that it read first. */
  planId: string | undefined;
  /** Calls until it dies; never at 0. */
  readonly lifetime: number;
  calls: number;
  event: ActorEvent;
}

/** Actors at work at the same time, at most. */
const MAX_RUNNING = 3;
/** Calls of a job, or more: it may die before any of them. */
const MAX_LIFETIME = 150;
/** Once in so many calls the status is asked for. */
const CALLS_PER_STATUS = 12;
/** One in so many actors that die is a process that is killed. */
const REAL_KILLS = 8;
/** Far above what a schedule takes. */
const MAX_CALLS = 100_000;

/** What goes on at a target. */
export class Stage {
  readonly #pool: ActorPool;
  readonly #random: SeededRandom;
  readonly #frame: PlannedFrame;
  readonly model: PartsModel;
  kills = 0;
  calls = 0;
  statuses = 0;
  /** Of finalizers that were killed: one of them may have published. */
  finalizersKilled = 0;

  constructor(model: PartsModel, frame: PlannedFrame, { pool, random }: { pool: ActorPool; random: SeededRandom }) {
    this.#pool = pool;
    this.#random = random;
    this.#frame = frame;
    this.model = model;
  }

  /** Carries out all jobs, in this order as far as there is room. @param between called now and then, with all actors standing still */
  async play(jobs: readonly StagedJob[], between: () => Promise<StagedJob[]> = async () => []): Promise<Outcome[]> {
    const queue = [...jobs];
    const running: Running[] = [];
    const outcomes: Outcome[] = [];
    while (queue.length > 0 || running.length > 0) {
      if (++this.calls > MAX_CALLS) throw new Error("the schedule does not end");
      const room = running.length < MAX_RUNNING && queue.length > 0;
      if (room && (running.length === 0 || this.#random.oneIn(8))) {
        running.push(await this.#begin(queue.shift() as StagedJob));
      }
      const next = this.#random.pick(running);
      await this.#step(next);
      this.model.look();
      for (const { named } of running) named.look();
      if (this.#random.oneIn(CALLS_PER_STATUS)) this.#lookAtStatus();
      if (this.#random.oneIn(20)) queue.push(...(await between()));
      for (const { named } of running) named.look();
      if (next.event !== "killed" && "call" in next.event) continue;
      running.splice(running.indexOf(next), 1);
      this.#lookAtStatus();
      if (next.event !== "killed") this.#pool.giveBack(next.actor);
      if (next.event === "killed" || "dead" in next.event) {
        this.kills++;
        if (next.staged.job.kind === "finalize") this.finalizersKilled++;
        if (next.staged.retried) queue.push({ ...next.staged, mortal: this.#random.oneIn(3) });
      } else {
        outcomes.push({ job: next.staged.job, named: next.named, ...next.event });
      }
    }
    return outcomes;
  }

  async #begin(staged: StagedJob): Promise<Running> {
    const actor = this.#pool.take();
    const { target } = this.model;
    const death = this.#random.oneIn(REAL_KILLS) ? "kill" : "play";
    const event = await actor.begin({ target, frame: this.#frame, job: staged.job, death });
    const lifetime = staged.mortal ? this.#random.magnitude(1, MAX_LIFETIME) : 0;
    return { staged, actor, planId: undefined, lifetime, event, calls: 0, named: new NamedParts(this.model) };
  }

  /** Lets an actor make the call for which it waits. */
  async #step(running: Running): Promise<void> {
    if (running.event === "killed" || !("call" in running.event)) return;
    const message: ActorMessage = running.event;
    if (++running.calls === running.lifetime) {
      running.event = await running.actor.answer(this.#random.oneIn(2) ? TEAR : DIE);
      return;
    }
    running.event = await running.actor.answer(GO);
    this.model.saw(message, running.planId ?? "");
    if (message.call === "readFileSync" && message.paths[0]?.endsWith(PLAN_FILE)) running.planId ??= this.model.planId;
  }

  #lookAtStatus(): void {
    this.statuses++;
    this.model.requireStatus();
  }
}
