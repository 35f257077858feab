/** `pnpm torture memory`: what memory reading takes, measured in processes of their own. Linux only. @module */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SChunk } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { mappingDrivers } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import type { MeasuredIo, MemoryJob, MemoryReport, PlanReport, Resident } from "./measure-memory.js";
import type { Tally } from "./tally.js";

const MIB = 2 ** 20;
const CHUNK = 4 * MIB;
/** Most private memory that a stream may take, whatever the frame's size. */
const STREAM_LIMIT = 256 * MIB;
/** Most private memory that opening and closing may take, however often. The engine's heap settles at about 80 MiB. */
const OPENS_LIMIT = 128 * MIB;
/** Most that the memory in use after a collection may grow while the second half of the openings is done. */
const LIVE_GROWTH_LIMIT = 2 * MIB;
/** Most maps of a process, its libraries among them; Linux allows 65,530. */
const MAPS_LIMIT = 17_000;
const PLANNED_PARTS = 1_000_000;
/** Most resident memory of a process that makes or reads a plan of as many parts. */
const PLAN_LIMIT = 300 * MIB;

/** Options of {@link measureMemory}. */
export interface MemoryOptions {
  /** Uncompressed size of the frame that is streamed. */
  readonly gib: number;
  /** How often a frame is opened. */
  readonly opens: number;
}

/** Streams a large frame, and opens small ones often, through each backend and each mapping driver. */
export function measureMemory({ gib, opens }: MemoryOptions, tally: Tally): void {
  if (!existsSync("/proc/self/status")) throw new Error("memory: needs Linux's /proc");
  const folder = mkdtempSync(join(tmpdir(), "b2frame-memory-"));
  const drivers = mappingDrivers().filter(({ available }) => available);
  const ios: MeasuredIo[] = ["stdio", ...drivers.map(({ name }) => name)];
  try {
    const large = join(folder, "large.b2frame");
    writeLarge(large, (gib * 1024 * MIB) / CHUNK);
    for (const io of ios) {
      tally.attempt(`${io}: iterChunks`, () =>
        requireStream(gib, { kind: "stream", path: large, io, reader: "iterChunks" }),
      );
    }
    for (const io of ios.slice(0, 2)) {
      tally.attempt(`${io}: readChunks`, () =>
        requireStream(gib, { kind: "stream", path: large, io, reader: "readChunks" }),
      );
    }
    rmSync(large);
    const small = join(folder, "small.b2frame");
    writeSmall(small, true);
    for (const io of ios)
      tally.attempt(`${io}: opened often`, () => requireFlat({ kind: "opens", path: small, io, opens }));
    const sparse = join(folder, "sparse.b2frame");
    writeSmall(sparse, false);
    tally.attempt("stdio: a sparse frame opened often", () =>
      requireFlat({ kind: "opens", path: sparse, io: "stdio", opens }),
    );
    const target = join(folder, "planned.b2frame");
    for (const kind of ["plan", "plan", "read plan"] as const)
      tally.attempt(`${kind} of ${PLANNED_PARTS} parts`, () => requirePlan({ kind, target, parts: PLANNED_PARTS }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A third of the chunks can't be compressed and are stored whole; the others are compressed numbers, and a few special. */
function writeLarge(path: string, nchunks: number): void {
  const cparams = { codec: "lz4", clevel: 5 } as const;
  using frame = SChunk.create({ urlpath: path, io: stdio(), typesize: 4, chunksize: CHUNK, cparams });
  const random = new SeededRandom(1);
  const noise = new Uint32Array(CHUNK / 4).map(() => random.bits());
  const ramp = new Int32Array(CHUNK / 4).map((_, i) => Math.imul(i, 7) >> 2);
  frame.appendData(noise);
  frame.appendData(ramp);
  const [stored, compressed] = [frame.getChunk(0), frame.getChunk(1)];
  for (let i = frame.nchunks; i < nchunks; i++) {
    if (i % 97 === 0) frame.appendData(new Uint8Array(CHUNK));
    else frame.appendChunk(i % 3 === 0 ? stored : compressed);
  }
}

function writeSmall(path: string, contiguous: boolean): void {
  using frame = SChunk.create({ urlpath: path, io: stdio(), contiguous, typesize: 4, chunksize: 65536 });
  for (let i = 0; i < 8; i++) frame.appendData(new Int32Array(16384).map((_, k) => Math.imul(k, i + 1) >> 3));
  frame.vlmeta.setValue("name", "small");
}

function measure<Report = MemoryReport>(job: MemoryJob): Report {
  const script = fileURLToPath(new URL("measure-memory.js", import.meta.url));
  const output = execFileSync(process.execPath, ["--expose-gc", script, JSON.stringify(job)], { encoding: "utf8" });
  return JSON.parse(output) as Report;
}

function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`;
}

function words({ anonymous, file }: Resident): string {
  return `private ${mebibytes(anonymous)}, files ${mebibytes(file)}`;
}

function requireStream(gib: number, job: MemoryJob & { kind: "stream" }): void {
  const { bytes, peak, early } = measure(job);
  console.log(`${job.io} ${job.reader}: ${mebibytes(bytes)} read, peak ${words(peak)} (at the start ${words(early)})`);
  if (bytes !== gib * 1024 * MIB) throw new Error(`read ${bytes} bytes instead of ${gib} GiB`);
  if (peak.anonymous > STREAM_LIMIT) throw new Error(`peak ${words(peak)}, the limit is ${mebibytes(STREAM_LIMIT)}`);
}

function requireFlat(job: MemoryJob & { kind: "opens" }): void {
  const { peak, early, end, live, descriptors, maps } = measure(job);
  console.log(
    `${job.io} opened ${job.opens} times: after half of them ${words(early)}, at the end ${words(end)}, peak ${words(peak)}; ` +
      `in use ${live.map((bytes) => `${(bytes / MIB).toFixed(2)} MiB`).join(" to ")}, ` +
      `descriptors ${descriptors.join(" to ")}, maps ${maps.join(" to ")}`,
  );
  if (live[1] - live[0] > LIVE_GROWTH_LIMIT) throw new Error(`memory in use grew by ${live[1] - live[0]} bytes`);
  if (peak.anonymous > OPENS_LIMIT) throw new Error(`peak ${words(peak)}, the limit is ${mebibytes(OPENS_LIMIT)}`);
  if (descriptors[1] > descriptors[0]) throw new Error(`descriptors grew from ${descriptors.join(" to ")}`);
  // mmap-io has no way to unmap: its maps go when the garbage collector finds them, and the handle counts them.
  if (maps[1] > MAPS_LIMIT) throw new Error(`${maps[1]} maps`);
}

function requirePlan(job: MemoryJob & { kind: "plan" | "read plan" }): void {
  const { parts, peakBytes } = measure<PlanReport>(job);
  console.log(`${job.kind} of ${parts} parts: peak ${mebibytes(peakBytes)}`);
  if (parts !== job.parts) throw new Error(`${parts} parts instead of ${job.parts}`);
  if (peakBytes > PLAN_LIMIT) throw new Error(`peak ${mebibytes(peakBytes)}, the limit is ${mebibytes(PLAN_LIMIT)}`);
}
