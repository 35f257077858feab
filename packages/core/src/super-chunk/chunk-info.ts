/** What can be said about a chunk without decompressing it. @module */
import { readChunkHeader, type SpecialKind } from "../chunk/chunk-header.js";
import { requireSummedLength, requireSummedSource } from "../chunk/chunk-sum.js";
import { FormatError } from "../errors.js";
import { MIN_CHUNK_LENGTH } from "../frame/frame-layout.js";
import { entrySpecial } from "../frame/offsets-index.js";
import type { ReadState } from "./read-state.js";

/** One chunk of a super-chunk. */
export interface ChunkInfo {
  readonly index: number;
  /** Uncompressed bytes. */
  readonly nbytes: number;
  /** Compressed bytes, header included; 32 for a special chunk that only the index stands for. */
  readonly cbytes: number;
  /** `nbytes / cbytes` */
  readonly cratio: number;
  /** What the chunk holds instead of blocks, if it is special. */
  readonly special: SpecialKind | undefined;
  /**
   * Absolute position of the chunk in its file (0 in the chunk file of a sparse frame); `undefined` if only the index stands
   * for it.
   */
  readonly position: number | undefined;
}

/** Where there are checksums, a chunk of at most so many bytes is read whole to describe it. */
const SMALL_CHUNK = 4096;

/**
 * Describes one chunk from its header, and, where the frame keeps checksums, as much of the chunk as it takes to be sure of that.
 *
 * @throws FormatError
 */
export function chunkInfo(state: ReadState, chunkIndex: number): ChunkInfo {
  const { frame } = state;
  const entry = frame.chunks.at(chunkIndex);
  const special = entrySpecial(entry);
  if (special !== undefined) {
    const nbytes = state.frame.chunks.nbytesOf(chunkIndex);
    const cratio = nbytes / MIN_CHUNK_LENGTH;
    return { index: chunkIndex, nbytes, cbytes: MIN_CHUNK_LENGTH, cratio, special, position: undefined };
  }
  const source = frame.chunkSource(entry, chunkIndex);
  const { nbytes, cbytes, special: kind } = readChunkHeader(source);
  const sum = frame.sumOf(entry, chunkIndex);
  if (sum !== undefined) {
    requireSummedLength(source, sum, cbytes);
    if (frame.chunks.variable || cbytes <= SMALL_CHUNK) {
      requireSummedSource(source, sum, cbytes, state.environment.engine);
    } else if (nbytes !== frame.chunks.nbytesOf(chunkIndex)) {
      const expected = `${frame.chunks.nbytesOf(chunkIndex)}, from the frame header`;
      const details = { ...source.location, field: "nbytes", offset: 4, expected, found: nbytes };
      throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", details);
    }
  }
  const { position } = source.location;
  return { index: chunkIndex, nbytes, cbytes, cratio: nbytes / cbytes, special: kind, position };
}
