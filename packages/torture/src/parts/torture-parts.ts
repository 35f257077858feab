/** `pnpm torture parts`: frames in parts, by processes that run in any order, twice, at once, and are killed at any call. @module */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { abortParts, finalizeParts, partsPlanOf, planParts } from "@b2frame/parts";
import type { Tally } from "../tally.js";
import { ActorPool } from "./actor.js";
import type { PartJob } from "./actor-messages.js";
import { damagePart } from "./damage.js";
import { PartsModel, PLAN_FILE } from "./parts-model.js";
import { type PlannedFrame, randomFrame, writeAlone } from "./planned-frame.js";
import { type Outcome, Stage, type StagedJob } from "./stage.js";

/** Options of {@link tortureParts}. */
export interface TorturePartsOptions {
  readonly trials: number;
  readonly seed: number;
}

/** What all schedules came to. */
interface Totals {
  calls: number;
  kills: number;
  statuses: number;
  damages: number;
  aborts: number;
  lostRaces: number;
}

/** Runs the schedules; each has a seed of its own, the first one that which was given. */
export async function tortureParts({ trials, seed }: TorturePartsOptions, tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-parts-"));
  const totals: Totals = { calls: 0, kills: 0, statuses: 0, damages: 0, aborts: 0, lostRaces: 0 };
  let pool = new ActorPool();
  try {
    for (let trial = 0; trial < trials; trial++) {
      const own = seed + trial;
      const schedule = new Schedule(join(folder, `${own}`), { pool, random: new SeededRandom(own) }, totals);
      let failed = true;
      await tally.attemptAsync(`--seed ${own} --trials 1`, async () => {
        await schedule.run();
        failed = false;
      });
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      mkdirSync(folder);
      if (!failed) continue;
      // Actors of a schedule that failed stand in the middle of their jobs.
      pool.close();
      pool = new ActorPool();
    }
  } finally {
    pool.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const { calls, kills, statuses, damages, aborts, lostRaces } = totals;
  console.log(
    `${calls} calls in turns, ${kills} kills, ${statuses} looks at the status, ${damages} damaged parts, ${aborts} aborts, ` +
      `${lostRaces} finalizers that lost`,
  );
}

class Schedule {
  readonly #random: SeededRandom;
  readonly #frame: PlannedFrame;
  readonly #target: string;
  readonly #stage: Stage;
  readonly #parts: number;
  readonly #totals: Totals;
  #damages = 1;

  constructor(target: string, tools: { pool: ActorPool; random: SeededRandom }, totals: Totals) {
    this.#target = target;
    this.#random = tools.random;
    this.#frame = randomFrame(tools.random);
    this.#totals = totals;
    const probe = `${target}-probe`;
    this.#parts = planParts(probe, this.#frame.options).parts.length;
    abortParts(probe);
    this.#stage = new Stage(new PartsModel(target, this.#parts), this.#frame, tools);
  }

  async run(): Promise<void> {
    const alone = `${this.#target}-alone`;
    writeAlone(this.#frame, alone);
    try {
      await this.#plan();
      await this.#write();
      if (this.#random.oneIn(4)) await this.#abort();
      if (!existsSync(this.#target)) {
        await this.#writeWhatIsLeft();
        await this.#finalize();
      }
      requireSame(alone, this.#target);
      requireEqual("what is left beside the target", this.#leftovers(), []);
    } finally {
      this.#totals.calls += this.#stage.calls;
      this.#totals.kills += this.#stage.kills;
      this.#totals.statuses += this.#stage.statuses;
    }
  }

  #staged(job: PartJob): StagedJob {
    return { job, retried: true, mortal: this.#random.oneIn(2) };
  }

  #writeJob(part: number): StagedJob {
    return this.#staged({ kind: "write", part, again: this.#random.oneIn(2) });
  }

  /** Writers that nobody waits for: what they do must not matter. */
  #stragglers(): StagedJob[] {
    return Array.from({ length: this.#random.integer(0, 2) }, () => ({
      ...this.#staged({ kind: "write", part: this.#random.integer(0, this.#parts - 1), again: true }),
      retried: false,
    }));
  }

  #shuffled<T>(items: readonly T[]): T[] {
    return this.#random.permutation(items.length).map((at) => items[at] as T);
  }

  async #play(jobs: readonly StagedJob[], between?: () => Promise<StagedJob[]>): Promise<Outcome[]> {
    const outcomes = await this.#stage.play(this.#shuffled(jobs), between);
    const aborted = jobs.some(({ job }) => job.kind === "abort");
    for (const outcome of outcomes) requireAllowed(outcome, this.#stage.model.planGone, aborted);
    return outcomes;
  }

  /** One or two planners; both are told of the same plan. */
  async #plan(): Promise<void> {
    const jobs = Array.from({ length: this.#random.integer(1, 2) }, () => this.#staged({ kind: "plan" }));
    const { id } = await this.#play(jobs).then(() => partsPlanOf(this.#target));
    requireEqual("the plan", id, this.#stage.model.planId);
  }

  /** All parts, some twice, and perhaps a finalizer that is too early. */
  async #write(): Promise<void> {
    const parts = Array.from({ length: this.#parts }, (_, part) => part);
    const twice = parts.filter(() => this.#random.oneIn(3));
    const jobs = [...parts, ...twice].map((part) => this.#writeJob(part));
    if (this.#random.oneIn(3)) jobs.push(this.#staged({ kind: "finalize" }));
    await this.#play(jobs, () => this.#damageOne());
  }

  /** Damages a part in one schedule of three; writing it once more mends that. */
  async #damageOne(): Promise<StagedJob[]> {
    const { model } = this.#stage;
    const done = model.partsThatAre("done");
    const there = existsSync(`${this.#target}${PLAN_FILE}`);
    if (this.#damages === 0 || !there || existsSync(this.#target) || done.length === 0) return [];
    this.#damages--;
    if (!this.#random.oneIn(3)) return [];
    const part = this.#random.pick(done);
    const damage = await damagePart({ target: this.#target, frame: this.#frame, done }, part, this.#random);
    model.setState(part, damage === "removed" ? "missing" : "damaged");
    this.#totals.damages++;
    return [this.#writeJob(part)];
  }

  /** An abort with others at work, and then one without: nothing is left. Half of the time the frame is planned again meanwhile. */
  async #abort(): Promise<void> {
    this.#totals.aborts++;
    const jobs = [this.#staged({ kind: "abort" }), ...this.#stragglers()];
    if (this.#random.oneIn(3)) jobs.push(this.#staged({ kind: "finalize" }));
    const again = this.#random.oneIn(2);
    if (again) jobs.push(this.#staged({ kind: "plan" }), ...this.#stragglers());
    await this.#play(jobs);
    if (again) return;
    abortParts(this.#target);
    requireEqual("what abort leaves", this.#leftovers(), []);
  }

  /** What is missing or damaged by now, with a new plan if there is none. */
  async #writeWhatIsLeft(): Promise<void> {
    const { model } = this.#stage;
    if (!existsSync(`${this.#target}${PLAN_FILE}`)) await this.#plan();
    const left = [...model.partsThatAre("missing"), ...model.partsThatAre("damaged")];
    await this.#play(left.map((part) => this.#writeJob(part)));
    requireEqual("parts done", model.partsThatAre("done").length, this.#parts);
  }

  /** Two finalizers and stragglers at once. */
  async #finalize(): Promise<void> {
    const finalizers = [this.#staged({ kind: "finalize" }), this.#staged({ kind: "finalize" })];
    const outcomes = await this.#play([...finalizers, ...this.#stragglers()]);
    const published = outcomes.filter(({ result }) => result?.published === true).length;
    const least = this.#stage.finalizersKilled > 0 ? 0 : 1;
    if (published > 1 || published < least) throw new Error(`${published} finalizers say that they published`);
    this.#totals.lostRaces += 2 - published;
    requireEqual("finalizing once more", finalizeParts(this.#target).published, false);
  }

  #leftovers(): string[] {
    const name = `${basename(this.#target)}.parts`;
    return readdirSync(dirname(this.#target)).filter((found) => found === name);
  }
}

/** @throws Error for an outcome that there must not be */
function requireAllowed({ job, result, error, code, named }: Outcome, planGone: boolean, aborted: boolean): void {
  if (result !== undefined) return;
  const what = `${job.kind} failed: ${error}`;
  // Where a finalizer and a planner are at work next to an abort, the one may have published before the other begins.
  if (job.kind === "plan" && aborted && code === "BLOSC2_IO_EXISTS") return;
  if (code === undefined || job.kind === "plan" || job.kind === "abort") throw new Error(what);
  if (job.kind === "write") {
    if (!planGone || !code.startsWith("BLOSC2_IO_")) throw new Error(what);
    return;
  }
  if (aborted && code === "BLOSC2_IO_NOT_FOUND") return;
  if (!named.any) throw new Error(what);
  named.requireNamed(error ?? "");
}

function requireEqual(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

/** @throws Error for a file, or a folder of files, with other bytes */
function requireSame(expected: string, found: string): void {
  if (!statSync(expected).isDirectory()) {
    const [right, bytes] = [readFileSync(expected), readFileSync(found)];
    if (right.equals(bytes)) return;
    const at = right.findIndex((byte, i) => byte !== bytes[i]);
    throw new Error(`the result has ${bytes.length} bytes instead of ${right.length}, and differs from byte ${at} on`);
  }
  const names = readdirSync(expected).sort();
  requireEqual("files of the result", readdirSync(found).sort(), names);
  for (const name of names) requireSame(join(expected, name), join(found, name));
}
