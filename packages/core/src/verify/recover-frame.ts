/** Recovering the content of a damaged frame, contiguous or sparse. @module */
import { parseDType } from "../b2nd/dtype.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { CHECKSUMS_NAME, type ChunkChecksum, decodeChecksums } from "../frame/chunk-checksums.js";
import { MIN_HEADER_LENGTH } from "../frame/frame-layout.js";
import { FrameChunkSource } from "../frame/frame-source.js";
import type { Metalayer } from "../frame/metalayers.js";
import type { SparseFiles } from "../frame/sparse-files.js";
import { MAX_CHUNK_BYTES } from "../limits.js";
import type { AbortLike } from "./abort.js";
import { type ArrayGeometry, readArrayGeometry } from "./array-geometry.js";
import type { DamagedFrame, FramePlace } from "./read-damaged-frame.js";
import {
  ChunkExaminer,
  isLost,
  type Recovery,
  recoverCommitted,
  recoversMore,
  recoverWalked,
  withoutUncommitted,
} from "./recover-chunks.js";
import { ours, type SalvagedHeader, salvageHeader } from "./salvage-header.js";
import type { ProblemList } from "./verify-problem.js";
import { type Walk, type WalkRequest, walkChunks } from "./walk-chunks.js";

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
  readonly geometry: ArrayGeometry | undefined;
  /** For chunks of this frame. */
  readonly environment: ChunkEnvironment;
  readonly checksums: readonly (ChunkChecksum | undefined)[];
  readonly options: RecoveryOptions;
  readonly problems: ProblemList;
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
  const checksums = ours(() => checksumsOf(committedVlmeta, place)) ?? [];
  const work: RecoveryWork = {
    damaged,
    place,
    salvaged,
    geometry,
    environment: { ...environment, superChunkTypesize: salvaged.header.typesize, geometry: geometry?.metalayer },
    checksums,
    options,
    problems,
  };
  const { recovery, sourceOf } =
    damaged.files === undefined ? recoverContiguous(work) : recoverSparse(work, damaged.files);
  const vlmetalayers = recovery.vlmetalayers ?? committedVlmeta;
  const keepsChecksums = vlmetalayers.some(({ name }) => name === CHECKSUMS_NAME);
  return { salvaged, geometry, recovery, vlmetalayers, keepsChecksums, sourceOf };
}

function checksumsOf(layers: readonly Metalayer[], place: FramePlace): (ChunkChecksum | undefined)[] {
  const content = layers.find(({ name }) => name === CHECKSUMS_NAME)?.content;
  if (content === undefined) return [];
  const location = { path: place.path, structure: `vlmetalayer "${CHECKSUMS_NAME}"`, position: place.offset };
  return decodeChecksums(content, location, place.environment);
}

type Found = Pick<FrameRecovery, "recovery" | "sourceOf">;

function recoverContiguous(work: RecoveryWork): Found {
  const { damaged, salvaged, environment, checksums, geometry, options, problems } = work;
  const { frame, file } = damaged;
  const { path, offset } = work.place;
  const size = file.size();
  const maxChunkBytes =
    salvaged.fieldsKept && salvaged.header.chunksize > 0 ? salvaged.header.chunksize : MAX_CHUNK_BYTES;
  // Without a header, chunks are looked for from where the shortest one ends, and offsets count from the first.
  const start = salvaged.headerLength ?? Math.min(size, MIN_HEADER_LENGTH);
  const request: Omit<WalkRequest, "start" | "end" | "search"> = {
    file,
    path,
    environment,
    headerLength: start,
    maxChunkBytes,
    signal: options.signal,
  };
  let walk: Walk | undefined;
  const walkAll = (): Walk => {
    walk ??= walkChunks({ ...request, start, end: size, search: true });
    return walk;
  };
  const base = salvaged.headerLength ?? walkAll().chunks[0]?.offset ?? start;
  const sourceOf = (entry: number): ChunkSource =>
    new FrameChunkSource(file, base + entry, size - base - entry, {
      path,
      structure: `chunk at offset ${base + entry}`,
      position: offset + base + entry,
    });
  const examiner = new ChunkExaminer(sourceOf, environment, problems);
  const whole = (): Recovery => recoverWalked(walkAll(), base, examiner);
  const described = frame !== undefined && damaged.indexSound && (frame.index.length > 0 || damaged.trailerSound);
  if (!described) return { recovery: limited(whole(), geometry, options), sourceOf };
  const committed = examiner.all(frame.index.entries(), checksums);
  const behind = walkChunks({ ...request, start: frame.header.frameLength, end: size, search: false });
  let recovery = limited(recoverCommitted(committed, behind, base, examiner), geometry, options);
  if (recovery.chunks.some(isLost)) {
    const other = limited(whole(), geometry, options);
    if (recoversMore(recovery, other)) recovery = other;
  }
  return { recovery, sourceOf };
}

/** Leaves uncommitted chunks out unless they are wanted, which by default they are not in arrays. */
function limited(recovery: Recovery, geometry: ArrayGeometry | undefined, options: RecoveryOptions): Recovery {
  return (options.uncommitted ?? geometry === undefined) ? recovery : withoutUncommitted(recovery);
}

function recoverSparse(work: RecoveryWork, files: SparseFiles): Found {
  const { damaged, environment, checksums, options, problems } = work;
  const sourceOf = (entry: number): ChunkSource => files.source(entry, entry);
  const examiner = new ChunkExaminer(sourceOf, environment, problems);
  const { frame } = damaged;
  const named = damaged.indexSound ? frame?.index.entries() : undefined;
  const numbers = Float64Array.from(files.numbers().filter((number) => !isEmpty(files, number))).sort();
  if (named === undefined) {
    const chunks = examiner.all(numbers).filter((chunk) => !isLost(chunk));
    const recovery: Recovery = { chunks, indexSource: "walked", vlmetalayers: undefined, uncommitted: 0, ignored: 0 };
    return { recovery, sourceOf };
  }
  const chunks = examiner.all(named, checksums);
  const known = new Set(named);
  const others = examiner.all(numbers.filter((number) => !known.has(number))).filter((chunk) => !isLost(chunk));
  const all: Recovery = {
    chunks: [...chunks, ...others],
    indexSource: "committed",
    vlmetalayers: undefined,
    uncommitted: others.length,
    ignored: 0,
  };
  return { recovery: options.uncommitted === true ? all : withoutUncommitted(all), sourceOf };
}

/** C-Blosc2 leaves empty files where a chunk became a special one. */
function isEmpty(files: SparseFiles, number: number): boolean {
  return files.handle(number).size() === 0;
}
