/** Finding out whether a frame is whole. @module */
import { defaultEnvironment } from "../chunk/chunk-environment.js";
import { readChecksums } from "../frame/chunk-checksums.js";
import { type Locking, lockToOpen } from "../frame/frame-locking.js";
import type { IoBackend } from "../io/backend.js";
import { requireContent } from "../super-chunk/recipe.js";
import type { SChunkEnvironmentOptions } from "../super-chunk/schunk-options.js";
import { SuperChunkState } from "../super-chunk/super-chunk-state.js";
import { VlMetalayers } from "../super-chunk/vl-metalayers.js";
import type { AbortLike } from "./abort.js";
import { type ArrayGeometry, readArrayGeometry, requireFrameFits } from "./array-geometry.js";
import { readDamagedFrame } from "./read-damaged-frame.js";
import { type ChecksumCounts, verifyChunks } from "./verify-chunks.js";
import { ProblemList, type VerifyProblem } from "./verify-problem.js";

/** Options of `verifyFrame`. */
export interface VerifyOptions extends SChunkEnvironmentOptions {
  /** Absolute position of the frame's first byte in the file. Default 0. */
  readonly offset?: number | undefined;
  /** Takes the frame's advisory lock, shared, for as long as it is looked at. Default false. */
  readonly locking?: Locking | undefined;
  /** Whether every chunk is decoded (default), or only headers and block starts are checked. */
  readonly decode?: boolean | undefined;
  /** Called after each chunk with the number of chunks checked and of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Checked before each chunk. */
  readonly signal?: AbortLike | undefined;
}

/** What `verifyFrame` found. */
export interface VerifyReport {
  readonly path: string;
  /** Whether all of it was checked and is whole: there are no problems, and nothing is unsupported. */
  readonly ok: boolean;
  readonly kind: "contiguous" | "sparse";
  /** Chunks that the index names; 0 when it can't be read. */
  readonly nchunks: number;
  /** Uncompressed bytes, from the header. */
  readonly nbytes: number;
  /** Compressed bytes; in a contiguous frame with the superseded ones among them. */
  readonly cbytes: number;
  /** Superseded bytes, which `compact` gives back. 0 when there are problems that keep them from being counted. */
  readonly deadBytes: number;
  /** Bytes that follow the frame in its file: no fault. Those of a writer that was killed can be seen with `repairFrame`. */
  readonly strayBytes: number;
  readonly checksums: ChecksumCounts;
  /** Damage; the first 10,000. */
  readonly problems: readonly VerifyProblem[];
  /**
   * What could not be checked, and may well be whole: chunks of a codec or filter that is not registered, and the content of recipes
   * and proxy caches of python-blosc2, which is elsewhere; the first 10,000.
   */
  readonly unsupported: readonly VerifyProblem[];
}

const NO_CHECKSUMS: ChecksumCounts = { verified: 0, missing: 0, failed: 0 };

/**
 * Checks a frame: header, index and trailer, that chunks lie inside the frame and share no bytes, that every chunk and
 * vlmetalayer decodes, that chunks and description agree with their checksums where the frame keeps them, and that an array's shapes fit
 * its chunks. Nothing is changed.
 *
 * What is wrong with the file is in the report; an error is thrown only for what kept it from being looked at.
 *
 * @throws IoError when the file can't be opened, `BLOSC2_IO_LOCKED` where others keep it locked; Blosc2Error `BLOSC2_ABORTED`;
 * UnsupportedError for a sparse frame on a backend that has none.
 * @example
 * ```ts
 * const report = verifyFrame("t.b2frame", stdio());
 * for (const { structure, message } of report.problems) console.error(structure, message);
 * ```
 */
export function verifyFrame(path: string, backend: IoBackend, options: VerifyOptions = {}): VerifyReport {
  const lock = lockToOpen(path, backend, options.locking, "r");
  try {
    return verifyUnlocked(path, backend, options);
  } finally {
    lock?.close();
  }
}

function verifyUnlocked(path: string, backend: IoBackend, options: VerifyOptions): VerifyReport {
  const { offset = 0, decode = true, onProgress, signal } = options;
  // Checksums are compared apart from reading, so that it is found out what else is wrong.
  const environment = { ...defaultEnvironment(options), checksum: false };
  const problems = new ProblemList();
  const damaged = readDamagedFrame({ path, backend, offset, environment }, problems);
  const { frame, sparse, strayBytes } = damaged;
  const kind = sparse ? "sparse" : "contiguous";
  try {
    if (frame === undefined) {
      const counts = { nchunks: 0, nbytes: 0, cbytes: 0, deadBytes: 0, checksums: NO_CHECKSUMS };
      return {
        path,
        ok: false,
        kind,
        ...counts,
        strayBytes,
        problems: problems.problems,
        unsupported: problems.unsupported,
      };
    }
    // Chunks of recipes and caches are looked at like any others.
    const state = new SuperChunkState(frame, { environment, typesizeChosen: true, anyContent: true });
    const geometry = problems.attempt("array metalayer", () =>
      readArrayGeometry(frame.metalayers.layers, path, offset),
    );
    if (geometry !== undefined) {
      state.setGeometry(geometry.metalayer);
      if (damaged.indexSound) problems.attempt(geometry.location.structure, () => requireFrameFits(geometry, frame));
    }
    const blocksize = expectedBlocksize(geometry, frame.header.typesize);
    const stored = problems.attempt("checksums", () => readChecksums(frame.vlmetalayers, path, environment));
    const checksums = verifyChunks(state, stored, { decode, blocksize, onProgress, signal }, problems);
    verifyVlMetalayers(state, problems);
    const sound = problems.problems.length === 0;
    if (sound) problems.attempt("content", () => requireContent(frame, environment));
    const deadBytes = sound ? frame.deadBytes() : 0;
    const { length: nchunks, nbytes } = frame.chunks;
    const counts = { nchunks, nbytes, cbytes: frame.cbytes, deadBytes, checksums };
    const ok = sound && problems.unsupported.length === 0;
    return { path, ok, kind, ...counts, strayBytes, problems: problems.problems, unsupported: problems.unsupported };
  } finally {
    damaged.close();
  }
}

function expectedBlocksize(geometry: ArrayGeometry | undefined, typesize: number): number | undefined {
  return geometry === undefined ? undefined : geometry.grid.blockItemCount * typesize;
}

function verifyVlMetalayers(state: SuperChunkState, problems: ProblemList): void {
  const vlmeta = new VlMetalayers(state);
  for (const name of vlmeta.keys()) problems.attempt(`vlmetalayer "${name}"`, () => vlmeta.get(name));
}
