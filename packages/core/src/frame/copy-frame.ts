/** Copying stored chunks from one frame into another. @module */
import type { Engine } from "../block/engine.js";
import { readChunkHeader } from "../chunk/chunk-header.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { requireSummedBytes } from "../chunk/chunk-sum.js";
import { CHECKSUMS_NAME } from "./chunk-checksums.js";
import type { Frame, FrameReader } from "./frame.js";
import { MAX_OPEN_CHUNK_FILES } from "./frame-layout.js";
import type { Metalayer } from "./metalayers.js";

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

/** The compressed bytes of a stored chunk of a frame, as a copy, held against its sum. @throws FormatError `BLOSC2_FORMAT_CHECKSUM` */
export function readCheckedChunk(frame: FrameReader, entry: number, chunkIndex: number, engine: Engine): Uint8Array {
  const source = frame.chunkSource(entry, chunkIndex);
  const sum = frame.sumOf(entry, chunkIndex);
  const chunk = readStoredChunk(source);
  if (sum !== undefined) requireSummedBytes(source, sum, chunk, engine);
  return chunk;
}

function* storedChunks(from: Frame, engine: Engine): Generator<Uint8Array | number> {
  const { chunks } = from;
  for (let i = 0; i < chunks.length; i++) {
    const entry = chunks.at(i);
    yield entry < 0 ? entry : readCheckedChunk(from, entry, i, engine);
  }
}

/**
 * The vlmetalayers that `to` takes over. Where the checksums of `from` are not looked at, `to` keeps its own from now on in the place of
 * those.
 */
function layersToCopy(from: Frame, to: Frame): readonly Metalayer[] {
  from.syncChecksums();
  const { layers } = from.vlmetalayers;
  if (from.checked || from.checksums === undefined) return layers;
  to.keepChecksums();
  return layers.filter(({ name }) => name !== CHECKSUMS_NAME);
}

/**
 * Copies everything of `from` but its place into `to`, a new frame of the same header and metalayers: chunks in logical order and as
 * they are, special ones as index entries, vlmetalayers. Commits nothing.
 */
export function copyFrame(from: Frame, to: Frame, engine: Engine): void {
  const vlmetalayers = layersToCopy(from, to);
  to.takeOver({ chunks: storedChunks(from, engine), facts: from.chunks, vlmetalayers });
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
export function* copyFrameInSteps(from: Frame, to: Frame, engine: Engine): Generator<number, void, undefined> {
  if (from.sparse) holdChunkFiles(from);
  const vlmetalayers = layersToCopy(from, to);
  let stored = 0;
  for (const chunk of storedChunks(from, engine)) {
    to.takeChunk(chunk);
    if (typeof chunk !== "number") stored += chunk.byteLength;
    yield stored;
  }
  to.takeOver({ chunks: [], facts: from.chunks, vlmetalayers });
}
