/** What must be said of the parts of a target, from what was let through to its folder. @module */
import { existsSync } from "node:fs";
import { isBlosc2Error } from "@b2frame/core";
import { partStatus, partsPlanOf } from "@b2frame/parts";
import type { ActorMessage } from "./actor-messages.js";

/** The end of the plan's path. */
export const PLAN_FILE = ".parts/plan.json";

const PART_FILE = /\.parts\/part-(\d+)\.b2frame$/;

/** Where a part is kept. */
export function partPath(target: string, part: number): string {
  return `${target}.parts/part-${String(part).padStart(6, "0")}.b2frame`;
}

type PartState = "done" | "missing" | "damaged";

/** The parts of one target. */
export class PartsModel {
  readonly target: string;
  readonly #states: PartState[];
  #planGone = false;
  #planId = "";
  /** Parts that somebody is about to remove: that takes more than one call. */
  readonly #removing = new Set<number>();

  constructor(target: string, parts: number) {
    this.target = target;
    this.#states = Array.from({ length: parts }, () => "missing");
  }

  /** Whether anything has taken a plan away at any time. */
  get planGone(): boolean {
    return this.#planGone;
  }

  /** The id of the last plan. */
  get planId(): string {
    return this.#planId;
  }

  #planned(): void {
    const { id } = partsPlanOf(this.target);
    if (id === this.#planId) return;
    this.#planId = id;
    // Parts of an earlier plan may still be there, where an abort is at work.
    for (const part of this.#states.keys()) {
      this.#states[part] = existsSync(partPath(this.target, part)) ? "damaged" : "missing";
    }
  }

  partsThatAre(state: PartState): number[] {
    return this.#states.flatMap((found, part) => (found === state ? [part] : []));
  }

  setState(part: number, state: PartState): void {
    this.#states[part] = state;
  }

  /** Takes note of the parts that have been removed. */
  look(): void {
    for (const part of this.#removing) {
      if (existsSync(partPath(this.target, part))) continue;
      this.setState(part, "missing");
      this.#removing.delete(part);
    }
  }

  /** Takes note of a call that has been made. @param planId that of the plan which the caller has read */
  saw(message: ActorMessage, planId: string): void {
    if (!("call" in message)) return;
    const [path = "", to = ""] = message.paths;
    if (message.call === "rmSync" && path.endsWith(PLAN_FILE)) this.#planGone = true;
    if (message.call === "linkSync" && to.endsWith(PLAN_FILE) && existsSync(to)) this.#planned();
    const removed = PART_FILE.exec(path)?.[1];
    if (message.call === "rmSync" && removed !== undefined) this.#removing.add(Number(removed));
    const part = PART_FILE.exec(to)?.[1];
    if (message.call !== "renameSync" || part === undefined || existsSync(path) || !existsSync(to)) return;
    this.setState(Number(part), planId === this.#planId ? "done" : "damaged");
  }

  /** Asks for the status and holds it against what it must be. @throws Error */
  requireStatus(): void {
    const { target } = this;
    if (!existsSync(`${target}${PLAN_FILE}`)) {
      try {
        partStatus(target);
      } catch (error) {
        if (isBlosc2Error(error) && error.code === "BLOSC2_IO_NOT_FOUND" && /no plan/.test(error.message)) return;
        throw error;
      }
      throw new Error("there is no plan, and status says nothing of it");
    }
    const { done, missing, damaged, published } = partStatus(target, { check: true });
    const found = { done, missing, damaged: damaged.map(({ part }) => part), published };
    const expected = {
      done: this.partsThatAre("done"),
      missing: this.partsThatAre("missing"),
      damaged: this.partsThatAre("damaged"),
      published: existsSync(target),
    };
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      throw new Error(`status: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
    }
  }
}

/** The numbers in `0-3, 7`. */
function numbersIn(text: string): number[] {
  const runs = text.split(", ").filter((run) => run !== "");
  return runs.flatMap((run) => {
    const [first = 0, last = first] = run.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** What may be named by a finalizer that is at work: parts that were missing or damaged some time, and all that were so all the time. */
export class NamedParts {
  readonly #model: PartsModel;
  readonly #ever = { missing: new Set<number>(), damaged: new Set<number>() };
  readonly #always = { missing: new Set<number>(), damaged: new Set<number>() };

  constructor(model: PartsModel) {
    this.#model = model;
    for (const state of ["missing", "damaged"] as const) this.#always[state] = new Set(model.partsThatAre(state));
    this.look();
  }

  /** To be called whenever the model has changed. */
  look(): void {
    for (const state of ["missing", "damaged"] as const) {
      const now = new Set(this.#model.partsThatAre(state));
      for (const part of now) this.#ever[state].add(part);
      for (const part of this.#always[state]) if (!now.has(part)) this.#always[state].delete(part);
    }
  }

  /** @throws Error for a refusal that does not name the parts for which it has to be */
  requireNamed(message: string): void {
    const missing = /parts? ([\d, -]+) of \d+ (?:is|are) missing/.exec(message)?.[1];
    // A part that goes away while it is joined is named by its file.
    const gone = missing ?? /part-0*(\d+)\.b2frame: .*(?:not found|no such)/i.exec(message)?.[1];
    const damaged = /\bparts? ([\d, -]+)\b/.exec(message)?.[1];
    const state = gone === undefined ? "damaged" : "missing";
    const named = new Set(numbersIn(gone ?? damaged ?? ""));
    const wrong = [...named].some((part) => !this.#ever[state].has(part));
    // Parts of which a chunk is bad are named one at a time, when they are joined.
    const left = [...this.#always[state]].some((part) => !named.has(part)) && /missing|expected whole/.test(message);
    if (named.size === 0 || wrong || left) {
      const sets = [this.#always[state], this.#ever[state]].map((set) => [...set].join());
      throw new Error(`finalize named other ${state} parts than {${sets[0]}} to {${sets[1]}}: ${message}`);
    }
  }

  /** Whether anything was missing or damaged at some time. */
  get any(): boolean {
    return this.#ever.missing.size + this.#ever.damaged.size > 0;
  }
}
