/** A workload whose every change to the files is recorded, with what was committed when. @module */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type IoBackend, memory } from "@b2frame/core";
import { type FaultInjectingBackend, faultInjecting, type LoggedOperation } from "@b2frame/io-contract";
import { stdio } from "@b2frame/io-stdio";
import type { FrameKind, FrameState } from "./frame-state.js";
import { Workload } from "./workload.js";

/** An instant at which a commit began or returned. */
interface Mark {
  /** So many operations of the log had returned. */
  readonly after: number;
  readonly kind: "attempt" | "commit";
  readonly state: FrameState;
}

/** What was done to the files, and what the frame may hold at each instant. */
export interface RecordedWorkload {
  readonly log: readonly LoggedOperation[];
  readonly path: string;
  readonly kind: FrameKind;
  /**
   * The states at which the frame may be once `after` operations have returned: the last one committed, and the one that was being
   * committed then; none before the first.
   */
  allowed(after: number): { readonly states: readonly FrameState[]; readonly created: boolean };
}

/** Options of {@link recordWorkload}. */
export interface RecordingOptions {
  readonly kind: FrameKind;
  readonly seed: number;
  readonly steps: number;
  /** Where a sparse frame's directory can be made. */
  readonly folder: string;
}

/** Runs a workload and closes it. */
export function recordWorkload(options: RecordingOptions): RecordedWorkload {
  const { kind, seed, steps, folder } = options;
  // Nothing may be held back, or the record would tell of it too late.
  const inner: IoBackend = kind === "sparse" ? stdio({ writeBufferSize: 0 }) : memory();
  const path = join(folder, "recorded");
  const backend: FaultInjectingBackend = faultInjecting(inner, { record: true });
  const marks: Mark[] = [];
  const mark =
    (what: Mark["kind"]) =>
    (state: FrameState): void => {
      marks.push({ after: backend.log.length, kind: what, state });
    };
  const workload = Workload.create({
    path,
    backend,
    kind,
    seed,
    chunkBytes: 512,
    checksum: seed % 2 === 0,
    onAttempt: mark("attempt"),
    onCommit: mark("commit"),
  });
  for (let i = 0; i < steps; i++) workload.step();
  workload.close();
  rmSync(path, { recursive: true, force: true });
  return { log: backend.log, path, kind, allowed: (after) => allowedAt(marks, after) };
}

function allowedAt(marks: readonly Mark[], after: number): ReturnType<RecordedWorkload["allowed"]> {
  let committed: FrameState | undefined;
  let attempted: FrameState | undefined;
  for (const { after: at, kind, state } of marks) {
    // The operation under way is the attempt's as soon as all before it have returned.
    if (at > after) break;
    if (kind === "commit") {
      committed = state;
      attempted = undefined;
    } else {
      attempted = state;
    }
  }
  return { states: [committed, attempted].filter((state) => state !== undefined), created: committed !== undefined };
}
