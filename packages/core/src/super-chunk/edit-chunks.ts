/** Inserting, updating, deleting and reordering chunks: what a super-chunk asks of a change before the frame makes it. @module */
import { decodeChunkHeader } from "../chunk/chunk-header.js";
import { EXTENDED_HEADER_LENGTH } from "../chunk/chunk-layout.js";
import { compressLent } from "../chunk/compress-chunk.js";
import type { StoredHeader } from "../chunk/new-chunk.js";
import { ArgumentError } from "../errors.js";
import { CHUNKSIZE_UNSET } from "../frame/frame-layout.js";
import type { ReadyChunk } from "../frame/stored-form.js";
import { requireBytes, type SuperChunkState } from "./super-chunk-state.js";

function invalid(parameter: string, message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter });
}

/** Compresses data with the super-chunk's parameters, and stores the chunk out of the engine's memory. */
function storeData(state: SuperChunkState, bytes: Uint8Array, store: (chunk: ReadyChunk) => void): void {
  // Opening the first chunk may take the engine, which holds the new one: so it is opened now, and found again by the insertion.
  holdsVlBlocks(state);
  const chunk = compressLent(bytes, state.cparams, state.environment);
  try {
    store(chunk);
  } finally {
    chunk.end();
  }
  // It may commit, for which the engine is needed.
  state.afterChange();
}

/** Compresses data into a chunk before `chunkIndex`. */
export function insertData(state: SuperChunkState, chunkIndex: number, bytes: Uint8Array): void {
  storeData(state, bytes, (chunk) => insertReady(state, chunkIndex, chunk));
}

/** Replaces a chunk by data. */
export function updateData(state: SuperChunkState, chunkIndex: number, bytes: Uint8Array): void {
  storeData(state, bytes, (chunk) => updateReady(state, chunkIndex, chunk));
}

/** Checks a chunk that the caller has compressed. */
function ready(chunk: Uint8Array): ReadyChunk {
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
  state.requireChunk(chunkIndex, state.frame.chunks.length + 1);
  insertReady(state, chunkIndex, ready(chunk));
  state.afterChange();
}

function insertReady(state: SuperChunkState, chunkIndex: number, chunk: ReadyChunk): void {
  const { frame } = state;
  const { header } = chunk;
  state.requireChunk(chunkIndex, frame.chunks.length + 1);
  requireNonEmptyWhole(frame.chunks.nbytes + header.nbytes);
  requireSameKind(holdsVlBlocks(state), header);
  frame.insertChunk(chunkIndex, chunk, state.settings.chunksize ?? header.nbytes);
}

/** Replaces a chunk. */
export function updateChunk(state: SuperChunkState, chunkIndex: number, chunk: Uint8Array): void {
  state.requireChunk(chunkIndex);
  updateReady(state, chunkIndex, ready(chunk));
  state.afterChange();
}

function updateReady(state: SuperChunkState, chunkIndex: number, chunk: ReadyChunk): void {
  const { frame, cache } = state;
  const { chunks } = frame;
  const { header } = chunk;
  state.requireChunk(chunkIndex);
  requireNonEmptyWhole(chunks.nbytes - chunks.nbytesOf(chunkIndex) + header.nbytes);
  if (chunks.length > 1) requireSameKind(holdsVlBlocks(state), header);
  cache.delete(chunks.at(chunkIndex));
  frame.replaceChunk(chunkIndex, chunk);
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

function requireSameKind(vlBlocks: boolean | undefined, header: StoredHeader): void {
  if (vlBlocks === undefined || vlBlocks === header.vlBlocks) return;
  const kind = vlBlocks ? "variable-length blocks" : "blocks of one size";
  throw invalid("chunk", `the frame's chunks have ${kind}, and so must all of them`);
}
