/**
 * Which bytes of a file reading a frame takes, worked out without reading them. So a remote file can be fetched by ranges
 * first and then read through `rangeCacheHandle`: {@link planHeader}, then {@link planIndex}, then {@link planChunks}.
 *
 * @module
 */
import { decodeFrameHeader, decodeHeaderLength, type FrameHeader } from "./frame-header.js";
import { FIRST_READ_LENGTH } from "./frame-layout.js";

/** A chunk is opened with one read of so many bytes, if the chunk area has them. */
const CHUNK_READ_AHEAD = 512;

/** Bytes of a file. */
export interface ByteRange {
  /** Absolute position of the first byte. */
  readonly position: number;
  readonly byteLength: number;
}

/** Where chunks are: what a frame's header and index say. */
export interface ChunkPlacement {
  /** Absolute position of the frame's first byte. */
  readonly position: number;
  readonly headerLength: number;
  /** Bytes of the chunk area. */
  readonly cbytes: number;
  /** An offset from the end of the header per chunk; negative ones stand for special chunks, which have no bytes. */
  readonly offsets: ArrayLike<number>;
}

/** The first range to fetch: the header of a frame at `position`, and with it all of a small frame. */
export function planHeader(position: number, fileSize: number): ByteRange {
  return { position, byteLength: Math.max(0, Math.min(FIRST_READ_LENGTH, fileSize - position)) };
}

/**
 * The ranges to fetch next: the rest of a long header, the index and the trailer.
 *
 * @param first the bytes of {@link planHeader}.
 * @returns no range when all of it is in `first`.
 * @throws FormatError when `first` does not begin a frame.
 */
export function planIndex(first: Uint8Array, position: number, fileSize: number): ByteRange[] {
  const headerLength = decodeHeaderLength(first, { path: undefined, position });
  if (headerLength > first.byteLength) return [{ position, byteLength: Math.min(headerLength, fileSize - position) }];
  const encoded = first.subarray(0, headerLength);
  const { header } = decodeFrameHeader(encoded, { path: undefined, position }, fileSize - position);
  const start = tailOffset(header);
  if (header.frameLength <= first.byteLength) return [];
  return [{ position: position + start, byteLength: header.frameLength - start }];
}

/** Offset of index and trailer from the frame's first byte. */
function tailOffset(header: FrameHeader): number {
  return header.headerLength + (header.nbytes > 0 && !header.sparse ? header.cbytes : 0);
}

/**
 * The ranges that hold some chunks of a contiguous frame. A chunk's length is not in the index, so each range reaches to the
 * next chunk in the file, and over 512 bytes at least, which opening a chunk reads.
 *
 * @param chunkIndices the chunks, in any order.
 * @param maxGap ranges that are at most this many bytes apart become one. Default 32 KiB.
 * @returns ranges in the order of the file.
 */
export function planChunks(placement: ChunkPlacement, chunkIndices: Iterable<number>, maxGap = 32768): ByteRange[] {
  const { position, headerLength, cbytes, offsets } = placement;
  const starts = Float64Array.from(offsets)
    .filter((offset) => offset >= 0)
    .sort();
  const wanted = [...new Set(Array.from(chunkIndices, (i) => offsets[i] ?? -1))].filter((offset) => offset >= 0);
  wanted.sort((a, b) => a - b);
  const ranges: { position: number; byteLength: number }[] = [];
  for (const offset of wanted) {
    const start = position + headerLength + offset;
    const next = Math.max(nextStart(starts, offset, cbytes), Math.min(offset + CHUNK_READ_AHEAD, cbytes));
    const end = position + headerLength + next;
    const last = ranges[ranges.length - 1];
    if (last !== undefined && start - (last.position + last.byteLength) <= maxGap)
      last.byteLength = end - last.position;
    else ranges.push({ position: start, byteLength: end - start });
  }
  return ranges;
}

/** The first of `starts`, which are sorted, after `offset`; `end` if there is none. */
function nextStart(starts: Float64Array, offset: number, end: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= offset) low = middle + 1;
    else high = middle;
  }
  return starts[low] ?? end;
}
