/** What a worker thread runs. @module */
import { parentPort, workerData } from "node:worker_threads";
import { IoError } from "@b2frame/core";
import { encodeError } from "@b2frame/core/backend";
import { registerPlugins } from "@b2frame/core/plugins";
import { registerNodeCodecs } from "@b2frame/node-codecs";
import { callExport } from "./backend-spec.js";
import type { Job, Outcome } from "./job.js";
import { openJob } from "./jobs.js";
import type { Reply, Request, ThreadSetup } from "./messages.js";

const { setup, thread } = workerData as ThreadSetup;
const jobs = new Map<number, Job<unknown, unknown>>();
/** What setting a job up failed with. */
const failures = new Map<number, unknown>();
const NOTHING: Outcome<undefined> = { result: undefined, transfer: [] };

/** A message that can't be read is dropped by the platform. */
function lostJob(): IoError {
  return new IoError("BLOSC2_IO_FAILED", "a worker thread could not read what it was told", {
    operation: "run in a worker thread",
  });
}

async function begin(job: number, spec: Extract<Request, { type: "begin" }>["spec"]): Promise<void> {
  try {
    jobs.set(job, (await openJob(spec, thread)) as Job<unknown, unknown>);
  } catch (error) {
    failures.set(job, error);
  }
}

function run(job: number, task: unknown): Outcome<unknown> {
  const opened = jobs.get(job);
  if (opened === undefined) throw failures.get(job) ?? lostJob();
  return opened.run(task);
}

function end(job: number): void {
  const opened = jobs.get(job);
  jobs.delete(job);
  failures.delete(job);
  opened?.close();
}

/** With its exit handlers, which give held files back to the process's budget. */
function stop(): never {
  for (const job of jobs.keys()) end(job);
  return process.exit(0);
}

async function answer(request: Request): Promise<Outcome<unknown>> {
  // Also where starting has failed.
  if (request.type === "stop") return stop();
  await started;
  switch (request.type) {
    case "begin":
      await begin(request.job, request.spec);
      return NOTHING;
    case "run":
      return run(request.job, request.task);
    case "end":
      end(request.job);
      return NOTHING;
    case "ping":
      return NOTHING;
  }
}

async function start(): Promise<void> {
  registerPlugins();
  registerNodeCodecs();
  if (setup !== undefined) await callExport("setup", setup);
}

const started: Promise<void> = start();
started.catch(() => undefined);

/** One after another, though setting a job up may wait for something. */
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (request: Request) => {
  last = last.then(async () => {
    const { call } = request;
    try {
      const { result, transfer } = await answer(request);
      parentPort?.postMessage({ call, result } satisfies Reply, transfer as ArrayBuffer[]);
    } catch (error) {
      parentPort?.postMessage({ call, error: encodeError(error) } satisfies Reply);
    }
  });
});
