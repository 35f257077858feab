/** Asking the worker. @module */
import type { Answer, Failure, OperationName, Operations } from "../worker/protocol.js";

/** A failure that the worker tells of. */
export class WorkerError extends Error {
  readonly code: string | undefined;

  constructor({ name, code, message }: Failure) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

interface Waiting {
  readonly resolve: (output: never) => void;
  readonly reject: (error: Error) => void;
  readonly tell: ((done: number, total: number) => void) | undefined;
}

/** How a question is asked. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const waiting = new Map<number, Waiting>();
let next = 1;

const worker = new Worker(new URL("../worker/worker-main.js", import.meta.url), { type: "module" });

worker.onmessage = ({ data }: MessageEvent<Answer>) => {
  const asked = waiting.get(data.id);
  if (asked === undefined) return;
  if ("total" in data) {
    asked.tell?.(data.done, data.total);
    return;
  }
  waiting.delete(data.id);
  if ("failure" in data) asked.reject(new WorkerError(data.failure));
  else asked.resolve(data.output as never);
};

worker.onerror = (event) => {
  const failure = { name: "Error", code: undefined, message: `the worker ended: ${event.message}` };
  for (const { reject } of waiting.values()) reject(new WorkerError(failure));
  waiting.clear();
};

/** Asks for an operation. @throws WorkerError */
export function ask<Name extends OperationName>(
  name: Name,
  input: Operations[Name]["takes"],
  { signal, onProgress }: AskOptions = {},
): Promise<Operations[Name]["gives"]> {
  const id = next++;
  const cancel = (): void => worker.postMessage({ id, cancel: true });
  const answer = new Promise<Operations[Name]["gives"]>((resolve, reject) => {
    waiting.set(id, { resolve, reject, tell: onProgress });
    worker.postMessage({ id, name, input });
    signal?.addEventListener("abort", cancel, { once: true });
  });
  return answer.finally(() => signal?.removeEventListener("abort", cancel));
}

/** An error that means no more than that nobody wants the answer. */
export function isAbort(error: unknown): boolean {
  return error instanceof WorkerError && error.name === "AbortError";
}
