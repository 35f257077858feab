/** `pnpm torture repair`: C-Blosc2 is killed while it appends; what it leaves broken is repaired. @module */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { repairFrame, SChunk, verifyFrame } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { pythonWithBlosc2 } from "@b2frame/interop/virtual-environment";
import { stdio } from "@b2frame/io-stdio";
import { registerNodeCodecs } from "@b2frame/node-codecs";
import type { Tally } from "./tally.js";

/** Options of {@link repairKilled}. */
export interface RepairKilledOptions {
  readonly trials: number;
  /** How C-Blosc2 writes. */
  readonly io: "stdio" | "mmap";
  readonly seed: number;
}

/** Chunks from one word of `writer.py` to the next. */
const TOLD_EVERY = 16;

/** The content of a chunk, as `writer.py` makes it. */
function expectedChunk(index: number, chunkBytes: number): Uint8Array {
  const items = Uint32Array.from(
    { length: chunkBytes / 4 },
    (_, i) => (Math.imul(i, index + 1) ^ Math.imul(index, 40503)) >>> 0,
  );
  return new Uint8Array(items.buffer);
}

/** Appends until killed; gives how many chunks C-Blosc2 said to have appended. */
async function runUntilKilled(
  python: string,
  path: string,
  chunkBytes: number,
  io: string,
  ms: number,
): Promise<number> {
  const script = fileURLToPath(new URL("../python/writer.py", import.meta.url));
  const child = spawn(python, [script, path, String(chunkBytes), io], { stdio: ["ignore", "pipe", "inherit"] });
  let told = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line === "ready") setTimeout(() => child.kill("SIGKILL"), ms);
    else told = Number(line) + 1;
  });
  await once(child, "close");
  return told;
}

/** Kills C-Blosc2, and repairs what it left. Prints how much of it was broken. */
export async function repairKilled(options: RepairKilledOptions, tally: Tally): Promise<void> {
  const { trials, io, seed } = options;
  registerNodeCodecs();
  const random = new SeededRandom(seed);
  const python = pythonWithBlosc2();
  const folder = mkdtempSync(join(tmpdir(), "b2frame-repair-"));
  let broken = 0;
  try {
    for (let trial = 0; trial < trials; trial++) {
      const path = join(folder, "killed");
      const out = join(folder, "repaired");
      const chunkBytes = random.pick([400, 4096, 65536]);
      const told = await runUntilKilled(python, path, chunkBytes, io, random.integer(5, 400));
      tally.attempt(`trial ${trial + 1}, --seed ${seed}, ${io}`, () => {
        if (!verifyFrame(path, stdio()).ok) broken++;
        checkRepair(path, out, chunkBytes, told);
      });
      rmSync(path, { force: true });
      rmSync(out, { force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`C-Blosc2 left ${broken} of ${trials} frames broken`);
}

function checkRepair(path: string, out: string, chunkBytes: number, told: number): void {
  const report = repairFrame(path, stdio(), out, stdio(), { mode: "w" });
  if (report.chunksLost > 0) throw new Error(`${report.chunksLost} chunks were lost: ${JSON.stringify(report)}`);
  const { problems } = verifyFrame(out, stdio());
  if (problems.length > 0) throw new Error(`the repaired frame is bad: ${JSON.stringify(problems)}`);
  using repaired = SChunk.open(out, stdio());
  if (repaired.nchunks < told || repaired.nchunks > told + TOLD_EVERY) {
    throw new Error(`${repaired.nchunks} chunks were recovered of ${told}: ${JSON.stringify(report)}`);
  }
  for (let i = 0; i < repaired.nchunks; i++) {
    const same = Buffer.compare(repaired.decompressChunk(i), expectedChunk(i, chunkBytes)) === 0;
    if (!same) throw new Error(`chunk ${i} differs: ${JSON.stringify(report)}`);
  }
}
