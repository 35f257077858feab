/**
 * The process that is killed: reads a job from standard input and changes a frame until it is no more, telling before and after
 * each commit what it holds. The job comes late, so that the process can be started while another one is being looked at.
 *
 * @module
 */
import { readSync, writeSync } from "node:fs";
import type { Durability } from "@b2frame/core";
import { type IoName, makeBackend } from "./backends.js";
import type { FrameKind, FrameState } from "./frame-state.js";
import { Workload, type WorkloadOptions } from "./workload.js";

/** What to do. */
export interface WriterJob {
  readonly path: string;
  readonly io: IoName;
  readonly kind: FrameKind;
  readonly seed: number;
  readonly chunkBytes: number;
  readonly checksum: boolean;
  readonly durability: Durability;
  /** What the frame holds; absent: make one. */
  readonly start?: FrameState;
}

/** What is told, a JSON line each. */
export type WriterMessage = { readonly attempt: FrameState } | "ready" | "committed";

const STDIN = 0;
const STDOUT = 1;

/** Without a buffer, so that what was told is told whatever happens next. */
function tell(message: WriterMessage): void {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let sent = 0; sent < line.byteLength; ) {
    try {
      sent += writeSync(STDOUT, line, sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

function readJob(): WriterJob {
  const piece = Buffer.alloc(65536);
  let text = "";
  while (!text.endsWith("\n")) {
    const length = readSync(STDIN, piece);
    if (length === 0) process.exit(0);
    text += piece.toString("utf8", 0, length);
  }
  return JSON.parse(text) as WriterJob;
}

// What is slow on first use is used once before the clock runs.
makeBackend("mmap");
tell("ready");
const job = readJob();
const options: WorkloadOptions = {
  ...job,
  backend: makeBackend(job.io),
  onAttempt: (state) => tell({ attempt: state }),
  onCommit: () => tell("committed"),
};
const workload = job.start === undefined ? Workload.create(options) : Workload.open(options, job.start);
for (;;) workload.step();
