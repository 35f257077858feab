/** Making a sound frame of what is left of a damaged one. @module */
import { defaultEnvironment } from "../chunk/chunk-environment.js";
import { ArgumentError, FormatError } from "../errors.js";
import { CHECKSUMS_NAME } from "../frame/chunk-checksums.js";
import { parentDirectory } from "../frame/replace-file.js";
import type { IoBackend } from "../io/backend.js";
import type { SChunkEnvironmentOptions } from "../super-chunk/schunk-options.js";
import type { AbortLike } from "./abort.js";
import type { ChunkRange } from "./chunk-ranges.js";
import { planRepair } from "./plan-repair.js";
import { readDamagedFrame } from "./read-damaged-frame.js";
import type { IndexSource } from "./recover-chunks.js";
import { openRecovery } from "./recover-frame.js";
import { ProblemList, type VerifyProblem } from "./verify-problem.js";
import { writeSound } from "./write-sound.js";

/** Options of `repairFrame`. */
export interface RepairOptions extends SChunkEnvironmentOptions {
  /** Absolute position of the damaged frame's first byte in its file. Default 0. */
  readonly offset?: number | undefined;
  /** `"x"` (default) fails if something is at `outPath`; `"w"` replaces it. It is never the damaged frame itself. */
  readonly mode?: "w" | "x" | undefined;
  /**
   * Whether chunks that no index names, because their writer was interrupted, are taken over, at the end. Default true, but for
   * sparse frames, where they can't be told from superseded ones. An array takes only as many as its shape asks for.
   */
  readonly uncommitted?: boolean | undefined;
  /** Checked before each chunk. */
  readonly signal?: AbortLike | undefined;
}

/** What `repairFrame` did. */
export interface RepairReport {
  readonly path: string;
  readonly outPath: string;
  readonly kind: "contiguous" | "sparse";
  /**
   * What says which chunks there are, in which order: the index of the last commit; an index found in the file, of a commit that
   * was interrupted or superseded; or the order of the chunks in the file, in which deleted and replaced ones reappear.
   */
  readonly indexSource: IndexSource;
  /** Whether the chunks are those of the last commit: false where its index is lost, so that an older order, or none, was found. */
  readonly lastCommitKept: boolean;
  /** Chunks of the new frame, without those that stand for lost ones. */
  readonly chunksRecovered: number;
  /**
   * Chunks that an index names, or an array needs, and that are not there or don't decode. Where the order in the file counts: how
   * many fewer chunks were found than the header says there are.
   */
  readonly chunksLost: number;
  /**
   * Chunks of the new frame that are zeros because theirs are lost, as ranges. Where chunks differ in size, lost ones are left out
   * instead.
   */
  readonly zeroedChunks: readonly ChunkRange[];
  /** Of the recovered chunks, those at the end that were never committed. */
  readonly uncommittedChunks: number;
  /** Whole chunks that were found and are not in the new frame: superseded, beyond an array's shape, or not asked for. */
  readonly ignoredChunks: number;
  /** Whether the header's fields, and its metalayers, were taken over; else they are made up from what the chunks say. */
  readonly headerKept: boolean;
  readonly metalayersKept: boolean;
  /** Vlmetalayers that were taken over. */
  readonly vlmetalayers: number;
  /** Vlmetalayers that are not in the new frame; 1 if it can't be told how many there were. */
  readonly vlmetalayersLost: number;
  /** What was wrong, as far as it was met. */
  readonly problems: readonly VerifyProblem[];
}

/** @throws ArgumentError if the new frame would be the damaged one, or in its directory */
function requireOtherPlace(path: string, backend: IoBackend, outPath: string, outBackend: IoBackend): void {
  const damaged = backend.identify?.(path);
  const found = [outPath, parentDirectory(outPath)].map((each) => outBackend.identify?.(each));
  const same = damaged === undefined ? backend === outBackend && path === outPath : found.includes(damaged);
  if (!same) return;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${outPath}: is the damaged frame itself; write to another place`,
    {
      parameter: "outPath",
      path: outPath,
    },
  );
}

function notRepairable(path: string, flaw: VerifyProblem): FormatError {
  return new FormatError("BLOSC2_FORMAT_INVALID", {
    path,
    structure: "repair",
    field: flaw.structure,
    position: 0,
    expected: "enough to make a sound frame of",
    found: `a frame in which ${flaw.message}`,
  });
}

/**
 * Writes a sound frame of what is left of a damaged one. The damaged frame is not changed.
 *
 * Chunks are taken where the last commit says they are; if its index can't be read, or names chunks that are not there, an older or
 * unfinished one is looked for, and if there is none either, the order of the chunks in the file counts. Only chunks that decode are
 * taken, so every codec and filter of the frame must be registered.
 *
 * @param outPath the new frame, of the same kind.
 * The new frame is verified before it gets its name. If the description of an array is what makes it unsound, it is left out.
 *
 * @throws IoError when the damaged file can't be read, `BLOSC2_IO_EXISTS` when something is at `outPath`; ArgumentError if that is the
 * damaged frame, by whatever name; FormatError if no sound frame can be made of what is left; UnsupportedError for a codec or filter
 * that is not registered; Blosc2Error `BLOSC2_ABORTED`
 * @example
 * ```ts
 * const { chunksRecovered, chunksLost } = repairFrame("broken.b2frame", stdio(), "whole.b2frame", stdio());
 * ```
 */
export function repairFrame(
  path: string,
  backend: IoBackend,
  outPath: string,
  outBackend: IoBackend,
  options: RepairOptions = {},
): RepairReport {
  const { offset = 0 } = options;
  requireOtherPlace(path, backend, outPath, outBackend);
  const environment = defaultEnvironment(options);
  const place = { path, backend, offset, environment };
  const problems = new ProblemList();
  const damaged = readDamagedFrame(place, problems);
  try {
    const { uncommitted, signal } = options;
    const recovered = openRecovery(place, damaged, { uncommitted, signal }, problems);
    const { salvaged, recovery, vlmetalayers } = recovered;
    const sparse = damaged.sparse;
    const write = (geometry: typeof recovered.geometry, metalayers: typeof salvaged.metalayers) => {
      const plan = planRepair(recovery, salvaged, geometry);
      const content = { ...recovered, plan, metalayers, sparse, environment };
      return {
        plan,
        metalayersKept: metalayers === salvaged.metalayers && salvaged.metalayersKept,
        ...writeSound(outPath, outBackend, content, options, problems),
      };
    };
    let written = write(recovered.geometry, salvaged.metalayers);
    if (written.flaw !== undefined && salvaged.metalayers.length > 0) {
      // What describes the chunks may be what is wrong; they are worth having without it.
      problems.add(written.flaw);
      written = write(undefined, []);
    }
    if (written.flaw !== undefined) throw notRepairable(path, written.flaw);
    const { plan } = written;
    const known = vlmetalayers.filter(({ name }) => name !== CHECKSUMS_NAME).length;
    const unread = !damaged.trailerSound && known === 0 && salvaged.fieldsKept && salvaged.header.hasVlmeta ? 1 : 0;
    return {
      path,
      outPath,
      kind: sparse ? "sparse" : "contiguous",
      indexSource: recovery.indexSource,
      lastCommitKept: recovery.lastCommitKept,
      chunksRecovered: plan.recovered,
      chunksLost: plan.lost,
      zeroedChunks: plan.replaced,
      uncommittedChunks: plan.uncommitted,
      ignoredChunks: plan.ignored,
      headerKept: salvaged.fieldsKept,
      metalayersKept: written.metalayersKept,
      vlmetalayers: written.kept,
      vlmetalayersLost: known - written.kept + unread,
      problems: problems.problems,
    };
  } finally {
    damaged.close();
  }
}
