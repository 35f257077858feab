/**
 * `pnpm torture remote`: arrays are read from a server that misbehaves in every way that a seed decides on. What is read must be right and of one
 * version, or refused by name; nothing may hang, be left unhandled, or stay in memory.
 *
 * @module
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { asarray, isBlosc2Error } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { openRemoteArray, type RemoteArray, type RemoteOptions } from "@b2frame/remote";
import type { Tally } from "../tally.js";
import { type Misbehaviour, RangeServer } from "./range-server.js";

/** Options of {@link injectFaults}. */
export interface FaultOptions {
  readonly faults: number;
  readonly seed: number;
}

const ROWS = 300;
const COLUMNS = 400;
const VERSIONS = 4;
/** Requests of which one misbehaves, on average. */
const FAULT_EVERY = 5;
/** Rounds at a time. */
const CONCURRENCY = 4;
/** Milliseconds after which a round of reads counts as hanging: many times what its tries take at most. */
const HANGS_AFTER = 180_000;
/** What may stay in memory between the first fifth and the end. */
const MAY_GROW = 8 * 2 ** 20;
const STATUSES = [408, 425, 429, 500, 502, 503, 504, 403, 404, 412, 416];
/** A cache that holds a part of the file only, so that there is something to ask for. */
const OPTIONS: RemoteOptions = {
  cacheBytes: 64_000,
  timeout: 100,
  retry: { tries: 5, minDelay: 1, maxDelay: 20 },
};
const FAILURES: ReadonlySet<string> = new Set([
  "BLOSC2_IO_FAILED",
  "BLOSC2_IO_NOT_FOUND",
  "BLOSC2_IO_SHORT_READ",
  "BLOSC2_IO_STALE",
]);

/** An item of a version of the file: no two versions have one in common. */
function itemOf(index: number, version: number): number {
  return ((Math.imul(index + 1, 2654435761) >>> 24) & 0xfc) | version;
}

function frameOf(version: number): Uint8Array {
  const items = Uint8Array.from({ length: ROWS * COLUMNS }, (_, i) => itemOf(i, version));
  using array = asarray(items, { shape: [ROWS, COLUMNS], chunks: [50, 100], blocks: [10, 50] });
  return array.toCframe();
}

function faultOf(random: SeededRandom): Misbehaviour {
  const position = random.integer(0, 3000);
  return random.pick<() => Misbehaviour>([
    () => ({
      kind: "status",
      status: random.pick(STATUSES),
      headers: { "retry-after": random.oneIn(2) ? "0" : "soon" },
    }),
    () => ({ kind: "cut", bytes: position }),
    () => ({ kind: "shifted" }),
    () => ({ kind: "elsewhere", by: 1 + position }),
    () => ({ kind: "endless" }),
    () => ({ kind: "gzip" }),
    () => ({ kind: "reset" }),
    () => ({ kind: "reset-after", bytes: position }),
    () => ({ kind: "hang" }),
    () => ({ kind: "slow", pause: random.integer(1, 60) }),
    () => ({ kind: "whole" }),
    () => ({ kind: "ok-for-range" }),
  ])();
}

/** One array that is read, and which version it was found to be of. */
interface Reader {
  readonly array: RemoteArray;
  version: number | undefined;
}

/** See the module. */
class FaultRun {
  readonly #random: SeededRandom;
  readonly #server: RangeServer;
  readonly #frames = Array.from({ length: VERSIONS }, (_, version) => frameOf(version));
  readonly counts = { faults: 0, reads: 0, refused: 0, stale: 0, replaced: 0, givenUp: 0 };
  readonly #url: string;

  constructor(seed: number, server: RangeServer) {
    this.#random = new SeededRandom(seed);
    this.#server = server;
    this.#url = this.#replace();
    server.decide = () => {
      if (!this.#random.oneIn(FAULT_EVERY)) return undefined;
      this.counts.faults++;
      const fault = faultOf(this.#random);
      // Where an answer does not say what range it is, nobody can tell that it is another one, or a shorter one of a shorter file.
      const undetectable = fault.kind === "elsewhere" || fault.kind === "cut";
      return undetectable && !server.contentRange ? { kind: "reset" } : fault;
    };
  }

  #replace(): string {
    this.counts.replaced++;
    this.#server.contentRange = !this.#random.oneIn(4);
    return this.#server.put("a.b2nd", this.#frames[this.#random.integer(0, VERSIONS - 1)] as Uint8Array);
  }

  /** Opens an array, and reads pieces of it at a time, while the file may be replaced. @throws Error for what is wrong */
  async round(): Promise<void> {
    const array = await this.#try(() => openRemoteArray(this.#url, OPTIONS));
    if (array === undefined) return;
    const reader: Reader = { array, version: undefined };
    try {
      for (let batch = this.#random.integer(1, 6); batch > 0; batch--) {
        if (this.#random.oneIn(8)) this.#replace();
        const reads = Array.from({ length: this.#random.integer(1, 5) }, () => this.#read(reader));
        const ended = await Promise.allSettled(reads);
        for (const end of ended) if (end.status === "rejected") throw end.reason;
        if (this.#random.oneIn(3)) {
          // Which version it is of after a refresh that failed is not known either.
          reader.version = undefined;
          await this.#try(() => array.refresh());
        }
      }
    } finally {
      array.close();
    }
  }

  async #read(reader: Reader): Promise<void> {
    const random = this.#random;
    const start = [random.integer(0, ROWS - 1), random.integer(0, COLUMNS - 1)] as const;
    const stop = [random.integer(start[0] + 1, ROWS), random.integer(start[1] + 1, COLUMNS)] as const;
    const controller = new AbortController();
    const giveUp = random.oneIn(6);
    if (giveUp) setTimeout(() => controller.abort(new Error("given up")), random.integer(0, 30));
    const options = giveUp ? { signal: controller.signal } : {};
    const items = await this.#try(() => reader.array.getSlice(start, stop, [], options));
    if (items === undefined) return;
    this.counts.reads++;
    const { bytes } = items;
    const version = (bytes[0] as number) & 3;
    const width = stop[1] - start[1];
    for (let i = 0; i < bytes.length; i++) {
      const index = (start[0] + Math.floor(i / width)) * COLUMNS + start[1] + (i % width);
      if (bytes[i] !== itemOf(index, version)) throw new Error(`item ${index} is ${bytes[i]}, of version ${version}`);
    }
    if (bytes.length !== (stop[0] - start[0]) * width) throw new Error(`${bytes.length} items of ${start} to ${stop}`);
    reader.version ??= version;
    if (reader.version !== version) throw new Error(`items of version ${version} after those of ${reader.version}`);
  }

  /** What a job gives; undefined if it was refused as it may be. @throws Error for any other failure */
  async #try<T>(job: () => Promise<T>): Promise<T | undefined> {
    try {
      return await job();
    } catch (error) {
      if ((error as Error).message === "given up") this.counts.givenUp++;
      else if (isBlosc2Error(error) && FAILURES.has(error.code)) this.#countRefusal(error.code);
      else throw new Error(`failed with what is no named refusal: ${(error as Error).stack}`);
      return undefined;
    }
  }

  #countRefusal(code: string): void {
    if (code === "BLOSC2_IO_STALE") this.counts.stale++;
    else this.counts.refused++;
  }
}

/** Memory in use after everything that can be given back was. */
async function memoryInUse(collect: () => void): Promise<number> {
  // What is under way ends, and what ended is collected.
  await new Promise((resolve) => setTimeout(resolve, 300));
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** @throws Error when the time is over first */
async function withinTime(job: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs: no end after ${HANGS_AFTER} ms`)), HANGS_AFTER);
  });
  try {
    await Promise.race([job, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs rounds until so many faults have been injected. */
export async function injectFaults({ faults, seed }: FaultOptions, tally: Tally): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const server = await RangeServer.start();
  const run = new FaultRun(seed, server);
  const note = (error: unknown): void => tally.fail(`an unhandled rejection: ${(error as Error).stack}`);
  process.on("unhandledRejection", note);
  let early: number | undefined;
  try {
    for (let round = 1; run.counts.faults < faults; round += CONCURRENCY) {
      const rounds = Array.from({ length: CONCURRENCY }, (_, i) =>
        tally.attemptAsync(`round ${round + i}, --seed ${seed}`, () => withinTime(run.round())),
      );
      await Promise.all(rounds);
      if (run.counts.faults > faults / 5) early ??= await memoryInUse(collect);
      server.requests.length = 0;
    }
    const grown = (await memoryInUse(collect)) - (early as number);
    await tally.attemptAsync("memory", () => {
      if (grown > MAY_GROW) throw new Error(`${grown} bytes more are in use than after the first fifth`);
      return Promise.resolve();
    });
    const { faults: injected, reads, refused, stale, replaced, givenUp } = run.counts;
    console.error(
      `${injected} faults, ${replaced} replaced files: ${reads} reads right, ${refused} refused by name, ${stale} stale, ${givenUp} given up; memory grew by ${grown} bytes`,
    );
  } finally {
    process.off("unhandledRejection", note);
    await server.stop();
  }
}
