/** Copying stored chunks from one frame into another. @module */
import { readChunkHeader } from "../chunk/chunk-header.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { FormatError } from "../errors.js";
import { type ChunkChecksum, checksumOf } from "./chunk-checksums.js";
import type { Frame } from "./frame.js";
import { MAX_OPEN_CHUNK_FILES } from "./frame-layout.js";

/** Compressed bytes of a stored chunk, from its header. */
export function storedChunkByteLength(source: ChunkSource): number {
  return readChunkHeader(source).cbytes;
}

/** The compressed bytes of a stored chunk, as a copy. */
export function readStoredChunk(source: ChunkSource): Uint8Array {
  const chunk = new Uint8Array(storedChunkByteLength(source));
  source.readInto(0, chunk);
  return chunk;
}

/**
 * Holds a stored chunk against its checksum. A chunk of another length than the one that was summed is another writer's and has
 * none.
 *
 * @returns whether there was a checksum.
 * @throws FormatError `BLOSC2_FORMAT_CHECKSUM`
 */
export function requireChecksum(source: ChunkSource, expected: ChunkChecksum | undefined): boolean {
  if (expected === undefined) return false;
  const found = checksumOf(readStoredChunk(source));
  if (found.cbytes !== expected.cbytes) return false;
  if (found.crc32c === expected.crc32c) return true;
  throw new FormatError("BLOSC2_FORMAT_CHECKSUM", {
    ...source.location,
    field: "CRC-32C",
    expected: `0x${expected.crc32c.toString(16)}`,
    found: `0x${found.crc32c.toString(16)}`,
  });
}

function* storedChunks(from: Frame): Generator<Uint8Array | number> {
  const { chunks } = from;
  for (let i = 0; i < chunks.length; i++) {
    const entry = chunks.at(i);
    yield entry < 0 ? entry : readStoredChunk(from.chunkSource(entry, i));
  }
}

/**
 * Copies everything of `from` but its place into `to`, a new frame of the same header and metalayers: chunks in logical order and as
 * they are, special ones as index entries, vlmetalayers. Commits nothing.
 */
export function copyFrame(from: Frame, to: Frame): void {
  from.syncChecksums();
  to.takeOver({ chunks: storedChunks(from), facts: from.chunks, vlmetalayers: from.vlmetalayers.layers });
}

/** Opens the files of a sparse frame's first chunks: a later commit may remove them, but not take them from who has them open. */
function holdChunkFiles(from: Frame): void {
  const { chunks } = from;
  for (let i = 0; i < Math.min(chunks.length, MAX_OPEN_CHUNK_FILES); i++) {
    const entry = chunks.at(i);
    if (entry >= 0) from.chunkSource(entry, i);
  }
}

/**
 * As {@link copyFrame}, a chunk at each step.
 *
 * @returns a generator of the bytes that have been stored so far.
 */
export function* copyFrameInSteps(from: Frame, to: Frame): Generator<number, void, undefined> {
  if (from.sparse) holdChunkFiles(from);
  from.syncChecksums();
  let stored = 0;
  for (const chunk of storedChunks(from)) {
    to.takeChunk(chunk);
    if (typeof chunk !== "number") stored += chunk.byteLength;
    yield stored;
  }
  to.takeOver({ chunks: [], facts: from.chunks, vlmetalayers: from.vlmetalayers.layers });
}
