/** `pnpm torture full`: writers fill a small file system; they must say so, and leave their last commit. @module */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type IoName, kindsOf, makeBackend } from "./backends.js";
import { type FrameKind, type FrameState, readState, requireOneOf } from "./frame-state.js";
import type { Tally } from "./tally.js";

/** Options of {@link fillDisks}. */
export interface FullOptions {
  readonly seed: number;
}

const IO_NAMES: readonly IoName[] = ["stdio", "mmap", "mmap-map"];
/** Sizes of the file system in KiB; each ends in the middle of something else. */
const SIZES = [64, 100, 256, 300, 512, 1000];

interface FullReport {
  readonly committed?: FrameState;
  readonly attempted?: FrameState;
  readonly closed: boolean;
  readonly code?: string;
  readonly message?: string;
}

/** Fills each size of disk with each kind of frame through each backend. */
export function fillDisks(options: FullOptions, tally: Tally): void {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-full-"));
  try {
    for (const io of IO_NAMES) {
      for (const kind of kindsOf(io)) {
        for (const kibibytes of SIZES) {
          execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kibibytes}k`, "tmpfs", folder]);
          try {
            const seed = options.seed + kibibytes;
            tally.attempt(`${io} ${kind} on ${kibibytes} KiB, --seed ${options.seed}`, () =>
              fillOne(join(folder, "frame"), io, kind, seed),
            );
          } finally {
            execFileSync("umount", [folder]);
          }
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fillOne(path: string, io: IoName, kind: FrameKind, seed: number): void {
  const script = fileURLToPath(new URL("write-until-full.js", import.meta.url));
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [script, path, io, kind, String(seed)]);
  if (signal !== null) throw new Error(`the writer ended by ${signal}`);
  if (status !== 3) throw new Error(`the writer exited with ${status}: ${stderr}`);
  const { committed, attempted, closed, code, message } = JSON.parse(String(stdout)) as FullReport;
  if (code !== "ENOSPC") throw new Error(`the writer reported ${code}: ${message}`);
  if (committed === undefined) return;
  // A close that succeeded after the error has committed what there was.
  const found = readState(path, makeBackend(io), kind);
  const allowed = attempted === undefined ? [committed] : [committed, attempted];
  requireOneOf(found, closed ? allowed.slice(-1) : allowed, "after the disk was full");
}
