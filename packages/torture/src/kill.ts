/** `pnpm torture kill`: writers are killed at random instants; what they leave must be a commit. @module */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Durability, SChunk, verifyFrame } from "@b2frame/core";
import { CHECKSUMS_NAME } from "@b2frame/core/backend";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { type IoName, kindsOf, makeBackend } from "./backends.js";
import { type FrameKind, type FrameState, readState, requireOneOf, sameState } from "./frame-state.js";
import { type KillInstant, Writer } from "./kill-writer.js";
import { PythonChecker } from "./python-checker.js";
import type { Tally } from "./tally.js";

/** Options of {@link killWriters}. */
export interface KillOptions {
  readonly trials: number;
  readonly io: "stdio" | "mmap";
  readonly seed: number;
  /** That of the writers; what they commit must outlive them with either. */
  readonly durability: Durability;
}

/** Trials on one frame before the next one starts with nothing. */
const TRIALS_PER_FRAME = 8;

/** One frame, as the last writer left it. */
interface Victim {
  readonly path: string;
  readonly kind: FrameKind;
  readonly io: IoName;
  readonly chunkBytes: number;
  readonly checksum: boolean;
  state: FrameState | undefined;
}

function newVictim(random: SeededRandom, io: IoName, path: string): Victim {
  return {
    path,
    io,
    kind: random.pick(kindsOf(io)),
    chunkBytes: random.pick([512, 4096, 16384]),
    checksum: random.oneIn(3),
    state: undefined,
  };
}

function randomInstant(random: SeededRandom): KillInstant {
  if (random.oneIn(2)) return { atAttempt: random.magnitude(1, 60) };
  return { afterMilliseconds: random.magnitude(1, 120) };
}

/** Runs the trials. */
export async function killWriters(options: KillOptions, tally: Tally): Promise<void> {
  const { trials, io, seed, durability } = options;
  const random = new SeededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), "b2frame-kill-"));
  const checker = new PythonChecker();
  let next = new Writer();
  let victim = newVictim(random, io, join(folder, "0"));
  let used = 0;
  try {
    for (let trial = 0; trial < trials; trial++) {
      if (used === TRIALS_PER_FRAME) {
        rmSync(victim.path, { recursive: true, force: true });
        const name: IoName = io === "mmap" && random.oneIn(2) ? "mmap-map" : io;
        victim = newVictim(random, name, join(folder, String(trial)));
        used = 0;
      }
      used++;
      const writer = next;
      next = new Writer();
      try {
        await killOne(writer, victim, { random, checker, durability });
        tally.pass();
      } catch (error) {
        const what = `trial ${trial + 1}, --seed ${seed}, --durability ${durability}, ${victim.io} ${victim.kind}`;
        tally.fail(`${what}: ${(error as Error).message}`);
        used = TRIALS_PER_FRAME;
      }
    }
  } finally {
    next.dismiss();
    checker.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface KillTools extends Pick<KillOptions, "durability"> {
  readonly random: SeededRandom;
  readonly checker: PythonChecker;
}

async function killOne(writer: Writer, victim: Victim, { random, checker, durability }: KillTools): Promise<void> {
  const { path, io, kind, chunkBytes, checksum, state: start } = victim;
  const frame = { path, io, kind, chunkBytes, checksum, durability };
  const job = { ...frame, seed: random.bits(), ...(start === undefined ? {} : { start }) };
  const { committed, attempted, failure } = await writer.runUntilKilled(job, randomInstant(random));
  if (failure !== undefined) throw new Error(failure);
  const allowed = [committed, attempted].filter((state) => state !== undefined);
  if (committed === undefined && !wasCreated(victim)) return;
  const found = readState(path, makeBackend(io), kind);
  requireOneOf(found, allowed, "b2frame");
  const byC = await checker.read(path, kind);
  requireOneOf(byC, [found], "C-Blosc2");
  victim.state = found;
  if (kind === "contiguous" && random.oneIn(6)) victim.state = await appendByPeer(victim, found, { random, checker });
}

/**
 * Lets C-Blosc2 append a chunk. Where the frame keeps checksums, b2frame must refuse that as a change that none vouch for, until
 * somebody accepts it in the way that `docs/durability.md` tells.
 */
async function appendByPeer(
  { path, io, kind, chunkBytes, checksum }: Victim,
  before: FrameState,
  { random, checker }: Pick<KillTools, "random" | "checker">,
): Promise<FrameState> {
  const crc = await checker.append(path, random.bits(), chunkBytes);
  const backend = makeBackend(io);
  if (checksum) {
    if (verifyFrame(path, backend).problems.length === 0)
      throw new Error("C-Blosc2 appended a chunk without a checksum, and verify passes it");
    using accepted = SChunk.open(path, backend, { mode: "r+", checksum: false });
    accepted.vlmeta.delete(CHECKSUMS_NAME);
  }
  const after = readState(path, backend, kind);
  if (!sameState(after, { ...before, parts: [...before.parts, crc] })) {
    throw new Error("C-Blosc2 appended a chunk, and b2frame finds something else");
  }
  return after;
}

/** A frame exists once its first commit is made; before that there may be nothing, or nothing whole. */
function wasCreated({ path, io, kind }: Victim): boolean {
  if (!existsSync(path)) return false;
  try {
    readState(path, makeBackend(io), kind);
    return true;
  } catch {
    rmSync(path, { recursive: true, force: true });
    return false;
  }
}
