/** Deciding which chunks a damaged frame consists of. @module */
import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkHeader } from "../chunk/chunk-header.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { isBlosc2Error } from "../errors.js";
import type { ChunkChecksum } from "../frame/chunk-checksums.js";
import { requireChecksum } from "../frame/copy-frame.js";
import type { Metalayer } from "../frame/metalayers.js";
import { BlockDecoder } from "./decode-blocks.js";
import { type ProblemList, problemOf } from "./verify-problem.js";
import type { FoundChunk, FoundIndex, Walk } from "./walk-chunks.js";

/** Where the order of the recovered chunks comes from. */
export type IndexSource = "committed" | "found" | "walked";

/** A place in the sequence of chunks. */
export interface RecoveredChunk {
  /** A stored chunk's index entry, or a special one's. */
  readonly entry: number;
  /** Of a stored chunk that decodes; undefined for a special chunk, and for one that is lost. */
  readonly header: ChunkHeader | undefined;
}

/** What becomes of a frame's chunks. */
export interface Recovery {
  readonly chunks: readonly RecoveredChunk[];
  readonly indexSource: IndexSource;
  /** Undefined: those of the committed trailer. */
  readonly vlmetalayers: readonly Metalayer[] | undefined;
  /** Chunks at the end of `chunks` that no index names. */
  readonly uncommitted: number;
  /** Whole chunks that were found and are not among `chunks`. */
  readonly ignored: number;
}

/** Tells chunks that are whole from those that are not; each entry is looked at once. */
export class ChunkExaminer {
  readonly #sourceOf: (entry: number) => ChunkSource;
  readonly #environment: ChunkEnvironment;
  readonly #decoder: BlockDecoder;
  readonly #problems: ProblemList;
  readonly #seen = new Map<number, ChunkHeader | undefined>();

  constructor(sourceOf: (entry: number) => ChunkSource, environment: ChunkEnvironment, problems: ProblemList) {
    this.#sourceOf = sourceOf;
    this.#environment = environment;
    this.#decoder = new BlockDecoder(environment);
    this.#problems = problems;
  }

  /**
   * The header of a stored chunk that decodes and agrees with its checksum if there is one.
   *
   * @throws UnsupportedError for a codec or filter that is not registered: such a chunk may well be whole.
   */
  examine(entry: number, checksum?: ChunkChecksum): ChunkHeader | undefined {
    if (this.#seen.has(entry)) return this.#seen.get(entry);
    const header = this.#look(entry, checksum);
    this.#seen.set(entry, header);
    return header;
  }

  #look(entry: number, checksum: ChunkChecksum | undefined): ChunkHeader | undefined {
    try {
      const source = this.#sourceOf(entry);
      const chunk = Chunk.open(source, this.#environment);
      this.#decoder.decode(chunk);
      requireChecksum(source, checksum);
      return chunk.header;
    } catch (error) {
      const unknown = ["BLOSC2_UNSUPPORTED_CODEC", "BLOSC2_UNSUPPORTED_FILTER"] as const;
      if (unknown.some((code) => isBlosc2Error(error, code))) throw error;
      this.#problems.add(problemOf(error, `chunk at ${entry}`));
      return undefined;
    }
  }

  /** The chunks that entries stand for. */
  all(entries: Float64Array, checksums: readonly (ChunkChecksum | undefined)[] = []): RecoveredChunk[] {
    const ordered = checksums.length === entries.length ? checksums : [];
    return Array.from(entries, (entry, i) => ({
      entry,
      header: entry < 0 ? undefined : this.examine(entry, ordered[i]),
    }));
  }
}

/** Whether a place in the sequence has lost its chunk. */
export function isLost(chunk: RecoveredChunk): boolean {
  return chunk.entry >= 0 && chunk.header === undefined;
}

function lostCount(chunks: readonly RecoveredChunk[]): number {
  return chunks.filter(isLost).length;
}

/** A walk's chunks as index entries count them. */
export function foundChunks(chunks: readonly FoundChunk[], headerLength: number): RecoveredChunk[] {
  return chunks.map(({ offset, header }) => ({ entry: offset - headerLength, header }));
}

/** Of a walk over the whole frame: the last index that names only whole chunks, and what was written after it. */
export function recoverWalked(walk: Walk, headerLength: number, examiner: ChunkExaminer): Recovery {
  const best = bestIndex(walk.indexes, examiner);
  if (best === undefined) {
    const chunks = foundChunks(walk.chunks, headerLength);
    return { chunks, indexSource: "walked", vlmetalayers: walk.vlmetalayers, uncommitted: 0, ignored: 0 };
  }
  const { index, chunks: named } = best;
  const namedEntries = new Set(index.entries);
  const others = foundChunks(walk.chunks, headerLength).filter(({ entry }) => !namedEntries.has(entry));
  const later = others.filter(({ entry }) => entry + headerLength > index.offset);
  return {
    chunks: [...named, ...later],
    indexSource: "found",
    vlmetalayers: walk.vlmetalayers,
    uncommitted: later.length,
    ignored: others.length - later.length,
  };
}

function bestIndex(
  indexes: readonly FoundIndex[],
  examiner: ChunkExaminer,
): { index: FoundIndex; chunks: RecoveredChunk[] } | undefined {
  let best: { index: FoundIndex; chunks: RecoveredChunk[] } | undefined;
  for (const index of indexes.toReversed()) {
    const chunks = examiner.all(index.entries);
    if (best === undefined || lostCount(chunks) < lostCount(best.chunks)) best = { index, chunks };
    if (lostCount(best.chunks) === 0) break;
  }
  return best;
}

/** Of a sound index: what it names; or the index of a commit that was interrupted just before its last write. */
export function recoverCommitted(
  committed: readonly RecoveredChunk[],
  behind: Walk,
  headerLength: number,
  examiner: ChunkExaminer,
): Recovery {
  const newest = bestIndex(behind.indexes, examiner);
  if (newest !== undefined && lostCount(newest.chunks) === 0) {
    const { vlmetalayers } = behind;
    return { chunks: newest.chunks, indexSource: "found", vlmetalayers, uncommitted: 0, ignored: 0 };
  }
  const later = foundChunks(behind.chunks, headerLength);
  return {
    chunks: [...committed, ...later],
    indexSource: "committed",
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

/** Whether the second holds more whole chunks than the first. */
export function recoversMore(first: Recovery, second: Recovery): boolean {
  const whole = ({ chunks }: Recovery): number => chunks.length - lostCount(chunks);
  return whole(second) > whole(first);
}
