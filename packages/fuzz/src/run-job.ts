/** Running a job in a thread, and watching it. @module */
import { Worker } from "node:worker_threads";
import { type Job, Progress, type Report } from "./protocol.js";

/** Far above the second that an input may take. */
const HANG_MILLISECONDS = 15_000;

/** A fault and the first input that showed it. */
export interface Finding {
  readonly problem: string;
  readonly input: Uint8Array;
  count: number;
}

/** What came of a job. */
export interface JobResult {
  readonly runs: number;
  readonly findings: readonly Finding[];
  readonly found: readonly Uint8Array[];
  readonly covered: number;
}

/** The same fault at other numbers is the same. */
function signature(problem: string): string {
  return problem.split("\n", 3).join("\n").replace(/\d+/g, "#").slice(0, 300);
}

/** Runs `job` to its end, or until one input takes too long. */
export async function runJob(job: Omit<Job, "progress">): Promise<JobResult> {
  const progress = new Progress();
  const findings = new Map<string, Finding>();
  const note = (problem: string, input: Uint8Array): void => {
    const known = findings.get(signature(problem));
    if (known === undefined) findings.set(signature(problem), { problem, input, count: 1 });
    else known.count += 1;
  };
  let result: { runs: number; found: readonly Uint8Array[]; covered: number } | undefined;
  const worker = new Worker(new URL("./fuzz-thread.js", import.meta.url), {
    workerData: { ...job, progress: progress.buffer } satisfies Job,
  });
  let lastCount = -1;
  const watch = setInterval(() => {
    if (progress.count === lastCount && lastCount > 0) {
      note("hangs, or takes longer than 15 s", progress.current);
      worker.terminate().catch(() => {});
    }
    lastCount = progress.count;
  }, HANG_MILLISECONDS);
  await new Promise<void>((ended) => {
    worker.on("message", (report: Report) => {
      if (report.kind === "finding") note(report.problem, report.input);
      else result = report;
    });
    worker.on("error", (error) => note(`the thread ended: ${error.stack ?? error.message}`, progress.current));
    worker.on("exit", () => ended());
  });
  clearInterval(watch);
  if (result === undefined && findings.size === 0) note("the thread ended early", progress.current);
  return {
    runs: result?.runs ?? progress.count,
    findings: [...findings.values()],
    found: result?.found ?? [],
    covered: result?.covered ?? 0,
  };
}
