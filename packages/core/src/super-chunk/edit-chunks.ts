/**
 * Inserting, updating, deleting and reordering chunks. The rules about sizes are the format's: chunks have one size but
 * for a shorter last one, until an edit breaks that; from then on the frame is one of variable-size chunks
 * (`chunksize` 0) and stays so.
 *
 * @module
 */
import { type ChunkHeader, decodeChunkHeader } from "../chunk/chunk-header.js";
import { EXTENDED_HEADER_LENGTH } from "../chunk/chunk-layout.js";
import { compressBorrowed, compressChunk } from "../chunk/compress-chunk.js";
import { encodeSpecialChunk, fillPattern, nanPattern } from "../chunk/special-chunk.js";
import { ArgumentError } from "../errors.js";
import { CHUNKSIZE_UNSET, CHUNKSIZE_VARIABLE } from "../frame/frame-layout.js";
import { entrySpecial, type IndexedSpecial, plainEnvironment, specialEntry } from "../frame/offsets-index.js";
import { requireBytes, type SuperChunkState } from "./super-chunk-state.js";

function invalid(parameter: string, message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter });
}

/** A compressed chunk with its header. */
interface ReadyChunk {
  readonly bytes: Uint8Array;
  readonly header: ChunkHeader;
}

/** Compresses data with the super-chunk's parameters. The chunk is to be stored before the engine is used again. */
export function compressData(state: SuperChunkState, bytes: Uint8Array): Uint8Array {
  // Opening the first chunk may take the engine, which holds the result: so it is opened now, and found again by the insertion.
  holdsVlBlocks(state);
  return compressBorrowed(bytes, state.cparams, state.environment);
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
  const { index } = state.frame;
  if (index.length === 0) return undefined;
  return index.at(0) >= 0 && state.openChunk(0).header.vlBlocks;
}

/** Inserts a chunk before `chunkIndex`; at the end if that is the number of chunks. */
export function insertChunk(state: SuperChunkState, chunkIndex: number, chunk: Uint8Array): void {
  const { frame, sizes } = state;
  state.requireChunk(chunkIndex, frame.index.length + 1);
  const { bytes, header } = ready(chunk);
  requireNonEmptyWhole(frame.header.nbytes + header.nbytes);
  const vlBlocks = holdsVlBlocks(state);
  requireSameKind(vlBlocks, header);
  if (vlBlocks === undefined) frame.header.vlBlocks = header.vlBlocks;
  if (frame.header.chunksize === CHUNKSIZE_UNSET) {
    frame.header.chunksize = state.settings.chunksize ?? header.nbytes;
  }
  if (!sizes.variable && !fitsInserted(state, chunkIndex, header.nbytes)) becomeVariable(state);
  const entry = storedEntry(state, bytes, header);
  frame.index.insert(chunkIndex, entry);
  sizes.insert(chunkIndex, header.nbytes);
  frame.header.nbytes += header.nbytes;
  frame.touch();
  state.afterChange();
}

/** Whether chunks still have one size after an insertion. */
function fitsInserted(state: SuperChunkState, chunkIndex: number, nbytes: number): boolean {
  const { header, index } = state.frame;
  if (nbytes === 0 || nbytes > header.chunksize) return false;
  const atEnd = chunkIndex === index.length;
  return atEnd ? header.nbytes % header.chunksize === 0 : nbytes === header.chunksize;
}

/** Replaces a chunk. */
export function updateChunk(state: SuperChunkState, chunkIndex: number, chunk: Uint8Array): void {
  const { frame, sizes } = state;
  state.requireChunk(chunkIndex);
  const { bytes, header } = ready(chunk);
  const last = frame.index.length - 1;
  const oldNbytes = sizes.nbytes(chunkIndex);
  requireNonEmptyWhole(frame.header.nbytes - oldNbytes + header.nbytes);
  if (last === 0) frame.header.vlBlocks = header.vlBlocks;
  else requireSameKind(holdsVlBlocks(state), header);
  if (!sizes.variable) {
    const { chunksize } = frame.header;
    const fits = chunkIndex === last ? header.nbytes > 0 && header.nbytes <= chunksize : header.nbytes === chunksize;
    if (!fits) becomeVariable(state);
  }
  // The old bytes go first, so that a chunk which is updated again and again before a commit takes its room only once.
  release(state, frame.index.at(chunkIndex), chunkIndex);
  frame.index.set(chunkIndex, storedEntry(state, bytes, header));
  sizes.update(chunkIndex, header.nbytes);
  frame.header.nbytes += header.nbytes - oldNbytes;
  frame.touch();
  state.afterChange();
}

/** Removes a chunk. */
export function deleteChunk(state: SuperChunkState, chunkIndex: number): void {
  const { frame, sizes } = state;
  state.requireChunk(chunkIndex);
  const nbytes = sizes.nbytes(chunkIndex);
  if (frame.index.length > 1) requireNonEmptyWhole(frame.header.nbytes - nbytes);
  release(state, frame.index.at(chunkIndex), chunkIndex);
  frame.index.delete(chunkIndex);
  sizes.delete(chunkIndex);
  frame.header.nbytes -= nbytes;
  frame.touch();
}

/** Puts chunks in another order: `new[i] = old[order[i]]`. */
export function reorderChunks(state: SuperChunkState, order: ArrayLike<number>): void {
  const { frame, sizes } = state;
  const { index, header } = frame;
  const seen = new Uint8Array(index.length);
  for (let i = 0; i < order.length; i++) {
    const from = order[i] as number;
    if (!Number.isInteger(from) || from < 0 || from >= index.length || seen[from] === 1) {
      throw invalid("order", `order[${i}]: expected each of 0..${index.length - 1} once, found ${from}`);
    }
    seen[from] = 1;
  }
  if (order.length !== index.length) {
    throw invalid("order", `order: expected ${index.length} indices, found ${order.length}`);
  }
  const last = index.length - 1;
  const lastIsShort = !sizes.variable && index.length > 0 && header.nbytes % header.chunksize !== 0;
  if (lastIsShort && order[last] !== last) becomeVariable(state);
  index.reorder(order);
  sizes.reorder(order);
  frame.touch();
}

/**
 * Rebuilds the sequence of full-size chunks: the new chunk `i` is the old chunk `sources[i]`, or zeros where that is -1. Old
 * chunks that are not named are dropped.
 */
export function remapChunks(state: SuperChunkState, sources: ArrayLike<number>): void {
  const { frame, sizes } = state;
  const { header, index } = frame;
  header.chunksize =
    header.chunksize === CHUNKSIZE_UNSET ? (state.settings.chunksize ?? CHUNKSIZE_UNSET) : header.chunksize;
  if (header.chunksize <= 0 || header.nbytes !== index.length * header.chunksize) {
    throw invalid("sources", "only chunks that all have one full size can be mapped to other places");
  }
  const used = new Uint8Array(index.length);
  const entries = new Float64Array(sources.length);
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as number;
    if (!Number.isInteger(source) || source < -1 || source >= index.length || used[source] === 1) {
      throw invalid("sources", `sources[${i}]: expected -1 or an old chunk named once, found ${source}`);
    }
    if (source >= 0) used[source] = 1;
    entries[i] = source < 0 ? specialEntry("zeros") : index.at(source);
  }
  for (let i = 0; i < used.length; i++) if (used[i] === 0) release(state, index.at(i), i);
  index.replace(entries);
  sizes.clear();
  header.nbytes = entries.length * header.chunksize;
  frame.touch();
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

/** Stores a chunk and gives its entry; special ones become bare entries where their size follows from the frame. */
function storedEntry(state: SuperChunkState, bytes: Uint8Array, header: ChunkHeader): number {
  const { frame, sizes } = state;
  const { special, nbytes } = header;
  if (special === undefined || nbytes === 0) return frame.storeChunk(bytes);
  const { typesize } = frame.header;
  if (special === "value") {
    const value = bytes.subarray(EXTENDED_HEADER_LENGTH);
    return frame.storeChunk(value.byteLength >= typesize ? bytes : repeatedChunk(state, value, nbytes));
  }
  const fits = special === "zeros" || (nbytes % typesize === 0 && (special !== "nan" || header.typesize === typesize));
  if (fits && !sizes.variable) return specialEntry(special);
  return frame.storeChunk(repeatedChunk(state, patternOf(special, header.typesize), nbytes));
}

/** What a special chunk repeats. */
function patternOf(special: IndexedSpecial, typesize: number): Uint8Array {
  return special === "nan" ? nanPattern(typesize) : new Uint8Array(1);
}

/**
 * A chunk that repeats `pattern` and has its size in it, in a form that C-Blosc2 reads: in a frame it takes repeated values of
 * at least the frame's typesize only.
 */
function repeatedChunk(state: SuperChunkState, pattern: Uint8Array, nbytes: number): Uint8Array {
  const { typesize } = state.frame.header;
  const width = Math.max(typesize, pattern.byteLength);
  const repeats = width % pattern.byteLength === 0 && nbytes % width === 0;
  const content = new Uint8Array(repeats ? width : nbytes);
  fillPattern(content, 0, content.byteLength, pattern, 0);
  if (repeats) return encodeSpecialChunk("value", nbytes, width, content);
  return compressChunk(content, { typesize, clevel: 0 }, plainEnvironment(state.environment));
}

/** Lets chunks differ in size. Bare special entries become stored chunks, which have their size in them. */
function becomeVariable(state: SuperChunkState): void {
  const { frame, sizes } = state;
  const { index, header } = frame;
  sizes.becomeVariable();
  for (let i = 0; i < index.length; i++) {
    const special = entrySpecial(index.at(i));
    if (special === undefined) continue;
    const pattern = patternOf(special, header.typesize);
    index.set(i, frame.storeChunk(repeatedChunk(state, pattern, sizes.nbytes(i))));
  }
  header.chunksize = CHUNKSIZE_VARIABLE;
  header.variableChunks = true;
  frame.touch();
}

/** Gives a chunk's bytes up; in a sparse frame not while another index entry names the same file. */
function release(state: SuperChunkState, entry: number, chunkIndex: number): void {
  if (entry < 0) return;
  const { frame, cache } = state;
  if (frame.sparse) {
    const entries = frame.index.entries();
    if (entries.indexOf(entry) !== chunkIndex || entries.indexOf(entry, chunkIndex + 1) >= 0) return;
  }
  frame.releaseChunk(entry);
  cache.delete(entry);
}
