/** `pnpm torture cut`: the power fails while a workload runs; what is on the disk must be a commit. @module */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IoBackend, memory } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { materialise, type PowerCut, randomPowerCut, restoreImage } from "@b2frame/io-contract";
import { stdio } from "@b2frame/io-stdio";
import { readState, requireOneOf } from "./frame-state.js";
import { type RecordedWorkload, recordWorkload } from "./recorded-workload.js";
import type { Tally } from "./tally.js";

/** Options of {@link cutPower}. */
export interface CutOptions {
  /** Random cuts, over all workloads. */
  readonly trials: number;
  readonly seed: number;
}

/** Disks write whole sectors; what a write of several left undone is any of them. */
const SECTOR_BYTES = 512;
const STEPS = 120;
/** Workloads, and each one's part of the random cuts: images of sparse frames are real directories, which take time. */
const WORKLOADS = [
  { kind: "contiguous", share: 0.3 },
  { kind: "contiguous", share: 0.3 },
  { kind: "array", share: 0.3 },
  { kind: "sparse", share: 0.1 },
] as const;

/** Cuts at every instant, then at random ones with random survivors. */
export function cutPower(options: CutOptions, tally: Tally): void {
  const { trials, seed } = options;
  const folder = mkdtempSync(join(tmpdir(), "b2frame-cut-"));
  try {
    WORKLOADS.forEach(({ kind, share }, i) => {
      const recorded = recordWorkload({ kind, seed: seed * WORKLOADS.length + i, steps: STEPS, folder });
      const name = `${kind} workload ${i}, --seed ${seed}`;
      for (let after = 0; after <= recorded.log.length; after++) {
        tally.attempt(`${name}, after ${after} operations`, () => checkCut(recorded, { after }));
      }
      const random = new SeededRandom(seed + i);
      for (let trial = 0; trial < trials * share; trial++) {
        const cut = randomPowerCut(recorded.log, {
          random: () => random.bits() / 2 ** 32,
          sectorBytes: random.oneIn(2) ? SECTOR_BYTES : 0,
        });
        tally.attempt(`${name}, ${JSON.stringify(cut)}`, () => checkCut(recorded, cut));
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error unless what is on the disk after the cut is a state at which the frame may be */
export function checkCut(recorded: RecordedWorkload, cut: PowerCut): void {
  const { log, path, kind } = recorded;
  const { states, created } = recorded.allowed(cut.after);
  const image = materialise(log, cut);
  const backend: IoBackend = kind === "sparse" ? stdio() : memory();
  try {
    restoreImage(image, backend);
    // Before the first commit has returned there may be anything.
    if (created) requireOneOf(readState(path, backend, kind), states, "after the cut");
  } finally {
    if (kind === "sparse") rmSync(path, { recursive: true, force: true });
  }
}
