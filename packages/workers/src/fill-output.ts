/** Several threads that fill one output. @module */
import { FillControl, type FillResult, type FillTask } from "./fill-control.js";
import type { JobSpec } from "./jobs.js";
import { type Lane, newJob, TURN } from "./lane.js";
import type { SharedArea } from "./shared-area.js";
import { requireNotAborted, type WorkerOptions } from "./worker-options.js";

/** Milliseconds between reports of progress. */
const REPORT_INTERVAL = 50;

/** See the module's description. */
export interface Filling {
  readonly lanes: readonly Lane[];
  readonly operation: string;
  /** Receives the bytes. */
  readonly target: Uint8Array;
  /** Units of work; see `FillControl`. */
  readonly units: number;
  readonly options: WorkerOptions;
  /** What threads are told of shared bytes. */
  areaOf(bytes: Uint8Array): SharedArea;
  spec(output: SharedArea, control: SharedArrayBuffer): JobSpec;
}

/** Lanes for so much work: where there is nothing to share, the caller's thread does it. */
function outputFor(target: Uint8Array, lanes: readonly Lane[]): Uint8Array {
  const shared = target.buffer instanceof SharedArrayBuffer || !lanes.some((lane) => lane.isThread);
  return shared ? target : new Uint8Array(new SharedArrayBuffer(target.byteLength));
}

/** The failure that a single thread would have met first. */
function firstFailure(outcomes: readonly PromiseSettledResult<unknown>[], control: FillControl): unknown {
  let first: PromiseRejectedResult | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  outcomes.forEach((outcome, lane) => {
    if (outcome.status === "rejected" && control.failedUnit(lane) < lowest) {
      lowest = control.failedUnit(lane);
      first = outcome;
    }
  });
  return first;
}

/**
 * Fills the target. Memory that threads can't share is copied to from memory that they can.
 *
 * @throws what the first failing unit throws; what `onProgress` throws; Blosc2Error `BLOSC2_ABORTED`. No thread works on the target
 * any longer then.
 */
export async function fillOutput(filling: Filling): Promise<void> {
  const { lanes, operation, target, units, options } = filling;
  const { signal, onProgress } = options;
  requireNotAborted(signal, operation);
  const control = FillControl.create(lanes.length);
  const output = outputFor(target, lanes);
  const total = target.byteLength;
  const job = newJob();
  const stop = (): void => control.stop();
  let reportFailed: { readonly error: unknown } | undefined;
  const report = (done: number): void => {
    try {
      if (reportFailed === undefined) onProgress?.(done, total);
    } catch (error) {
      reportFailed = { error };
      control.stop();
    }
  };
  const timer = onProgress && setInterval(() => report(Math.floor((control.done / units) * total)), REPORT_INTERVAL);
  signal?.addEventListener("abort", stop);
  try {
    const area = lanes.some((lane) => lane.isThread) ? filling.areaOf(output) : output;
    for (const lane of lanes) lane.begin(job, filling.spec(area, control.memory));
    const outcomes = await Promise.allSettled(lanes.map((lane, i) => fillOn(lane, job, i, control)));
    const failure = firstFailure(outcomes, control) ?? outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined) throw (failure as PromiseRejectedResult).reason;
    requireNotAborted(signal, operation);
    if (output !== target) target.set(output);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
    await Promise.all(lanes.map((lane) => lane.end(job)));
  }
  report(total);
  if (reportFailed !== undefined) throw (reportFailed as { readonly error: unknown }).error;
}

async function fillOn(lane: Lane, job: number, index: number, control: FillControl): Promise<void> {
  const task: FillTask = { lane: index, pause: lane.isThread ? undefined : TURN };
  try {
    while (!(await lane.run<FillTask, FillResult>(job, task)).finished);
  } catch (error) {
    // Setting up may have failed as well.
    control.stop();
    throw error;
  }
}
