/** Inserting, updating, deleting and reordering chunks: what a super-chunk asks of a change before the frame makes it. @module */
import { type ChunkHeader, decodeChunkHeader } from "../chunk/chunk-header.js";
import { EXTENDED_HEADER_LENGTH } from "../chunk/chunk-layout.js";
import { compressBorrowed } from "../chunk/compress-chunk.js";
import { ArgumentError } from "../errors.js";
import { CHUNKSIZE_UNSET } from "../frame/frame-layout.js";
import type { NewChunk } from "../frame/stored-form.js";
import { requireBytes, type SuperChunkState } from "./super-chunk-state.js";

function invalid(parameter: string, message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter });
}

/** Compresses data with the super-chunk's parameters. The chunk is to be stored before the engine is used again. */
export function compressData(state: SuperChunkState, bytes: Uint8Array): Uint8Array {
  // Opening the first chunk may take the engine, which holds the result: so it is opened now, and found again by the insertion.
  holdsVlBlocks(state);
  return compressBorrowed(bytes, state.cparams, state.environment);
}

/** Checks a chunk that the caller has compressed. */
function ready(chunk: Uint8Array): NewChunk {
  const given = requireBytes(chunk, "chunk");
  const header = decodeChunkHeader(given, { structure: "chunk to store", position: 0 });
  if (header.headerLength !== EXTENDED_HEADER_LENGTH) {
    throw invalid(
      "chunk",
      "a chunk with the 16-byte header of Blosc 1 can't be in a frame; decompress it and append the data",
    );
  }
  return { bytes: given.byteLength === header.cbytes ? given : given.subarray(0, header.cbytes), header };
}

/** Whether the chunks hold variable-length blocks; undefined while there are none. */
function holdsVlBlocks(state: SuperChunkState): boolean | undefined {
  const { chunks } = state.frame;
  if (chunks.length === 0) return undefined;
  return chunks.at(0) >= 0 && state.openChunk(0).header.vlBlocks;
}

/** Inserts a chunk before `chunkIndex`; at the end if that is the number of chunks. */
export function insertChunk(state: SuperChunkState, chunkIndex: number, chunk: Uint8Array): void {
  const { frame } = state;
  state.requireChunk(chunkIndex, frame.chunks.length + 1);
  const { bytes, header } = ready(chunk);
  requireNonEmptyWhole(frame.chunks.nbytes + header.nbytes);
  requireSameKind(holdsVlBlocks(state), header);
  frame.insertChunk(chunkIndex, { bytes, header }, state.settings.chunksize ?? header.nbytes);
  state.afterChange();
}

/** Replaces a chunk. */
export function updateChunk(state: SuperChunkState, chunkIndex: number, chunk: Uint8Array): void {
  const { frame, cache } = state;
  const { chunks } = frame;
  state.requireChunk(chunkIndex);
  const { bytes, header } = ready(chunk);
  requireNonEmptyWhole(chunks.nbytes - chunks.nbytesOf(chunkIndex) + header.nbytes);
  if (chunks.length > 1) requireSameKind(holdsVlBlocks(state), header);
  cache.delete(chunks.at(chunkIndex));
  frame.replaceChunk(chunkIndex, { bytes, header });
  state.afterChange();
}

/** Removes a chunk. */
export function deleteChunk(state: SuperChunkState, chunkIndex: number): void {
  const { frame, cache } = state;
  const { chunks } = frame;
  state.requireChunk(chunkIndex);
  if (chunks.length > 1) requireNonEmptyWhole(chunks.nbytes - chunks.nbytesOf(chunkIndex));
  cache.delete(chunks.at(chunkIndex));
  frame.removeChunk(chunkIndex);
}

/** Puts chunks in another order: `new[i] = old[order[i]]`. */
export function reorderChunks({ frame }: SuperChunkState, order: ArrayLike<number>): void {
  const count = frame.chunks.length;
  const seen = new Uint8Array(count);
  for (let i = 0; i < order.length; i++) {
    const from = order[i] as number;
    if (!Number.isInteger(from) || from < 0 || from >= count || seen[from] === 1) {
      throw invalid("order", `order[${i}]: expected each of 0..${count - 1} once, found ${from}`);
    }
    seen[from] = 1;
  }
  if (order.length !== count) throw invalid("order", `order: expected ${count} indices, found ${order.length}`);
  frame.reorder(order);
}

/**
 * Rebuilds the sequence of full-size chunks: the new chunk `i` is the old chunk `sources[i]`, or zeros where that is -1. Old
 * chunks that are not named are dropped.
 */
export function remapChunks({ frame, cache, settings }: SuperChunkState, sources: ArrayLike<number>): void {
  const { chunks } = frame;
  const chunksize = chunks.chunksize === CHUNKSIZE_UNSET ? (settings.chunksize ?? CHUNKSIZE_UNSET) : chunks.chunksize;
  if (chunksize <= 0 || chunks.nbytes !== chunks.length * chunksize) {
    throw invalid("sources", "only chunks that all have one full size can be mapped to other places");
  }
  const used = new Uint8Array(chunks.length);
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as number;
    if (!Number.isInteger(source) || source < -1 || source >= chunks.length || used[source] === 1) {
      throw invalid("sources", `sources[${i}]: expected -1 or an old chunk named once, found ${source}`);
    }
    if (source >= 0) used[source] = 1;
  }
  for (let i = 0; i < used.length; i++) if (used[i] === 0) cache.delete(chunks.at(i));
  frame.remap(sources, chunksize);
}

/** The format tells the number of chunks from the number of bytes, so chunks can't all be empty. */
function requireNonEmptyWhole(nbytes: number): void {
  if (nbytes > 0) return;
  throw invalid("chunk", "the chunks of a frame can't all be empty: their number would be lost");
}

function requireSameKind(vlBlocks: boolean | undefined, header: ChunkHeader): void {
  if (vlBlocks === undefined || vlBlocks === header.vlBlocks) return;
  const kind = vlBlocks ? "variable-length blocks" : "blocks of one size";
  throw invalid("chunk", `the frame's chunks have ${kind}, and so must all of them`);
}
