/** Copying a frame or a store that others may be writing. @module */
import {
  type AbortLike,
  ArgumentError,
  Blosc2Error,
  type Durability,
  FormatError,
  frameKindOf,
  type IoBackend,
  IoError,
  type IoOption,
  isBlosc2Error,
  type Locking,
  openUdio,
  type SChunkEnvironmentOptions,
  type VerifyProblem,
  type VerifyReport,
} from "@b2frame/core";
import {
  checkOptionNames,
  chooseBackend,
  copyInSteps,
  ENVIRONMENT_NAMES,
  type OptionNames,
} from "@b2frame/core/backend";
import { stdio } from "@b2frame/io-stdio";
import { copyStoreInSteps, pathKindOf, type StoreReport } from "@b2frame/stores";
import { requirePath } from "./source.js";
import { verify } from "./verify.js";

/** How to copy a frame or a store. `io` is how it is read; the copy is made in the file system. */
export interface CopyOptions extends SChunkEnvironmentOptions, IoOption {
  /** `"x"` (default) fails if something is at `outPath`; `"w"` replaces a file or a sparse frame there. */
  readonly mode?: "w" | "x" | undefined;
  /** Whether every chunk of the copy is decoded before it gets its name (default), or only its structure is checked. */
  readonly decode?: boolean | undefined;
  /** Keeps writers out, C-Blosc2's too, while a frame is copied: with the advisory lock, shared. Default false. */
  readonly locking?: Locking | undefined;
  /** What the copy outlives. Default `"disk"`. */
  readonly durability?: Durability | undefined;
  /** Looked at between chunks. */
  readonly signal?: AbortLike | undefined;
  /** Called as the copy grows, with its bytes, and then as it is verified; `total` is absent where it is not known beforehand. */
  readonly onProgress?: ((done: number, total: number | undefined, stage: "copying" | "verifying") => void) | undefined;
}

/** What {@link copy} made. */
export interface CopyReport {
  readonly path: string;
  readonly outPath: string;
  readonly kind: "contiguous" | "sparse" | "store";
  /** Uncompressed and compressed bytes, and chunks, of the frame or of all frames of the store. */
  readonly nbytes: number;
  readonly cbytes: number;
  readonly nchunks: number;
  /** What was copied and could not be verified here, as chunks of a codec that is not registered. */
  readonly unsupported: readonly VerifyProblem[];
}

const COPY_NAMES: OptionNames<CopyOptions> = {
  ...ENVIRONMENT_NAMES,
  io: true,
  ioOptions: true,
  mode: true,
  decode: true,
  locking: true,
  durability: true,
  signal: true,
  onProgress: true,
};

/** What tells that somebody has changed what is being copied. */
const CHANGE_CODES: readonly string[] = ["BLOSC2_IO_CHANGED", "BLOSC2_IO_STALE", "BLOSC2_IO_MOVED"];
/** How often copying begins again after that. */
const MOST_ATTEMPTS = 5;

/** A copy under way. */
interface Job extends CopyOptions {
  readonly path: string;
  readonly backend: IoBackend;
  /** Where it is made. */
  readonly temporary: string;
  /** Runs between chunks. */
  readonly breathe: () => Promise<void>;
}

function isStoreAt(path: string, backend: IoBackend): boolean {
  const kind = pathKindOf(path, backend);
  return kind === "zip" || kind === "store-directory";
}

function requireUnlocked(path: string, { locking = false }: CopyOptions): void {
  if (locking === false) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path}: is a store; locking is for frames`, {
    parameter: "locking",
    path,
  });
}

async function copyStoreTo(job: Job): Promise<void> {
  requireUnlocked(job.path, job);
  for (const { done, total } of copyStoreInSteps(job.path, job.backend, job.temporary, stdio())) {
    job.onProgress?.(done, total, "copying");
    await job.breathe();
  }
}

async function copyFrameTo(job: Job): Promise<void> {
  const { path, backend, temporary, locking = false, durability, engine, codecs, filters, limits } = job;
  const opening = { engine, codecs, filters, limits, locking, recipes: "describe" } as const;
  using from = openUdio(path, backend, opening);
  if (frameKindOf(from) === "store") requireUnlocked(path, job);
  if (locking !== false) from.lock("shared");
  const contiguous = backend.directories?.isDirectory(path) !== true;
  for (const done of copyInSteps(from, { urlpath: temporary, io: stdio(), contiguous, durability })) {
    job.onProgress?.(done, Math.max(done, from.cbytes), "copying");
    await job.breathe();
  }
}

/** Begins again when chunks of a sparse frame went before they were copied. */
async function copyUnchangedFrame(job: Job): Promise<void> {
  const { rm } = await import("node:fs/promises");
  for (let attempt = 1; ; attempt++) {
    try {
      return await copyFrameTo(job);
    } catch (error) {
      if (!isBlosc2Error(error) || !CHANGE_CODES.includes(error.code)) throw error;
      if (attempt === MOST_ATTEMPTS) {
        throw new IoError(
          "BLOSC2_IO_CHANGED",
          `${job.path}: a later commit changed it before all was copied, ${MOST_ATTEMPTS} times; with a lock its writers wait for the copy`,
          { operation: "copy", path: job.path },
          error,
        );
      }
      await rm(job.temporary, { recursive: true, force: true });
    }
  }
}

/** @throws FormatError unless the copy is whole as far as it can be checked */
function verified(job: Job): VerifyReport | StoreReport {
  const { path, temporary, decode, engine, codecs, filters, limits, signal, onProgress } = job;
  const report = verify(temporary, {
    engine,
    codecs,
    filters,
    limits,
    decode,
    signal,
    onProgress: (done, total) => onProgress?.(done, total, "verifying"),
  });
  const [problem] = partsOf(report).flatMap(({ problems }) => problems);
  if (problem === undefined) return report;
  throw new FormatError("BLOSC2_FORMAT_INVALID", {
    path,
    structure: "copy",
    field: problem.structure,
    position: problem.position ?? 0,
    expected: "a sound copy, and so a sound original",
    found: problem.message.replaceAll(temporary, path),
  });
}

function partsOf(report: VerifyReport | StoreReport): readonly Pick<VerifyReport, "problems" | "unsupported">[] {
  return report.kind === "store" ? [report, ...report.members] : [report];
}

/**
 * Copies what is at a path to a path at which there is nothing, and verifies the copy.
 *
 * @param breathe runs between chunks; what it throws ends the copying.
 */
export async function copyAndVerify(
  path: string,
  temporary: string,
  options: CopyOptions,
  breathe: () => Promise<void>,
): Promise<Omit<CopyReport, "outPath">> {
  const backend = chooseBackend(options);
  const job: Job = { ...options, path, backend, temporary, breathe };
  await (isStoreAt(path, backend) ? copyStoreTo(job) : copyUnchangedFrame(job));
  const report = verified(job);
  const frames = report.kind === "store" ? report.members : [report];
  const sum = (count: (frame: Pick<VerifyReport, "nbytes" | "cbytes" | "nchunks">) => number): number =>
    frames.reduce((total, frame) => total + count(frame), 0);
  return {
    path,
    kind: report.kind,
    nbytes: sum(({ nbytes }) => nbytes),
    cbytes: sum(({ cbytes }) => cbytes),
    nchunks: sum(({ nchunks }) => nchunks),
    unsupported: partsOf(report).flatMap(({ unsupported }) => unsupported),
  };
}

/**
 * Copies a frame or a store, also while b2frame writes it: the copy is one commit, whole. It is made beside `outPath`, verified, and only
 * then gets its name. Chunks are copied as they are; what was superseded is left out of frames. It has the rights of the original.
 *
 * Where C-Blosc2 or python-blosc2 may write, set `locking`: they change files in place. All files of a `.b2d` are copied as they were at one
 * instant, those too that are no members.
 *
 * @throws IoError, `BLOSC2_IO_EXISTS` when something is at `outPath`, `BLOSC2_IO_CHANGED` when chunks of a sparse frame or files of a
 * `.b2d` are replaced faster than they can be copied (`locking` keeps writers of a frame out); FormatError for what is damaged;
 * ArgumentError if `outPath` is `path` by any name; UnsupportedError; Blosc2Error `BLOSC2_ABORTED`
 * @example
 * ```ts
 * import { copy } from "b2frame";
 *
 * const { nchunks } = await copy("log.b2frame", "backup.b2frame");
 * ```
 */
export async function copy(path: string | URL, outPath: string | URL, options: CopyOptions = {}): Promise<CopyReport> {
  checkOptionNames(COPY_NAMES, options);
  const { mode = "x", durability = "disk", signal } = options;
  const [from, to] = [requirePath(path), requirePath(outPath, "outPath")];
  const { writeFileToPlace } = await import("./command-line/output-place.js");
  const { setImmediate } = await import("node:timers/promises");
  const breathe = async (): Promise<void> => {
    await setImmediate();
    if (signal?.aborted === true) {
      throw new Blosc2Error("BLOSC2_ABORTED", "copy: aborted by the caller", { operation: "copy" }, signal.reason);
    }
  };
  const place = { input: from, output: to, likeInput: true, mode };
  const report = await writeFileToPlace(place, (at) => copyAndVerify(from, at, options, breathe), durability);
  return { ...report, outPath: to };
}
