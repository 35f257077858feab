/** `pnpm torture fail`: each operation of a workload fails in turn. @module */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IoBackend, isBlosc2Error } from "@b2frame/core";
import { type Fault, type FaultInjectingBackend, faultInjecting, type IoOperationKind } from "@b2frame/io-contract";
import { type IoName, kindsOf, makeBackend } from "./backends.js";
import { type FrameKind, type FrameState, readState, requireOneOf } from "./frame-state.js";
import type { Tally } from "./tally.js";
import { Workload } from "./workload.js";

/** Options of {@link failOperations}. */
export interface FailOptions {
  readonly seed: number;
  /** Only every so manyeth operation fails. */
  readonly stride: number;
}

/** What a disk writes whole or not at all. */
const SECTOR_BYTES = 512;
const STEPS = 40;
const IO_NAMES: readonly IoName[] = ["stdio", "mmap", "mmap-map"];
/** What fails, with what. */
const FAILURES: readonly (readonly [IoOperationKind, readonly string[]])[] = [
  ["open", ["EMFILE", "EIO"]],
  ["read", ["EIO"]],
  ["write", ["EIO", "ENOSPC"]],
  ["truncate", ["EIO", "ENOSPC"]],
  ["flush", ["EIO", "ENOSPC"]],
  ["close", ["EIO"]],
  ["rename", ["EIO"]],
  ["remove", ["EIO"]],
  ["make-directory", ["EIO", "ENOSPC"]],
  ["flush-directory", ["EIO"]],
];

/** Runs every workload once for each operation that it makes. */
export function failOperations(options: FailOptions, tally: Tally): void {
  const { seed, stride } = options;
  const folder = mkdtempSync(join(tmpdir(), "b2frame-fail-"));
  try {
    for (const io of IO_NAMES) {
      for (const kind of kindsOf(io)) {
        const path = join(folder, `${io}-${kind}`);
        const dry = faultInjecting(makeBackend(io), {});
        run(dry, path, kind, seed);
        rmSync(path, { recursive: true, force: true });
        for (const [operation, errnos] of FAILURES) {
          const count = dry.counts.get(operation) ?? 0;
          for (let at = 1; at <= count; at += stride) {
            const fault = {
              kind: operation,
              at,
              errno: errnos[at % errnos.length] as string,
              ...variant(operation, at),
            };
            const what = `${io} ${kind}, --seed ${seed}, ${JSON.stringify(fault)}`;
            tally.attempt(what, () => failOne(makeBackend(io), path, kind, seed, fault));
            rmSync(path, { recursive: true, force: true });
          }
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes that are cut short after a sector, and failures that last, as a full disk does. */
function variant(operation: IoOperationKind, at: number): Pick<Fault, "lasting" | "writtenBytes"> {
  if (operation !== "write") return {};
  return { lasting: at % 3 === 0, writtenBytes: at % 2 === 0 ? SECTOR_BYTES : 0 };
}

/** What a run left. */
interface Outcome {
  /** Reported by a step. */
  readonly error: unknown;
  /** Reported by the close. */
  readonly closeError: unknown;
  readonly committed: FrameState | undefined;
  /** Other states at which the frame may be. */
  readonly possible: readonly FrameState[];
}

/** Runs a workload up to the first error that it reports, and closes it. */
function run(backend: IoBackend, path: string, kind: FrameKind, seed: number): Outcome {
  let committed: FrameState | undefined;
  let attempted: FrameState | undefined;
  const onAttempt = (state: FrameState): void => {
    attempted = state;
  };
  const onCommit = (state: FrameState): void => {
    committed = state;
    attempted = undefined;
  };
  let error: unknown;
  let closeError: unknown;
  let workload: Workload | undefined;
  const possible: FrameState[] = [];
  try {
    workload = Workload.create({
      path,
      backend,
      kind,
      seed,
      chunkBytes: 512,
      checksum: seed % 2 === 0,
      onAttempt,
      onCommit,
    });
    for (let i = 0; i < STEPS; i++) {
      possible.splice(0, possible.length, workload.state);
      workload.step();
    }
  } catch (thrown) {
    error = thrown;
  }
  if (attempted !== undefined) possible.push(attempted);
  try {
    workload?.close();
  } catch (thrown) {
    closeError = thrown;
  }
  if (attempted !== undefined) possible.push(attempted);
  return { error, closeError, committed, possible };
}

function failOne(inner: IoBackend, path: string, kind: FrameKind, seed: number, fault: Fault): void {
  const descriptors = openDescriptors();
  const backend = faultInjecting(inner, { faults: [fault] });
  const { error, closeError, committed, possible } = run(backend, path, kind, seed);
  requireOurs(error);
  requireOurs(closeError);
  if (error === undefined && closeError === undefined) throw new Error("nothing reported the failure");
  requireNothingOpen(backend, descriptors);
  if (committed === undefined) return;
  const found = readState(path, inner, kind);
  // A step on an array changes several chunks; if it fails in the middle, a close that succeeds commits those that it changed.
  if (kind === "array" && error !== undefined && closeError === undefined) return;
  // A step that failed changed nothing: a close that succeeds has committed what the steps before it did, and no less.
  const allowed = closeError === undefined ? [committed] : [committed, ...possible];
  requireOneOf(found, allowed, "after the failure");
}

/** @throws Error for an error that is not one of ours */
function requireOurs(error: unknown): void {
  if (error !== undefined && !isBlosc2Error(error)) throw error;
}

function requireNothingOpen(backend: FaultInjectingBackend, before: number): void {
  if (backend.openHandles !== 0) throw new Error(`${backend.openHandles} handles are open at the end`);
  const now = openDescriptors();
  if (now > before) throw new Error(`${now - before} file descriptors are open at the end`);
}

/** File descriptors of this process, where the system lists them. */
function openDescriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
