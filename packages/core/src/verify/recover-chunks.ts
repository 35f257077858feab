/** Deciding which chunks a damaged frame consists of. @module */
import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkHeader } from "../chunk/chunk-header.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { type ChunkChecksum, requireSummedSource } from "../chunk/chunk-sum.js";
import type { StoredChecksums } from "../frame/chunk-checksums.js";
import type { Metalayer } from "../frame/metalayers.js";
import { type AbortLike, requireNotAborted } from "./abort.js";
import { BlockDecoder } from "./decode-blocks.js";
import { type ProblemList, problemOf, type VerifyProblem } from "./verify-problem.js";
import type { FoundChunk, FoundIndex, Walk } from "./walk-chunks.js";

/** Where the order of the recovered chunks comes from. */
export type IndexSource = "committed" | "found" | "walked";

/** A place in the sequence of chunks. */
export interface RecoveredChunk {
  /** A stored chunk's offset from the frame's first byte, or its file number in a sparse frame; or a special one's index entry. */
  readonly entry: number;
  /** Of a stored chunk that decodes; undefined for a special chunk, and for one that is lost. */
  readonly header: ChunkHeader | undefined;
}

/** What becomes of a frame's chunks. */
export interface Recovery {
  readonly chunks: readonly RecoveredChunk[];
  readonly indexSource: IndexSource;
  /** Whether nothing of the last commit is lost but single chunks: its index was there. */
  readonly lastCommitKept: boolean;
  /** Undefined: those of the committed trailer. */
  readonly vlmetalayers: readonly Metalayer[] | undefined;
  /** Chunks at the end of `chunks` that no index names. */
  readonly uncommitted: number;
  /** Whole chunks that were found and are not among `chunks`. */
  readonly ignored: number;
}

interface Failure {
  readonly problem: VerifyProblem;
  readonly error: unknown;
}

/** Tells chunks that are whole from those that are not; each entry is looked at once. */
export class ChunkExaminer {
  readonly #sourceOf: (entry: number) => ChunkSource;
  readonly #environment: ChunkEnvironment;
  readonly #decoder: BlockDecoder;
  readonly #signal: AbortLike | undefined;
  readonly #seen = new Map<number, ChunkHeader | Failure>();

  constructor(sourceOf: (entry: number) => ChunkSource, environment: ChunkEnvironment, signal: AbortLike | undefined) {
    this.#sourceOf = sourceOf;
    this.#signal = signal;
    this.#environment = environment;
    this.#decoder = new BlockDecoder(environment);
  }

  /** The header of a stored chunk that decodes and agrees with its checksum if there is one. */
  examine(entry: number, checksum?: ChunkChecksum): ChunkHeader | undefined {
    requireNotAborted(this.#signal, "repair");
    let seen = this.#seen.get(entry);
    if (seen === undefined) {
      seen = this.#look(entry, checksum);
      this.#seen.set(entry, seen);
    }
    return "problem" in seen ? undefined : seen;
  }

  #look(entry: number, checksum: ChunkChecksum | undefined): ChunkHeader | Failure {
    try {
      const source = this.#sourceOf(entry);
      const chunk = Chunk.open(source, this.#environment);
      this.#decoder.decode(chunk);
      if (checksum !== undefined) requireSummedSource(source, checksum, chunk.cbytes, this.#environment.engine);
      return chunk.header;
    } catch (error) {
      return { problem: problemOf(error, `chunk at ${entry}`), error };
    }
  }

  /**
   * Tells why a chunk is lost.
   *
   * @throws UnsupportedError for a codec or filter that is not registered: such a chunk may well be whole.
   */
  report(entry: number, problems: ProblemList): void {
    const seen = this.#seen.get(entry);
    if (seen === undefined || !("problem" in seen)) return;
    const { problem, error } = seen;
    if (problem.code === "BLOSC2_UNSUPPORTED_CODEC" || problem.code === "BLOSC2_UNSUPPORTED_FILTER") throw error;
    problems.add(problem);
  }

  /** The chunks that entries stand for. One that two entries name is that of the first; the other one is wrong. */
  all(entries: Float64Array, checksums?: StoredChecksums): RecoveredChunk[] {
    const ordered = checksums?.length === entries.length ? checksums : undefined;
    const named = new Set<number>();
    return Array.from(entries, (entry, i) => {
      if (entry < 0 || named.has(entry)) return { entry, header: undefined };
      named.add(entry);
      return { entry, header: this.examine(entry, ordered?.at(i)) };
    });
  }
}

/** Whether a place in the sequence has lost its chunk. */
export function isLost(chunk: RecoveredChunk): boolean {
  return chunk.entry >= 0 && chunk.header === undefined;
}

function lostCount(chunks: readonly RecoveredChunk[]): number {
  return chunks.filter(isLost).length;
}

/** An index's entries with offsets from the frame's first byte. */
export function fromFrameStart(entries: Float64Array, headerLength: number): Float64Array {
  return entries.map((entry) => (entry < 0 ? entry : headerLength + entry));
}

function asRecovered({ offset, header }: FoundChunk): RecoveredChunk {
  return { entry: offset, header };
}

/** Of a walk over the whole frame: the last index that names only whole chunks, and what was written after it. */
export function recoverWalked(walk: Walk, bases: readonly number[], examiner: ChunkExaminer): Recovery {
  const best = bestIndex(walk, bases, examiner);
  const { vlmetalayers } = walk;
  if (best === undefined) {
    const chunks = walk.chunks.map(asRecovered);
    return { chunks, indexSource: "walked", lastCommitKept: false, vlmetalayers, uncommitted: 0, ignored: 0 };
  }
  const { index } = best;
  const named = mended(best, walk);
  const others = unnamed(walk, named);
  const later = others.filter(({ entry }) => entry > index.offset);
  return {
    chunks: [...named, ...later],
    indexSource: "found",
    lastCommitKept: false,
    vlmetalayers,
    uncommitted: later.length,
    ignored: others.length - later.length,
  };
}

function unnamed(walk: Walk, named: readonly RecoveredChunk[]): RecoveredChunk[] {
  const entries = new Set(named.map(({ entry }) => entry));
  return walk.chunks.map(asRecovered).filter(({ entry }) => !entries.has(entry));
}

/**
 * Puts whole chunks in the place of entries that are wrong: those that point into another chunk, to one that is named already, or
 * past the index. That can only be told if there are as many chunks before the index that no entry names; else they may be superseded ones.
 */
function mended({ index, chunks }: ReadIndex, walk: Walk): readonly RecoveredChunk[] {
  const isWrong = (chunk: RecoveredChunk): boolean =>
    isLost(chunk) && (chunk.entry >= index.offset || isInside(walk.chunks, chunk.entry));
  const spare = unnamed(walk, chunks).filter(({ entry }) => entry < index.offset);
  if (spare.length !== chunks.filter(isWrong).length) return chunks;
  let next = 0;
  return chunks.map((chunk) => (isWrong(chunk) ? (spare[next++] as RecoveredChunk) : chunk));
}

/** Whether an offset lies in one of the chunks, which are in the order of the file. */
function isInside(chunks: readonly FoundChunk[], at: number): boolean {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle] as FoundChunk).offset <= at) low = middle + 1;
    else high = middle;
  }
  const before = chunks[low - 1];
  return before !== undefined && at < before.offset + before.header.cbytes;
}

/** Indexes that are looked at, from the end. */
const MAX_INDEXES = 16;

interface ReadIndex {
  readonly index: FoundIndex;
  readonly chunks: readonly RecoveredChunk[];
}

/** The index of which most chunks are whole, the last of equals. */
function bestIndex(walk: Walk, bases: readonly number[], examiner: ChunkExaminer): ReadIndex | undefined {
  let best: ReadIndex | undefined;
  for (const index of walk.indexes.slice(-MAX_INDEXES).toReversed()) {
    const entries = index.read();
    for (const base of entries === undefined ? [] : bases) {
      const chunks = examiner.all(fromFrameStart(entries as Float64Array, base));
      if (best === undefined || lostCount(chunks) < lostCount(best.chunks)) best = { index, chunks };
      if (lostCount(best.chunks) === 0) return best;
    }
  }
  return best;
}

/**
 * Of a sound index: what it names; or the index of a commit that was interrupted just before its last write.
 *
 * @param wanted whether such a commit may take the place of the last one.
 */
export function recoverCommitted(
  committed: readonly RecoveredChunk[],
  behind: Walk,
  headerLength: number,
  examiner: ChunkExaminer,
  wanted: boolean,
): Recovery {
  const newest = bestIndex(behind, [headerLength], examiner);
  if (wanted && newest !== undefined && lostCount(newest.chunks) === 0) {
    const { vlmetalayers } = behind;
    const { chunks } = newest;
    return { chunks, indexSource: "found", lastCommitKept: true, vlmetalayers, uncommitted: 0, ignored: 0 };
  }
  const later = behind.chunks.map(asRecovered);
  return {
    chunks: [...committed, ...later],
    indexSource: "committed",
    lastCommitKept: true,
    vlmetalayers: undefined,
    uncommitted: later.length,
    ignored: 0,
  };
}

/** The same without the chunks that no index names. */
export function withoutUncommitted(recovery: Recovery): Recovery {
  const { chunks, uncommitted, ignored } = recovery;
  return {
    ...recovery,
    chunks: chunks.slice(0, chunks.length - uncommitted),
    uncommitted: 0,
    ignored: ignored + uncommitted,
  };
}

/**
 * Whether the second holds more stored chunks that are whole than the first. Special ones do not count: the index of an array's
 * first commit may name nothing but zeros, all of them whole, and none of them the data that came later.
 */
export function recoversMore(first: Recovery, second: Recovery): boolean {
  const whole = ({ chunks }: Recovery): number => chunks.filter(({ header }) => header !== undefined).length;
  return whole(second) > whole(first);
}
