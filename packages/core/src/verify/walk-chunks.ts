/** Finding the chunks, indexes and trailers of a contiguous frame without an index, from what they look like. @module */
import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkHeader } from "../chunk/chunk-header.js";
import {
  CHUNK_VERSION_VL_BLOCKS,
  EXTENDED_HEADER_LENGTH,
  FIELD_BLOCKSIZE,
  FIELD_CBYTES,
  FIELD_COMPCODE,
  FIELD_FILTERS,
  FIELD_FLAGS,
  FIELD_NBYTES,
  FIELD_TYPESIZE,
  FLAGS_EXTENDED,
} from "../chunk/chunk-layout.js";
import { isBlosc2Error } from "../errors.js";
import type { FrameFile } from "../frame/frame-file.js";
import type { FrameHeader } from "../frame/frame-header.js";
import { FRAME_MAGIC, MIN_CHUNK_LENGTH } from "../frame/frame-layout.js";
import { FrameChunkSource } from "../frame/frame-source.js";
import type { Metalayer } from "../frame/metalayers.js";
import { decodeIndex, plainEnvironment } from "../frame/offsets-index.js";
import { type AbortLike, requireNotAborted } from "./abort.js";
import { BlockDecoder } from "./decode-blocks.js";
import { findTrailer } from "./find-trailer.js";
import { mostChunks } from "./most-chunks.js";

/** A whole chunk that decodes. */
export interface FoundChunk {
  /** From the frame's first byte. */
  readonly offset: number;
  readonly header: ChunkHeader;
}

/** What may be an index, found by its place before a trailer or by what it holds. */
export interface FoundIndex {
  /** From the frame's first byte. */
  readonly offset: number;
  /** Its entries; undefined if it is none, or a damaged one. Few bytes can stand for many entries, so they are not kept. */
  readonly read: () => Float64Array | undefined;
}

/** What a walk found, in the order of the file. */
export interface Walk {
  readonly chunks: FoundChunk[];
  readonly indexes: FoundIndex[];
  /** Contents of the last trailer. */
  vlmetalayers: readonly Metalayer[] | undefined;
}

/** Where and how to walk. Offsets are from the frame's first byte. */
export interface WalkRequest {
  readonly file: FrameFile;
  readonly path: string | undefined;
  readonly environment: ChunkEnvironment;
  /** Lengths that the frame's header may have; offsets in an index count from one of them. */
  readonly bases: readonly number[];
  readonly start: number;
  readonly end: number;
  /** Chunks before `start` that are known, in the same offsets. */
  readonly known: ReadonlySet<number>;
  /** Whether to look for the next chunk behind bytes that are none, or to stop there. */
  readonly search: boolean;
  /** Whether a chunk that does not follow the header or another one is taken for one. */
  readonly accepts: (header: ChunkHeader) => boolean;
  /**
   * The frame's header, if it is sound: a chunk of its codec and filters is one of the frame's, also if they are not registered and
   * it can't be decoded.
   */
  readonly frameHeader: Pick<FrameHeader, "compcode" | "filters"> | undefined;
  readonly signal?: AbortLike | undefined;
}

/** Marker and length before the content of a metalayer. */
const BIN32_LENGTH = 5;
/** Bytes in which the next chunk header is looked for at once. */
const WINDOW = 65536;

/** Walks over part of a frame. */
export function walkChunks(request: WalkRequest): Walk {
  const { file, start, end, search, environment } = request;
  const walk: Walk = { chunks: [], indexes: [], vlmetalayers: undefined };
  const decoder = new BlockDecoder(environment);
  let at = start;
  let follows = !search;
  while (at + MIN_CHUNK_LENGTH <= end) {
    requireNotAborted(request.signal, "repair");
    const length = takeAt(request, at, follows || request.bases.includes(at), walk, decoder);
    follows = length > 0;
    if (follows) {
      at += length;
    } else {
      if (!search || startsFrame(file, at, end)) break;
      at = nextCandidate(file, at + 1, end);
    }
  }
  takeLastForIndex(request, walk);
  return walk;
}

/** Notes what is at `at`, and gives its length; 0 if it is nothing. */
function takeAt(request: WalkRequest, at: number, follows: boolean, walk: Walk, decoder: BlockDecoder): number {
  const { file, end, environment } = request;
  const { maxAllocation } = environment.limits;
  const header = readWholeChunk(request, at, follows, decoder);
  const trailerAt = at + (header?.cbytes ?? 0);
  const trailer = findTrailer(file, trailerAt, end, maxAllocation);
  if (trailer !== undefined) walk.vlmetalayers = trailer.vlmetalayers;
  const byteLength = (header?.cbytes ?? 0) + (trailer?.byteLength ?? 0);
  if (header === undefined || isVlMetalayer(file, at, header)) return byteLength;
  // What stands before a trailer is an index; one that can't be read is a damaged one.
  if (trailer !== undefined) walk.indexes.push({ offset: at, read: () => readIndex(request, at, header) });
  else walk.chunks.push({ offset: at, header });
  return byteLength;
}

function isOwn(head: Uint8Array, frameHeader: WalkRequest["frameHeader"]): boolean {
  if (frameHeader === undefined || head[FIELD_COMPCODE] !== frameHeader.compcode) return false;
  return frameHeader.filters.every((filter, slot) => head[FIELD_FILTERS + slot] === filter);
}

/** Whether the chunk is the content of a vlmetalayer, whose msgpack marker and length stand before it. */
function isVlMetalayer(file: FrameFile, at: number, header: ChunkHeader): boolean {
  if (at < BIN32_LENGTH) return false;
  const before = file.read(at - BIN32_LENGTH, BIN32_LENGTH);
  if (before[0] !== 0xc6) return false;
  return new DataView(before.buffer, before.byteOffset).getUint32(1) === header.cbytes;
}

function hasIndexForm(header: ChunkHeader): boolean {
  return header.nbytes > 0 && header.nbytes % 8 === 0 && !header.vlBlocks;
}

/** The header of the chunk at `at`, if one is there and all of it decodes. */
function readWholeChunk(
  request: WalkRequest,
  at: number,
  follows: boolean,
  decoder: BlockDecoder,
): ChunkHeader | undefined {
  const { file, end, environment, path } = request;
  const head = file.read(at, MIN_CHUNK_LENGTH).slice();
  if (!looksLikeHeader(head, 0, end - at)) return undefined;
  try {
    const chunk = Chunk.open(new FrameChunkSource(file, at, end - at, path, "chunk"), environment);
    if (!follows && !hasIndexForm(chunk.header) && !request.accepts(chunk.header)) return undefined;
    decoder.decode(chunk);
    return chunk.header;
  } catch (error) {
    if (!isBlosc2Error(error) || error.code === "BLOSC2_IO_FAILED") throw error;
    // It may well be whole, and leaving it out would be losing it.
    const missing =
      isBlosc2Error(error, "BLOSC2_UNSUPPORTED_CODEC") || isBlosc2Error(error, "BLOSC2_UNSUPPORTED_FILTER");
    if (missing && isOwn(head, request.frameHeader)) throw error;
    return undefined;
  }
}

/** The entries of a chunk that is an index. */
function readIndex(request: WalkRequest, at: number, header: ChunkHeader): Float64Array | undefined {
  const { file, path, environment, bases, start } = request;
  const stored = Math.floor(file.size() / MIN_CHUNK_LENGTH);
  if (!hasIndexForm(header) || header.nbytes / 8 > mostChunks(environment, stored)) return undefined;
  const location = { path, structure: "index chunk", position: file.position + at };
  const bytes = file.read(at, header.cbytes).slice();
  try {
    const maxEntry = at - Math.min(start, ...bases) - MIN_CHUNK_LENGTH;
    const expectation = { chunkCount: header.nbytes / 8, maxEntry, exactSpecials: true };
    return decodeIndex(bytes, location, environment, expectation).entries().slice();
  } catch (error) {
    if (!isBlosc2Error(error)) throw error;
    return undefined;
  }
}

/**
 * An interrupted writer may have left an index without a trailer: it comes last, and what it names are chunks that there
 * are. One of which that is true by more than half is a damaged index, and no chunk either; so is one that has the length of an
 * index and, as far as the frame's header tells, can't be a chunk.
 */
function takeLastForIndex(request: WalkRequest, walk: Walk): void {
  const last = walk.chunks.at(-1);
  if (last === undefined || !hasIndexForm(last.header)) return;
  const entries = readValues(request, last);
  const offsets = new Set([...request.known, ...walk.chunks.slice(0, -1).map(({ offset }) => offset)]);
  for (const base of possibleBases(request.bases, walk)) {
    const named = new Set(entries.filter((entry) => offsets.has(base + entry)));
    if (named.size === 0 || 2 * named.size <= entries.filter((entry) => entry >= 0).length) continue;
    walk.chunks.pop();
    const whole = readIndex(request, last.offset, last.header);
    if (whole?.every((entry) => entry < 0 || named.has(entry))) {
      walk.indexes.push({ offset: last.offset, read: () => whole });
    }
    return;
  }
  if (entries.length === offsets.size && !request.accepts(last.header)) walk.chunks.pop();
}

/** The content of a chunk of 64-bit numbers. */
function readValues(request: WalkRequest, { offset, header }: FoundChunk): Float64Array {
  const { file, environment, path } = request;
  const source = new FrameChunkSource(file, offset, header.cbytes, path, "chunk");
  const bytes = Chunk.open(source, plainEnvironment(environment)).decompress();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: header.nbytes / 8 }, (_, i) => Number(view.getBigInt64(8 * i, true)));
}

/** The given lengths of the header, and the one that it has if the first chunk there is follows it. */
export function possibleBases(bases: readonly number[], walk: Walk): number[] {
  const first = walk.chunks[0]?.offset;
  return first === undefined ? [...bases] : [...new Set([...bases, first])];
}

function startsFrame(file: FrameFile, at: number, end: number): boolean {
  if (end - at < FRAME_MAGIC.byteLength) return false;
  const bytes = file.read(at, FRAME_MAGIC.byteLength);
  return FRAME_MAGIC.every((byte, i) => bytes[i] === byte);
}

function int32At(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** Whether an extended chunk header may start at `at`: cheap, and never wrong about one that does. */
function looksLikeHeader(bytes: Uint8Array, at: number, available: number): boolean {
  const version = bytes[at] as number;
  if (version === 0 || version > CHUNK_VERSION_VL_BLOCKS) return false;
  if (((bytes[at + FIELD_FLAGS] as number) & FLAGS_EXTENDED) !== FLAGS_EXTENDED) return false;
  if (bytes[at + FIELD_TYPESIZE] === 0) return false;
  const nbytes = int32At(bytes, at + FIELD_NBYTES);
  const cbytes = int32At(bytes, at + FIELD_CBYTES);
  return (
    nbytes > 0 && int32At(bytes, at + FIELD_BLOCKSIZE) > 0 && cbytes >= EXTENDED_HEADER_LENGTH && cbytes <= available
  );
}

/** The next offset from `from` on at which a chunk, a trailer or a frame may start; `end` if there is none. */
function nextCandidate(file: FrameFile, from: number, end: number): number {
  for (let windowStart = from; windowStart + MIN_CHUNK_LENGTH <= end; windowStart += WINDOW) {
    const length = Math.min(WINDOW + MIN_CHUNK_LENGTH - 1, end - windowStart);
    const bytes = file.read(windowStart, length);
    for (let i = 0; i + MIN_CHUNK_LENGTH <= length; i++) {
      const first = bytes[i] as number;
      if (first > CHUNK_VERSION_VL_BLOCKS && first !== 0x94 && first !== 0x9e) continue;
      if (looksLikeHeader(bytes, i, end - windowStart - i)) return windowStart + i;
      if (first === 0x94 && bytes[i + 1] === 0x01 && bytes[i + 2] === 0x93 && bytes[i + 3] === 0xcd)
        return windowStart + i;
      if (first === 0x9e && bytes[i + 1] === 0xa8 && bytes[i + 2] === 0x62) return windowStart + i;
    }
  }
  return end;
}
