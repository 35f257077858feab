/** Node's worker threads, without an import that bundlers for pages would stumble over. @module */

/** A worker thread, or the port to the thread that started this one. */
interface NodePort {
  on(event: "message" | "error" | "messageerror" | "exit", listener: (value: never) => void): unknown;
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
}

/** A `Worker` of `node:worker_threads`. */
export interface NodeWorker extends NodePort {
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

interface NodeThreads {
  readonly Worker: new (entry: URL, options: { readonly name: string }) => NodeWorker;
  /** Null in the main thread. */
  readonly parentPort: NodePort | null;
}

interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
}

/** `undefined` in pages, and in runtimes that have web workers instead. */
export function nodeThreads(): NodeThreads | undefined {
  if (typeof Worker === "function" || "WorkerGlobalScope" in globalThis) return undefined;
  const { process } = globalThis as { process?: NodeProcess };
  return process?.getBuiltinModule?.("node:worker_threads") as NodeThreads | undefined;
}
