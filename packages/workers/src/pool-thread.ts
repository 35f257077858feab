/** A worker thread, as the thread that started it sees it. @module */
import { Worker } from "node:worker_threads";
import { Blosc2Error, IoError } from "@b2frame/core";
import { decodeError } from "@b2frame/core/backend";
import type { JobSpec } from "./jobs.js";
import type { Lane } from "./lane.js";
import type { Reply, Request, ThreadSetup } from "./messages.js";

/** Node runs JavaScript only, so this is the compiled file, also where the tests import the sources. */
const ENTRY: URL = new URL("../dist/worker-main.js", import.meta.url);

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type WithoutCall<R> = R extends Request ? Omit<R, "call"> : never;

/** While it has something to do it keeps the process running, else not. */
export class PoolThread implements Lane {
  readonly isThread = true;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastCall = 0;
  #ended: Error | undefined;
  readonly #exit: Promise<void>;

  constructor(index: number, setup: ThreadSetup) {
    this.#worker = new Worker(ENTRY, { name: `b2frame ${index}`, workerData: setup });
    this.#worker.on("message", (reply: Reply) => this.#settle(reply));
    this.#worker.on("messageerror", (error) => this.#fail(ended("sent what can't be read", error)));
    this.#worker.on("error", (error) => this.#fail(ended("failed", error)));
    this.#exit = new Promise((resolve) => {
      this.#worker.on("exit", (status) => {
        this.#fail(ended(`ended with status ${status}`, undefined));
        resolve();
      });
    });
    this.#worker.unref();
  }

  /** Whether it can't be used any longer. */
  get dead(): boolean {
    return this.#ended !== undefined;
  }

  begin(job: number, spec: JobSpec): void {
    // A thread that has ended says so to the first task.
    this.#call({ type: "begin", job, spec }).catch(() => undefined);
  }

  run<Task, Result>(job: number, task: Task, transfer: readonly ArrayBuffer[] = []): Promise<Result> {
    return this.#call({ type: "run", job, task }, transfer) as Promise<Result>;
  }

  async end(job: number): Promise<void> {
    if (!this.dead) await this.#call({ type: "end", job });
  }

  /** Resolves when the thread has started. @throws what its setup threw */
  async ready(): Promise<void> {
    await this.#call({ type: "ping" });
  }

  /** Lets it end after what it was given to do. */
  async stop(): Promise<void> {
    if (!this.dead) this.#call({ type: "stop" }).catch(() => undefined);
    await this.#exit;
  }

  #call(request: WithoutCall<Request>, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      const call = ++this.#lastCall;
      this.#worker.postMessage({ ...request, call } as Request, transfer as ArrayBuffer[]);
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(call, { resolve, reject });
    });
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.call);
    this.#waiting.delete(reply.call);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ("error" in reply) waiting?.reject(decodeError(reply.error));
    else waiting?.resolve(reply.result);
  }

  #fail(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
    this.#worker.unref();
    // Another thread will get its number and with it its part of shared memory.
    this.#worker.terminate().catch(() => undefined);
  }
}

function ended(how: string, cause: unknown): Error {
  const outOfMemory = (cause as { code?: string } | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  if (outOfMemory) {
    return new Blosc2Error("BLOSC2_LIMIT_EXCEEDED", "a worker thread ran out of memory", { limit: "memory" }, cause);
  }
  return new IoError("BLOSC2_IO_FAILED", `a worker thread ${how}`, { operation: "run in a worker thread" }, cause);
}
