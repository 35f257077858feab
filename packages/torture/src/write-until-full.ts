/**
 * The process that fills a disk: appends to a frame until that fails, says so, and exits with status 3. It tells each commit
 * that returned.
 *
 * @module
 */
import { isBlosc2Error } from "@b2frame/core";
import { type IoName, makeBackend } from "./backends.js";
import type { FrameKind, FrameState } from "./frame-state.js";
import { Workload } from "./workload.js";

/** The exit status that says: an error was reported. */
const STATUS_REPORTED = 3;
const MAX_STEPS = 100_000;

const [path, io, kind, seed] = process.argv.slice(2) as [string, IoName, FrameKind, string];
let committed: FrameState | undefined;
let attempted: FrameState | undefined;
let workload: Workload | undefined;
let error: unknown;
try {
  workload = Workload.create({
    path,
    backend: makeBackend(io),
    kind,
    seed: Number(seed),
    chunkBytes: 16384,
    checksum: false,
    manyChunks: Number.POSITIVE_INFINITY,
    onAttempt: (state) => {
      attempted = state;
    },
    onCommit: (state) => {
      committed = state;
    },
  });
  for (let i = 0; i < MAX_STEPS; i++) workload.step();
} catch (thrown) {
  error = thrown;
}
let closed = false;
try {
  workload?.close();
  closed = true;
} catch (thrown) {
  error ??= thrown;
}
if (error !== undefined && !isBlosc2Error(error)) throw error;
// The system's error, below those that say what it kept from being done.
let cause: unknown = error;
while (isBlosc2Error(cause) && cause.cause !== undefined) cause = cause.cause;
const code = (cause as { code?: string } | undefined)?.code;
console.log(JSON.stringify({ committed, attempted, closed, code, message: (error as Error | undefined)?.message }));
process.exitCode = error === undefined ? 0 : STATUS_REPORTED;
