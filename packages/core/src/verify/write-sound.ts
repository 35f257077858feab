/** Writing a repaired frame so that it gets its name only if it is sound. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { IoError } from "../errors.js";
import { abandonFrame } from "../frame/abandon-frame.js";
import type { Metalayer } from "../frame/metalayers.js";
import { createFrame } from "../frame/open-frame.js";
import { firstFailure, parentDirectory } from "../frame/replace-file.js";
import { removeSparseFrame } from "../frame/sparse-files.js";
import type { IoBackend } from "../io/backend.js";
import { newFileName } from "../io/new-file.js";
import type { SChunkEnvironmentOptions } from "../super-chunk/schunk-options.js";
import type { RepairPlan } from "./plan-repair.js";
import type { FrameRecovery } from "./recover-frame.js";
import { verifyFrame } from "./verify-frame.js";
import type { ProblemList, VerifyProblem } from "./verify-problem.js";
import { writeRepaired, writeVlMetalayers } from "./write-repaired.js";

/** What the new frame is made of. */
export interface RepairedContent extends Pick<FrameRecovery, "vlmetalayers" | "keepsChecksums" | "sourceOf"> {
  readonly plan: RepairPlan;
  readonly metalayers: readonly Metalayer[];
  readonly sparse: boolean;
  readonly environment: ChunkEnvironment;
}

/** How it went. */
export interface SoundWrite {
  /** Vlmetalayers that were taken over. */
  readonly kept: number;
  /** Why the frame was not sound, and is not there. */
  readonly flaw: VerifyProblem | undefined;
}

/**
 * Writes the frame beside its place, verifies it, and moves it there. A sparse one, which can't be moved, is removed if it is not sound.
 *
 * @throws IoError, `BLOSC2_IO_EXISTS` with mode `"x"`
 */
export function writeSound(
  path: string,
  backend: IoBackend,
  content: RepairedContent,
  options: SChunkEnvironmentOptions & { readonly mode?: "w" | "x" | undefined },
  problems: ProblemList,
): SoundWrite {
  const { mode = "x" } = options;
  const { sparse } = content;
  if (mode === "x" && (backend.exists(path) || backend.directories?.isDirectory(path) === true)) {
    throw new IoError("BLOSC2_IO_EXISTS", `${path}: there is something at this path already`, {
      operation: "create",
      path,
    });
  }
  const target = backend.resolveLinks?.(path) ?? path;
  const place = sparse ? path : besides(target);
  const kept = writeFrame(place, backend, content, sparse ? mode : "x", problems);
  try {
    const [flaw] = verifyFrame(place, backend, options).problems;
    if (flaw !== undefined) {
      remove(place, backend, content);
      return { kept, flaw: { ...flaw, message: flaw.message.replaceAll(place, path) } };
    }
    if (!sparse) backend.rename(place, target);
    return { kept, flaw: undefined };
  } catch (error) {
    throw firstFailure(error, () => remove(place, backend, content));
  }
}

/** A name in the same folder that nothing has. */
function besides(path: string): string {
  const folder = parentDirectory(path);
  return folder === "." ? newFileName() : `${folder.replace(/[/\\]$/, "")}/${newFileName()}`;
}

function writeFrame(
  path: string,
  backend: IoBackend,
  content: RepairedContent,
  mode: "w" | "x",
  problems: ProblemList,
): number {
  const { plan, metalayers, sparse, environment, vlmetalayers, keepsChecksums, sourceOf } = content;
  const empty = { nbytes: 0, cbytes: 0, variableChunks: false, vlBlocks: false, hasVlmeta: false };
  const header = { ...plan.header, ...empty, sparse };
  const frame = createFrame({ path, backend, sparse, mode, header, metalayers, environment });
  try {
    const kept = writeVlMetalayers(frame, vlmetalayers, environment, problems);
    if (keepsChecksums) frame.keepChecksums();
    writeRepaired(frame, plan, sourceOf);
    frame.commit();
    frame.close();
    return kept;
  } catch (error) {
    throw firstFailure(error, () => abandonFrame(frame, false));
  }
}

function remove(path: string, backend: IoBackend, { sparse }: RepairedContent): void {
  if (sparse) removeSparseFrame(backend, path, false);
  else if (backend.exists(path)) backend.remove(path);
}
