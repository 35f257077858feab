/** A process that reads frames and reports, as one JSON line, what memory it took. Its argument is a {@link MemoryJob}. @module */
import { readdirSync, readFileSync } from "node:fs";
import { type IoBackend, SChunk } from "@b2frame/core";
import { type MappingDriverName, mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import { partsPlanOf, planParts } from "@b2frame/parts";
import { readChunks } from "@b2frame/workers";

/** Through what a process reads. */
export type MeasuredIo = "stdio" | MappingDriverName;

/** What a process does. */
export type MemoryJob =
  /** Reads all of a frame once, in order. */
  | { readonly kind: "stream"; readonly path: string; readonly io: MeasuredIo; readonly reader: StreamReader }
  /** Opens a frame, reads some of it and closes it, over and over. */
  | { readonly kind: "opens"; readonly path: string; readonly io: MeasuredIo; readonly opens: number }
  /** Plans a super-chunk of as many chunks as parts, or finds the same plan there, or reads it. */
  | { readonly kind: "plan" | "read plan"; readonly target: string; readonly parts: number };

/** How a stream is read. */
export type StreamReader = "iterChunks" | "readChunks";

/** Bytes of a process's resident memory, as Linux tells them. */
export interface Resident {
  /** Private memory: JavaScript's heap, buffers, WebAssembly's. */
  readonly anonymous: number;
  /** Pages of files: the program itself, and what is mapped. The system takes them back when it needs them. */
  readonly file: number;
}

/** What a process reports. */
export interface MemoryReport {
  /** Uncompressed bytes read. */
  readonly bytes: number;
  /** The most that was seen of each. */
  readonly peak: Resident;
  /** Before the first read, or when half of the openings was done. */
  readonly early: Resident;
  readonly end: Resident;
  /** Bytes that are in use after a collection of garbage. */
  readonly live: readonly [early: number, end: number];
  readonly descriptors: readonly [early: number, end: number];
  readonly maps: readonly [early: number, end: number];
}

/** What a process reports that made or read a plan. */
export interface PlanReport {
  /** Parts of the plan. */
  readonly parts: number;
  /** The most resident memory that it had, its program included. */
  readonly peakBytes: number;
}

function resident(): Resident {
  const status = readFileSync("/proc/self/status", "utf8");
  const kibibytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]);
  return {
    anonymous: (kibibytes("RssAnon") + kibibytes("RssShmem")) * 1024,
    file: kibibytes("RssFile") * 1024,
  };
}

function countDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

function countMaps(): number {
  return readFileSync("/proc/self/maps", "utf8").split("\n").length;
}

/** Notes the most memory, looked at whenever it is told to. */
class Watch {
  anonymous = 0;
  file = 0;

  look(): Resident {
    const now = resident();
    this.anonymous = Math.max(this.anonymous, now.anonymous);
    this.file = Math.max(this.file, now.file);
    return now;
  }

  get peak(): Resident {
    return { anonymous: this.anonymous, file: this.file };
  }
}

function backendOf(io: MeasuredIo): IoBackend {
  return io === "stdio" ? stdio() : mmap({ driver: io });
}

/** Collects garbage; gives the bytes that are still in use. */
function liveBytes(): number {
  // The first collection finds the buffers, the second one those that only they held.
  for (let i = 0; i < 2; i++) (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function stream(path: string, io: MeasuredIo, reader: StreamReader): Promise<MemoryReport> {
  const watch = new Watch();
  const [fds, maps, live] = [countDescriptors(), countMaps(), liveBytes()];
  const early = watch.look();
  let bytes = 0;
  let sum = 0;
  const take = (chunk: Uint8Array): void => {
    bytes += chunk.byteLength;
    sum += chunk[chunk.byteLength - 1] as number;
    watch.look();
  };
  if (reader === "readChunks") {
    const chunks = readChunks(path, { io: io === "stdio" ? io : "mmap", workers: 2 });
    for await (const chunk of chunks) {
      take(chunk);
      chunks.release(chunk);
    }
  } else {
    using frame = SChunk.open(path, backendOf(io));
    for (const chunk of frame.iterChunks()) take(chunk);
  }
  if (Number.isNaN(sum)) throw new Error("a chunk was empty");
  return report(watch, bytes, early, live, fds, maps);
}

function report(
  watch: Watch,
  bytes: number,
  early: Resident,
  live: number,
  descriptors: number,
  maps: number,
): MemoryReport {
  return {
    bytes,
    live: [live, liveBytes()],
    early,
    end: watch.look(),
    peak: watch.peak,
    descriptors: [descriptors, countDescriptors()],
    maps: [maps, countMaps()],
  };
}

function openOften(path: string, io: MeasuredIo, opens: number): MemoryReport {
  const watch = new Watch();
  const backend = backendOf(io);
  let bytes = 0;
  let [early, live, fds, maps] = [watch.look(), 0, 0, 0];
  const half = Math.ceil(opens / 2);
  for (let i = 1; i <= opens; i++) {
    {
      using frame = SChunk.open(path, backend);
      bytes += frame.getSlice(100, 200).byteLength + frame.decompressChunk(i % frame.nchunks).byteLength;
    }
    if (i === half) {
      live = liveBytes();
      [early, fds, maps] = [watch.look(), countDescriptors(), countMaps()];
    } else if (i % 100 === 0) watch.look();
  }
  return report(watch, bytes, early, live, fds, maps);
}

const PLANNED_CHUNK = 64;

function plan(job: MemoryJob & { kind: "plan" | "read plan" }): PlanReport {
  const { kind, target, parts: wanted } = job;
  const options = { nbytes: wanted * PLANNED_CHUNK, chunksize: PLANNED_CHUNK, parts: wanted };
  const { parts } = kind === "plan" ? planParts(target, options) : partsPlanOf(target);
  return { parts: parts.length, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

async function measured(job: MemoryJob): Promise<MemoryReport | PlanReport> {
  if (job.kind === "stream") return await stream(job.path, job.io, job.reader);
  return job.kind === "opens" ? openOften(job.path, job.io, job.opens) : plan(job);
}

console.log(JSON.stringify(await measured(JSON.parse(process.argv[2] ?? "") as MemoryJob)));
