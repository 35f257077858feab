/** What can be said about a chunk without decompressing it. @module */
import { readChunkHeader, type SpecialKind } from "../chunk/chunk-header.js";
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

/** Describes one chunk from its header alone. */
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
  const { position } = source.location;
  return { index: chunkIndex, nbytes, cbytes, cratio: nbytes / cbytes, special: kind, position };
}
