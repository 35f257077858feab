/** Starting a decoding worker: a module worker that bundlers find, or a thread of Node. @module */
import { UnsupportedError } from "@b2frame/core/read";
import type { Reply, Request } from "./messages.js";
import { type NodeWorker, nodeThreads } from "./node-threads.js";

/** A running worker. */
export interface RunningWorker {
  send(request: Request, transfer: readonly ArrayBuffer[]): void;
  /** Whether the process, where there is one, is kept running. */
  keepRunning(kept: boolean): void;
  stop(): Promise<void>;
}

/** What is used of a page's `Worker`, whose own type programs for Node need not have. */
export interface WebWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: string, listener: (event: object) => void): void;
  terminate(): void;
}

/** What a worker reports. */
export interface WorkerEvents {
  reply(reply: Reply): void;
  failed(reason: string, cause: unknown): void;
}

/** Node runs JavaScript only, so this is the compiled file, also where the tests import the sources. */
const NODE_ENTRY = "../../dist/workers/decode-worker.js";

function overNode(worker: NodeWorker, { reply, failed }: WorkerEvents): RunningWorker {
  worker.on("message", reply);
  worker.on("error", (error) => failed("failed", error));
  worker.on("messageerror", (error) => failed("sent what can't be read", error));
  worker.on("exit", (status: number) => failed(`ended with status ${status}`, undefined));
  worker.unref();
  return {
    send: (request, transfer) => worker.postMessage(request, transfer),
    keepRunning: (kept) => (kept ? worker.ref() : worker.unref()),
    stop: async () => void (await worker.terminate()),
  };
}

function overWeb(worker: WebWorker, { reply, failed }: WorkerEvents): RunningWorker {
  worker.addEventListener("message", (event) => reply((event as MessageEvent<Reply>).data));
  worker.addEventListener("error", (event) => {
    const { message, error } = event as ErrorEvent;
    // A script that can't be loaded gives no message.
    const why = message || "its script could not be loaded, or the page's Content-Security-Policy forbids it";
    failed(`failed: ${why}`, error);
  });
  worker.addEventListener("messageerror", () => failed("sent what can't be read", undefined));
  return {
    send: (request, transfer) => worker.postMessage(request, transfer as ArrayBuffer[]),
    keepRunning: () => {},
    stop: () => {
      worker.terminate();
      return Promise.resolve();
    },
  };
}

/**
 * @param make makes the page's worker, where its script is elsewhere.
 * @throws UnsupportedError in a runtime without workers
 */
export function startWorker(index: number, make: (() => WebWorker) | undefined, events: WorkerEvents): RunningWorker {
  if (make !== undefined) return overWeb(make(), events);
  const threads = nodeThreads();
  const name = `b2frame decoding ${index}`;
  if (threads !== undefined)
    return overNode(new threads.Worker(new URL(NODE_ENTRY, import.meta.url), { name }), events);
  if (typeof Worker === "function") {
    return overWeb(new Worker(new URL("./decode-worker.js", import.meta.url), { type: "module" }), events);
  }
  throw new UnsupportedError("BLOSC2_UNSUPPORTED", "this runtime has no workers; leave the option pool away", {
    feature: "workers",
  });
}
