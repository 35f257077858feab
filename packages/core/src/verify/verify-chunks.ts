/** Checking the chunks that an index names. @module */
import type { Chunk } from "../chunk/chunk.js";
import { readChunkHeader } from "../chunk/chunk-header.js";
import { requireSummedSource } from "../chunk/chunk-sum.js";
import { FormatError } from "../errors.js";
import { requireSumOf, type StoredChecksums } from "../frame/chunk-checksums.js";
import type { SuperChunkState } from "../super-chunk/super-chunk-state.js";
import { type AbortLike, requireNotAborted } from "./abort.js";
import { BlockDecoder } from "./decode-blocks.js";
import { type ProblemList, problemOf } from "./verify-problem.js";

/** How chunks are checked. */
export interface ChunkChecks {
  /** Whether each chunk is decoded, or only its header and block starts are looked at. */
  readonly decode: boolean;
  /** What each chunk's blocksize must be; of arrays. */
  readonly blocksize: number | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortLike | undefined;
}

/** A stored chunk's bytes in the chunk area, or its file number in a sparse frame. */
interface Extent {
  readonly chunkIndex: number;
  readonly start: number;
  readonly end: number;
}

/** How the stored chunks compare with the checksums that the frame keeps of them. */
export interface ChecksumCounts {
  /** Chunks that agree with their checksum. */
  readonly verified: number;
  /** Chunks without one, in a frame that keeps none. */
  readonly missing: number;
  /** Chunks that differ from their checksum, have none where others have one, or can't be read; each is a problem as well. */
  readonly failed: number;
}

/**
 * Checks every chunk, that no two share bytes, and that their sizes add up.
 *
 * @param checksums undefined if the frame keeps none.
 */
export function verifyChunks(
  state: SuperChunkState,
  checksums: StoredChecksums | undefined,
  checks: ChunkChecks,
  problems: ProblemList,
): ChecksumCounts {
  const counts = { verified: 0, missing: 0, failed: 0 };
  const { frame } = state;
  const { chunks } = frame;
  const decoder = new BlockDecoder(state.environment);
  const extents: Extent[] = [];
  const before = problems.problems.length;
  let vlBlocks: boolean | undefined;
  let lastEntry = Number.NaN;
  let lastSound = false;
  for (let i = 0; i < chunks.length; i++) {
    requireNotAborted(checks.signal, "verify");
    const entry = chunks.at(i);
    // Few bytes can stand for many equal entries. What was found of the first of them holds for the others; only the last chunk can
    // have another size.
    const repeats = entry === lastEntry && lastSound && i < chunks.length - 1 && !chunks.variable;
    if (repeats && entry < 0) {
      checks.onProgress?.(i + 1, chunks.length);
      continue;
    }
    const sound = problems.attempt(`chunk ${i}`, () => {
      const chunk = state.openChunk(i);
      if (entry >= 0) {
        extents.push({ chunkIndex: i, start: entry, end: frame.sparse ? entry + 1 : entry + chunk.cbytes });
      }
      vlBlocks ??= chunk.header.vlBlocks;
      requireLikeOthers(state, i, chunk, vlBlocks, checks.blocksize);
      if (checks.decode && !repeats) decoder.decode(chunk);
      return true;
    });
    lastEntry = entry;
    lastSound = sound === true;
    state.cache.clear();
    if (entry >= 0) counts[compareChecksum(state, i, checksums, problems)]++;
    checks.onProgress?.(i + 1, chunks.length);
  }
  findOverlaps(state, extents, problems);
  if (chunks.variable && problems.problems.length === before && chunks.length > 0) {
    problems.attempt("frame header", () => chunks.start(chunks.length));
  }
  return counts;
}

function compareChecksum(
  state: SuperChunkState,
  chunkIndex: number,
  checksums: StoredChecksums | undefined,
  problems: ProblemList,
): keyof ChecksumCounts {
  if (checksums === undefined) return "missing";
  const { frame, environment } = state;
  try {
    const entry = frame.chunks.at(chunkIndex);
    const expected = requireSumOf(checksums, frame, entry, chunkIndex);
    const source = frame.chunkSource(entry, chunkIndex);
    requireSummedSource(source, expected, readChunkHeader(source).cbytes, environment.engine);
    return "verified";
  } catch (error) {
    problems.add(problemOf(error, `chunk ${chunkIndex}`));
    return "failed";
  }
}

function requireLikeOthers(
  state: SuperChunkState,
  chunkIndex: number,
  chunk: Chunk,
  vlBlocks: boolean,
  blocksize: number | undefined,
): void {
  const fail = (field: string, expected: string | number, found: string | number): FormatError =>
    new FormatError("BLOSC2_FORMAT_INVALID", { ...locationOf(state, chunkIndex), field, expected, found });
  if (chunk.header.vlBlocks !== vlBlocks) {
    const kinds = ["blocks of one size", "variable-length blocks"];
    throw fail("flags2", `${kinds[Number(vlBlocks)]}, as in the chunks before`, kinds[Number(!vlBlocks)] as string);
  }
  if (blocksize !== undefined && chunk.special === undefined && chunk.blocksize !== blocksize) {
    throw fail("blocksize", `${blocksize}, from the array's blockshape`, chunk.blocksize);
  }
}

function locationOf(
  state: SuperChunkState,
  chunkIndex: number,
): { path?: string | undefined; structure: string; position: number } {
  const { frame } = state;
  const entry = frame.chunks.at(chunkIndex);
  const structure = `chunk ${chunkIndex}`;
  const { path } = frame.origin;
  return entry < 0 ? { path, structure, position: frame.position } : frame.chunkSource(entry, chunkIndex).location;
}

function findOverlaps(state: SuperChunkState, extents: Extent[], problems: ProblemList): void {
  extents.sort((a, b) => a.start - b.start || a.chunkIndex - b.chunkIndex);
  let reaching: Extent | undefined;
  for (const extent of extents) {
    if (reaching !== undefined && extent.start < reaching.end) {
      const { chunkIndex, start } = extent;
      const other = reaching;
      problems.attempt(`chunk ${chunkIndex}`, () => {
        throw new FormatError("BLOSC2_FORMAT_BAD_OFFSET", {
          ...locationOf(state, chunkIndex),
          field: "offset",
          expected: state.frame.sparse
            ? `a file other than that of chunk ${other.chunkIndex}`
            : `${other.end} or more, where chunk ${other.chunkIndex} ends`,
          found: start,
        });
      });
    }
    if (reaching === undefined || extent.end > reaching.end) reaching = extent;
  }
}
