/** Recovering the content of a damaged frame, contiguous or sparse. @module */

import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkHeader } from "../chunk/chunk-header.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { Blosc2Error } from "../errors.js";
import { CHECKSUMS_NAME, readChecksums, type StoredChecksums } from "../frame/chunk-checksums.js";
import { MIN_CHUNK_LENGTH, MIN_HEADER_LENGTH } from "../frame/frame-layout.js";
import { FrameChunkSource } from "../frame/frame-source.js";
import type { Metalayer } from "../frame/metalayers.js";
import type { SparseFiles } from "../frame/sparse-files.js";
import { parseDType } from "../values/parse-dtype.js";
import type { AbortLike } from "./abort.js";
import { type ArrayGeometry, readArrayGeometry } from "./array-geometry.js";
import { mostChunks } from "./most-chunks.js";
import type { DamagedFrame, FramePlace } from "./read-damaged-frame.js";
import {
  ChunkExaminer,
  fromFrameStart,
  isLost,
  type Recovery,
  recoverCommitted,
  recoversMore,
  recoverWalked,
  withoutUncommitted,
} from "./recover-chunks.js";
import { ours, type SalvagedHeader, salvageHeader } from "./salvage-header.js";
import type { ProblemList } from "./verify-problem.js";
import { possibleBases, walkChunks } from "./walk-chunks.js";

/** What a new frame can be made of. */
export interface FrameRecovery {
  readonly salvaged: SalvagedHeader;
  /** Of the array that the frame holds. */
  readonly geometry: ArrayGeometry | undefined;
  readonly recovery: Recovery;
  readonly vlmetalayers: readonly Metalayer[];
  readonly keepsChecksums: boolean;
  /** Where the bytes of a recovered chunk are; valid until the damaged frame is closed. */
  readonly sourceOf: (entry: number) => ChunkSource;
}

interface RecoveryOptions {
  readonly uncommitted: boolean | undefined;
  readonly signal: AbortLike | undefined;
}

/** What recovering either kind of frame takes. */
interface RecoveryWork {
  readonly damaged: DamagedFrame;
  readonly place: FramePlace;
  readonly salvaged: SalvagedHeader;
  /** For chunks of this frame. */
  readonly environment: ChunkEnvironment;
  /** Undefined: none, or another writer has changed chunks since. */
  readonly checksums: StoredChecksums | undefined;
  readonly options: RecoveryOptions;
}

/** Finds out what there is, reading from the files that `damaged` has open. */
export function openRecovery(
  place: FramePlace,
  damaged: DamagedFrame,
  options: RecoveryOptions,
  problems: ProblemList,
): FrameRecovery {
  const { path, offset, environment } = place;
  const salvaged = salvageHeader(damaged.file, environment);
  const geometry = problems.attempt("array metalayer", () => readArrayGeometry(salvaged.metalayers, path, offset));
  if (geometry !== undefined && !salvaged.fieldsKept) {
    const { dtype } = geometry.metalayer;
    const itemsize = dtype === undefined ? undefined : ours(() => parseDType(dtype).itemsize);
    salvaged.header.typesize = itemsize ?? salvaged.header.typesize;
  }
  const committedVlmeta = damaged.frame?.vlmetalayers.layers ?? [];
  const checksums = damaged.sumsOurs ? ours(() => checksumsOf(damaged, place)) : undefined;
  const work: RecoveryWork = {
    damaged,
    place,
    salvaged,
    environment: { ...environment, superChunkTypesize: salvaged.header.typesize, geometry: geometry?.metalayer },
    checksums,
    options,
  };
  const { recovery, examiner, sourceOf, stored } =
    damaged.files === undefined ? recoverContiguous(work) : recoverSparse(work, damaged.files);
  for (const { entry } of recovery.chunks.filter(isLost)) examiner.report(entry, problems);
  const vlmetalayers = recovery.vlmetalayers ?? committedVlmeta;
  const modest =
    geometry && problems.attempt("array metalayer", () => requireModest(geometry, mostChunks(environment, stored)));
  const keepsChecksums = vlmetalayers.some(({ name }) => name === CHECKSUMS_NAME);
  return { salvaged, geometry: modest, recovery, vlmetalayers, keepsChecksums, sourceOf };
}

function checksumsOf({ frame }: DamagedFrame, place: FramePlace): StoredChecksums | undefined {
  return frame === undefined ? undefined : readChecksums(frame.vlmetalayers, place.path, place.environment);
}

interface Found extends Pick<FrameRecovery, "recovery" | "sourceOf"> {
  readonly examiner: ChunkExaminer;
  /** How many chunks the files have room for. */
  readonly stored: number;
}

function recoverContiguous(work: RecoveryWork): Found {
  const { damaged, salvaged, environment, checksums, options } = work;
  const { frame, file } = damaged;
  const { path } = work.place;
  const size = file.size();
  const stored = Math.floor(size / MIN_CHUNK_LENGTH);
  const bases = salvaged.headerLengths;
  const frameHeader = salvaged.fieldsKept ? salvaged.header : undefined;
  const request = { file, path, environment, frameHeader, signal: options.signal };
  const sourceOf = (entry: number): ChunkSource =>
    new FrameChunkSource(file, entry, size - entry, path, `chunk at offset ${entry}`);
  const examiner = new ChunkExaminer(sourceOf, environment, options.signal);
  const whole = (): Recovery => {
    // The header's length may be wrong, so chunks are looked for from where the shortest one ends.
    const start = Math.min(size, MIN_HEADER_LENGTH);
    const everything = { ...request, bases, known: new Set<number>(), start, end: size, search: true };
    let walk = walkChunks({ ...everything, accepts: (header) => isLikely(header, salvaged) });
    // What makes a chunk a likely one is from the header, which may be wrong.
    if (walk.chunks.length === 0) walk = walkChunks({ ...everything, accepts: () => true });
    return limited(recoverWalked(walk, possibleBases(bases, walk), examiner), options);
  };
  const described = frame !== undefined && damaged.indexSound && (frame.chunks.length > 0 || damaged.trailerSound);
  if (!described) return { recovery: whole(), examiner, sourceOf, stored };
  const { headerLength } = frame.header;
  const { committedLength: frameLength } = frame;
  requireFewChunks(frame.chunks.length, stored, work);
  const committed = examiner.all(fromFrameStart(frame.chunks.entries(), headerLength), checksums);
  const behind = walkChunks({
    ...request,
    bases: [headerLength],
    known: new Set(committed.map(({ entry }) => entry)),
    start: frameLength,
    end: size,
    search: false,
    accepts: () => true,
  });
  let recovery = limited(
    recoverCommitted(committed, behind, headerLength, examiner, options.uncommitted !== false),
    options,
  );
  if (recovery.chunks.some(isLost)) {
    const other = whole();
    if (recoversMore(recovery, other)) recovery = other;
  }
  return { recovery, examiner, sourceOf, stored };
}

/** Whether a chunk that was found by itself can be one of the frame's, as far as the frame's header tells. */
function isLikely(chunk: ChunkHeader, { header, fieldsKept }: SalvagedHeader): boolean {
  if (!fieldsKept) return true;
  const { chunksize, nbytes, typesize } = header;
  if (typesize <= 0xff && chunk.typesize !== typesize) return false;
  return chunksize <= 0 || chunk.nbytes === chunksize || chunk.nbytes === nbytes % chunksize;
}

/** @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED` */
function requireFewChunks(count: number, stored: number, { environment, place }: RecoveryWork): void {
  const limit = mostChunks(environment, stored);
  if (count <= limit) return;
  throw new Blosc2Error(
    "BLOSC2_LIMIT_EXCEEDED",
    `${place.path}: index chunk: names ${count} chunks; there is room for ${limit}, by what the file holds and the limit maxAllocation`,
    { path: place.path, structure: "index chunk", expected: limit, found: count },
  );
}

/** A shape may ask for any number of chunks, and none of them need be there. @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED` */
function requireModest(geometry: ArrayGeometry, limit: number): ArrayGeometry {
  const { grid, location } = geometry;
  if (grid.nchunks <= limit) return geometry;
  const message = `${location.structure}: its shapes ask for ${grid.nchunks} chunks; there is room for ${limit}, by what the file holds and the limit maxAllocation`;
  throw new Blosc2Error(
    "BLOSC2_LIMIT_EXCEEDED",
    location.path === undefined ? message : `${location.path}: ${message}`,
    {
      ...location,
      expected: limit,
      found: grid.nchunks,
    },
  );
}

/** Leaves uncommitted chunks out if they are not wanted. */
function limited(recovery: Recovery, options: RecoveryOptions): Recovery {
  return options.uncommitted === false ? withoutUncommitted(recovery) : recovery;
}

function recoverSparse(work: RecoveryWork, files: SparseFiles): Found {
  const { damaged, environment, checksums, options } = work;
  const sourceOf = (entry: number): ChunkSource => files.source(entry, entry);
  const examiner = new ChunkExaminer(sourceOf, environment, options.signal);
  const { frame } = damaged;
  const named = damaged.indexSound ? frame?.chunks.entries() : undefined;
  const numbers = Float64Array.from(files.numbers().filter((number) => !isEmpty(files, number))).sort();
  requireFewChunks(named?.length ?? 0, numbers.length, work);
  if (named === undefined) {
    const chunks = examiner.all(numbers).filter((chunk) => !isLost(chunk));
    const none = { vlmetalayers: undefined, uncommitted: 0, ignored: 0 };
    const recovery: Recovery = { chunks, indexSource: "walked", lastCommitKept: false, ...none };
    return { recovery, examiner, sourceOf, stored: numbers.length };
  }
  const chunks = examiner.all(named, checksums);
  const known = new Set(named);
  const others = examiner.all(numbers.filter((number) => !known.has(number))).filter((chunk) => !isLost(chunk));
  const all: Recovery = {
    chunks: [...chunks, ...others],
    indexSource: "committed",
    lastCommitKept: true,
    vlmetalayers: undefined,
    uncommitted: others.length,
    ignored: 0,
  };
  return {
    recovery: options.uncommitted === true ? all : withoutUncommitted(all),
    examiner,
    sourceOf,
    stored: numbers.length,
  };
}

/** C-Blosc2 leaves empty files where a chunk became a special one. */
function isEmpty(files: SparseFiles, number: number): boolean {
  return files.handle(number).size() === 0;
}
