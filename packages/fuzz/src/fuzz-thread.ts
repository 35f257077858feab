/** The thread that reads inputs. One of its own, so that the main thread can tell when it hangs. @module */
import { parentPort, workerData } from "node:worker_threads";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { readCorpus, readInput } from "./corpus.js";
import { guidedSearch } from "./guided-search.js";
import { encodeInput, type Input } from "./input.js";
import { Judge } from "./judge.js";
import { type Job, Progress, type Report } from "./protocol.js";
import { makeSetups } from "./setups.js";
import { singleChanges } from "./single-changes.js";
import { TARGETS } from "./targets/targets.js";

const job: Job = workerData;
const target = TARGETS[job.target];
const progress = new Progress(job.progress);
const judge = new Judge(target, await makeSetups());
let runs = 0;
// Nearly every input makes errors, and what their stacks cost says nothing about reading.
Error.stackTraceLimit = 5;

function tell(report: Report): void {
  parentPort?.postMessage(report);
}

function run(input: Input): void {
  const encoded = encodeInput(input);
  progress.begin(encoded);
  runs += 1;
  for (const problem of judge.problems(input)) tell({ kind: "finding", problem, input: encoded });
}

/** Processor time of this process, which runs nothing else. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** All that is known already, and what the seed makes of it. */
function search(): { found: Input[]; covered: number } {
  const end = processorTime() + job.milliseconds;
  const seeds = [...target.seeds(), ...readCorpus(job.target)];
  return guidedSearch({ seeds, random: new SeededRandom(job.seed), run, isOver: () => processorTime() >= end });
}

function changes(): void {
  for (const input of [...target.seeds(), ...readCorpus(job.target)]) run(input);
  for (const seed of target.seeds()) for (const input of singleChanges(seed, job.quick)) run(input);
}

let found: Input[] = [];
let covered = 0;
if (job.part === "changes") changes();
else if (job.part === "search") ({ found, covered } = search());
else for (const path of job.paths) run(readInput(path));
tell({ kind: "done", runs, found: found.map(encodeInput), covered });
