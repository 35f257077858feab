/** Copying stored chunks from one frame into another. @module */
import { decodeChunkHeader } from "../chunk/chunk-header.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import type { Frame } from "./frame.js";
import { MIN_CHUNK_LENGTH } from "./frame-layout.js";

/** Compressed bytes of a stored chunk, from its header. */
export function storedChunkByteLength(source: ChunkSource): number {
  const head = source.read(0, Math.min(source.byteLength, MIN_CHUNK_LENGTH));
  return decodeChunkHeader(head, source.location, source.byteLength).cbytes;
}

/** The compressed bytes of a stored chunk, as a copy. */
export function readStoredChunk(source: ChunkSource): Uint8Array {
  const chunk = new Uint8Array(storedChunkByteLength(source));
  source.readInto(0, chunk);
  return chunk;
}

/**
 * Copies everything of `from` but its place into `to`, a new frame of the same metalayers: chunks in logical order
 * and as they are, special ones as index entries, vlmetalayers. Commits nothing.
 */
export function copyFrame(from: Frame, to: Frame): void {
  const { index } = from;
  for (let i = 0; i < index.length; i++) {
    const entry = index.at(i);
    to.index.appendRepeated(entry < 0 ? entry : to.storeChunk(readStoredChunk(from.chunkSource(entry, i))), 1);
  }
  for (const { name, content } of from.vlmetalayers.layers) to.vlmetalayers.set(name, content);
  const { nbytes, chunksize, blocksize, variableChunks, vlBlocks, hasVlmeta } = from.header;
  Object.assign(to.header, { nbytes, chunksize, blocksize, variableChunks, vlBlocks, hasVlmeta });
  to.touch();
}
