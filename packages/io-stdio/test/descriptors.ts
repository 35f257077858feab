import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { shareHandleBudget } from "../src/index.js";

/** The path of a program of the tests. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url));
}

/** One worker thread for each `workerData`; resolves to what each sent, when all have ended. */
export function runWorkers<T>(program: string, workerData: readonly object[]): Promise<T[]> {
  return Promise.all(
    workerData.map((data) => {
      const worker = new Worker(programPath(program), { workerData: data });
      let message: T | undefined;
      worker.on("message", (each: T) => {
        message = each;
      });
      return new Promise<T>((resolve, reject) => {
        worker.on("error", reject);
        worker.on("exit", () => (message === undefined ? reject(new Error("no message")) : resolve(message)));
      });
    }),
  );
}

/** Runs `body` with another limit of the process's budget, which begins with a peak of what is held now. */
export async function withProcessLimit(limit: number, body: () => Promise<void>): Promise<void> {
  const cells = new Int32Array(shareHandleBudget());
  const [held = 0, before = 0, peak = 0] = cells;
  cells.set([held, limit, held]);
  try {
    await body();
  } finally {
    cells[1] = before;
    cells[2] = Math.max(peak, cells[2] ?? 0);
  }
}
