/** Packing many files by several processes. @module */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { StopRequest } from "../command-line/stop-request.js";
import type { FileToPack } from "./find-files.js";
import type { PackAnswer, PackMessage } from "./pack-worker.js";

const SCRIPT = fileURLToPath(new URL("pack-worker.js", import.meta.url));
/** How often a request to stop is looked for. */
const BREATH_MS = 100;

/** Told of each file when it is done, or has failed. */
export type OnPacked = (file: FileToPack, answer: PackAnswer) => void;

/** What packing needs. */
export interface PackFilesJob {
  readonly files: readonly FileToPack[];
  readonly options: PackMessage["options"];
  readonly workers: number;
  readonly stopRequest: StopRequest;
  readonly onPacked: OnPacked;
}

/** One process, and the next one in its place if it dies. */
class PackWorker {
  #child: ChildProcess | undefined;

  /** A worker that dies, out of memory or killed, fails its file and no other. */
  async pack(message: PackMessage): Promise<PackAnswer> {
    this.#child ??= fork(SCRIPT);
    const child = this.#child;
    return await new Promise((resolve) => {
      const done = (answer: PackAnswer): void => {
        child.removeAllListeners();
        resolve(answer);
      };
      child.once("message", (answer: PackAnswer) => done(answer));
      child.once("exit", (code, signal) => {
        this.#child = undefined;
        done({ message: `${message.file.input}: the worker process ended (${signal ?? code})`, code: "WORKER_ENDED" });
      });
      child.send(message);
    });
  }

  close(): void {
    this.#child?.disconnect();
  }
}

/** Packs all files; what fails is told of and does not hold up the others. @throws Stopped */
export async function packFiles({ files, options, workers, stopRequest, onPacked }: PackFilesJob): Promise<void> {
  const pool = Array.from({ length: Math.min(workers, files.length) }, () => new PackWorker());
  let next = 0;
  let stopped: unknown;
  const watch = setInterval(() => {
    stopRequest.breathe().catch((error: unknown) => {
      stopped = error;
    });
  }, BREATH_MS);
  try {
    await Promise.all(
      pool.map(async (worker) => {
        while (stopped === undefined && next < files.length) {
          const file = files[next++] as FileToPack;
          onPacked(file, await worker.pack({ file, options }));
        }
      }),
    );
  } finally {
    clearInterval(watch);
    for (const worker of pool) worker.close();
  }
  if (stopped !== undefined) throw stopped;
}
