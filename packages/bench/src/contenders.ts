/** The contenders of trials on files: b2frame and, where it is there, C-Blosc2, each with both backends. @module */
import type { Durability, IoBackend } from "@b2frame/core";
import type { WorkerPool } from "@b2frame/workers";
import type { BenchContext } from "./bench-context.js";
import { timed, timedAsync } from "./clock.js";
import type { CDriver, CFile } from "./peer/c-driver.js";
import type { Contender, Sample } from "./trial.js";

/** Numbers of worker threads to try. */
const WORKERS: readonly number[] = [1, 2];

/** How a trial's work is done by each side. */
export interface FileWork {
  /** What one sample gets done. */
  readonly amount: number;
  /** The files that b2frame and C-Blosc2 read or write: one that both read, or one each. */
  readonly paths: { readonly ours: string; readonly theirs: string };
  /** Untimed, before each sample, with the path of whose turn it is. */
  prepare?(path: string): void;
  /** b2frame's way. Gives the last output, or a number that stands for it. */
  ours(path: string, backend: IoBackend, durability: Durability): Uint8Array | number;
  /** The same on worker threads, if that is compared as well: {@link WORKERS} of them, with as many threads of C-Blosc2's. */
  oursOnWorkers?(
    path: string,
    io: "stdio" | "mmap",
    pool: WorkerPool,
    durability: Durability,
  ): Promise<Uint8Array | number>;
  /** C-Blosc2's way. */
  theirs?(driver: CDriver, file: CFile, sync: boolean): Promise<Sample>;
  /** What a sample of C-Blosc2's gets done, if that is less. */
  readonly theirAmount?: number;
  /** False if C-Blosc2 takes long. */
  readonly warmTheirs?: boolean;
  /**
   * Whether the work writes. Then b2frame does it durably, as it is used to, and once more without waiting for the disk; and
   * C-Blosc2 as it is used to, and with `"with-sync"` once more with an `fdatasync` at the end.
   */
  readonly writes?: "with-sync" | "without-sync";
}

/** How b2frame is run, for work that writes or does not. */
function ourDurabilities({ writes }: FileWork): readonly (Durability | undefined)[] {
  return writes === undefined ? [undefined] : ["disk", "process"];
}

/** How C-Blosc2 is run. */
function theirDurabilities({ writes }: FileWork): readonly ("none" | "disk" | undefined)[] {
  if (writes === undefined) return [undefined];
  return writes === "with-sync" ? ["none", "disk"] : ["none"];
}

function labelled<T extends string>(durability: T | undefined): { readonly durability?: T } {
  return durability === undefined ? {} : { durability };
}

/** b2frame and C-Blosc2 through stdio, then both through mmap. */
export function fileContenders(context: BenchContext, work: FileWork): Contender[] {
  const contenders: Contender[] = [];
  for (const backendName of ["stdio", "mmap"] as const) {
    const backend = context.backends[backendName];
    const { ours, oursOnWorkers, theirs, paths, amount } = work;
    const numbers = oursOnWorkers === undefined ? [0] : [0, ...WORKERS];
    for (const workers of numbers) {
      for (const durability of ourDurabilities(work)) {
        const wanted = durability ?? "disk";
        contenders.push({
          backend: backendName,
          workers,
          name: "b2frame",
          amount,
          warmUp: true,
          ...labelled(durability),
          prepare: () => work.prepare?.(paths.ours),
          sample: () =>
            workers === 0 || oursOnWorkers === undefined
              ? timed(() => ours(paths.ours, backend, wanted))
              : timedAsync(() => oursOnWorkers(paths.ours, backendName, context.pool(workers), wanted)),
        });
      }
    }
    const { driver } = context;
    if (driver === undefined || theirs === undefined) continue;
    for (const workers of numbers) {
      for (const durability of theirDurabilities(work)) {
        contenders.push({
          backend: backendName,
          workers,
          name: "c-blosc2",
          amount: work.theirAmount ?? amount,
          warmUp: work.warmTheirs ?? true,
          ...labelled(durability),
          prepare: () => work.prepare?.(paths.theirs),
          sample: () =>
            theirs(
              driver,
              { path: paths.theirs, io: backendName, threads: Math.max(1, workers) },
              durability === "disk",
            ),
        });
      }
    }
  }
  return contenders;
}
