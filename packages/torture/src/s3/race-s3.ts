/**
 * `pnpm torture s3`: two writers commit to one frame in S3, and one of them is killed at random instants. Every commit that was acknowledged
 * must be in the frame, once, and nothing torn.
 *
 * @module
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isBlosc2Error, SChunk } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { openRemote, RemoteSChunk } from "@b2frame/remote";
import { putS3, s3Source } from "@b2frame/remote/s3";
import { AwsClient } from "aws4fetch";
import type { Tally } from "../tally.js";
import type { AppendJob, AppendMessage } from "./append-to-s3.js";
import { NUMBERED_CHUNK_BYTES, numberOf } from "./numbered-chunk.js";
import { s3Access } from "./s3-access.js";

/** Options of {@link raceOnS3}. */
export interface RaceOptions {
  /** Acknowledged commits, on each of the two objects. */
  readonly commits: number;
  readonly seed: number;
}

/** Commits between kills, at most. */
const MOST_COMMITS = 12;
/** Milliseconds after such a commit until the kill comes, at most: a few commits long. */
const MOST_WAIT = 150;
/** Bytes of the chunk that the large frame begins with: more than is put whole. */
const LARGE_BYTES = 12 * 2 ** 20;
const READ_PAUSE = 100;

/** What all writers have told. */
class Told {
  readonly attempted = new Set<string>();
  readonly committed = new Set<string>();
  conflicts = 0;
}

/** A process that appends, and waits for its job until then. */
class Appender {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #told: Told;
  readonly #run: number;
  readonly ended: Promise<void>;
  onCommit: () => void = () => {};
  killed = false;

  constructor(told: Told, run: number) {
    this.#told = told;
    this.#run = run;
    const script = fileURLToPath(new URL("append-to-s3.js", import.meta.url));
    this.#child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "pipe"] });
    let errors = "";
    this.#child.stderr.on("data", (data: Buffer) => {
      errors += data.toString();
    });
    this.#child.stdin.on("error", () => {
      // The process is gone; its end is told by "close".
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#hear(line));
    this.ended = new Promise((resolve, reject) => {
      this.#child.on("close", (status) => {
        if (this.killed) resolve();
        else reject(new Error(`a writer ended by itself with ${status}: ${errors}`));
      });
    });
    // Told to whoever waits for it, later.
    this.ended.catch(() => {});
  }

  #hear(line: string): void {
    const { kind, commit, tries = 1 } = JSON.parse(line) as AppendMessage;
    const name = `${this.#run}.${commit}`;
    if (kind === "attempt") this.#told.attempted.add(name);
    else {
      this.#told.committed.add(name);
      this.#told.conflicts += tries - 1;
      this.onCommit();
    }
  }

  start(url: string): void {
    this.#child.stdin.write(`${JSON.stringify({ url, run: this.#run } satisfies AppendJob)}\n`);
  }

  kill(): void {
    this.killed = true;
    this.#child.kill("SIGKILL");
  }
}

/** Runs the race, on a frame that is put whole with each commit, and on one most of which the server copies. */
export async function raceOnS3({ commits, seed }: RaceOptions, tally: Tally): Promise<void> {
  const bucket = `race-${process.pid}-${Date.now()}`;
  await makeBucket(bucket);
  for (const [name, bytes] of [
    ["small", NUMBERED_CHUNK_BYTES],
    ["large", LARGE_BYTES],
  ] as const) {
    const random = new SeededRandom(seed);
    const base = new Uint8Array(bytes);
    for (let i = 0; i < bytes; i++) base[i] = random.integer(0, 255);
    const url = `s3://${bucket}/${name}.b2frame`;
    using frame = SChunk.create({ data: base, chunksize: bytes, typesize: 1 });
    await putS3(url, frame.toCframe(), s3Access());
    await tally.attemptAsync(`${name}, --seed ${seed}`, () => race(url, commits, random, tally));
  }
}

async function makeBucket(name: string): Promise<void> {
  const { endpoint, keys } = s3Access();
  const response = await new AwsClient({ ...keys, service: "s3" }).fetch(`${endpoint}/${name}`, { method: "PUT" });
  if (!response.ok) throw new Error(`${endpoint}/${name}: ${response.status} ${await response.text()}`);
}

async function race(url: string, commits: number, random: SeededRandom, tally: Tally): Promise<void> {
  const told = new Told();
  let run = 1;
  const steady = new Appender(told, run++);
  const appenders = [steady];
  let kills = 0;
  let over = false;
  const reading = readMeanwhile(url, () => over);
  // Told when the writers have ended.
  reading.catch(() => {});
  try {
    steady.start(url);
    let next = new Appender(told, run++);
    while (told.committed.size < commits) {
      const victim = next;
      appenders.push(victim);
      next = new Appender(told, run++);
      appenders.push(next);
      victim.start(url);
      await someCommits(victim, random.integer(1, MOST_COMMITS), steady);
      await setTimeout(random.integer(0, MOST_WAIT));
      victim.kill();
      kills++;
      await victim.ended;
    }
  } finally {
    over = true;
    for (const appender of appenders) if (!appender.killed) appender.kill();
    await Promise.all(appenders.map(({ ended }) => ended));
  }
  const reads = await reading;
  const { found, unacknowledged } = await check(url, told);
  for (const name of told.committed) {
    if (found.has(name)) tally.pass();
    else tally.fail(`${url}: the acknowledged commit ${name} is lost`);
  }
  console.error(
    `${url}: ${told.committed.size} commits acknowledged, ${unacknowledged} more made, ${told.conflicts} conflicts, ${kills} kills, ${reads} reads meanwhile`,
  );
}

function someCommits(victim: Appender, count: number, steady: Appender): Promise<void> {
  const committed = new Promise<void>((resolve) => {
    let left = count;
    victim.onCommit = () => {
      if (--left === 0) resolve();
    };
  });
  return Promise.race([committed, victim.ended, steady.ended]);
}

/** Reads the frame again and again while it changes: what is there must be whole at every moment. */
async function readMeanwhile(url: string, isOver: () => boolean): Promise<number> {
  let reads = 0;
  let most = 0;
  while (!isOver()) {
    const frame = await open(url);
    if (frame.nchunks < most) throw new Error(`${url}: had ${most} chunks, and ${frame.nchunks} later`);
    most = frame.nchunks;
    if (most > 1) numberOf(await readLast(frame));
    frame.close();
    reads++;
    await setTimeout(READ_PAUSE);
  }
  return reads;
}

/** The last chunk; a frame that was replaced between the two requests is read again. */
async function readLast(frame: RemoteSChunk): Promise<Uint8Array> {
  for (;;) {
    try {
      return await frame.decompressChunk(frame.nchunks - 1);
    } catch (error) {
      if (!isBlosc2Error(error, "BLOSC2_IO_STALE")) throw error;
      // It may be replaced once more meanwhile: that is told by the next reading.
      await frame.refresh().catch((failure: unknown) => {
        if (!isBlosc2Error(failure, "BLOSC2_IO_STALE")) throw failure;
      });
    }
  }
}

/** Opens the frame; where it is replaced again and again between two requests, once more. */
async function open(url: string): Promise<RemoteSChunk> {
  for (;;) {
    try {
      const opened = await openRemote(s3Source(url, s3Access()));
      if (opened instanceof RemoteSChunk) return opened;
      throw new Error(`${url}: expected a super-chunk`);
    } catch (error) {
      if (!isBlosc2Error(error, "BLOSC2_IO_STALE")) throw error;
    }
  }
}

/** Reads everything: each chunk whole, once, of a commit that was attempted, and those of each writer in its order. */
async function check(
  url: string,
  { attempted, committed }: Told,
): Promise<{ readonly found: ReadonlySet<string>; readonly unacknowledged: number }> {
  const frame = await open(url);
  const found = new Set<string>();
  const last = new Map<number, number>();
  for (let i = 1; i < frame.nchunks; i++) {
    const { run, commit } = numberOf(await frame.decompressChunk(i));
    const name = `${run}.${commit}`;
    if (found.has(name)) throw new Error(`${url}: the commit ${name} is there twice`);
    if (!attempted.has(name)) throw new Error(`${url}: nobody attempted the commit ${name}`);
    if (commit !== (last.get(run) ?? -1) + 1) throw new Error(`${url}: the commit ${name} is out of order`);
    last.set(run, commit);
    found.add(name);
  }
  frame.close();
  return { found, unacknowledged: [...found].filter((name) => !committed.has(name)).length };
}
