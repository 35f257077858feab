/**
 * Which bytes of a file reading a frame takes, worked out without reading them. So a remote file can be fetched by ranges
 * first and then read through `rangeCacheHandle`: {@link planHeader}, then {@link planIndex}, then {@link planChunks}.
 *
 * @module
 */
import { CHUNK_FIRST_READ_LENGTH } from "../chunk/chunk-layout.js";
import { decodeFrameHeader, decodeHeaderLength, type FrameHeader } from "./frame-header.js";
import { FIRST_READ_LENGTH } from "./frame-layout.js";

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
  const extents = ChunkExtents.of(placement);
  return mergeRanges(
    [...chunkIndices].flatMap((chunkIndex) => extents.of(chunkIndex) ?? []),
    maxGap,
  );
}

/**
 * Makes one range of those that overlap, touch, or are close to each other.
 *
 * @param ranges in any order.
 * @param maxGap so many bytes may lie between two that become one.
 * @returns ranges in the order of the file.
 */
export function mergeRanges(ranges: readonly ByteRange[], maxGap: number): ByteRange[] {
  const sorted = [...ranges].sort((a, b) => a.position - b.position);
  const merged: { position: number; byteLength: number }[] = [];
  for (const { position, byteLength } of sorted) {
    const last = merged.at(-1);
    if (last === undefined || position - (last.position + last.byteLength) > maxGap) {
      merged.push({ position, byteLength });
    } else {
      last.byteLength = Math.max(last.byteLength, position + byteLength - last.position);
    }
  }
  return merged;
}

/** Where each chunk lies, as far as the index tells: up to the next chunk in the file. */
export class ChunkExtents {
  static readonly #known = new WeakMap<ChunkPlacement, ChunkExtents>();
  readonly #placement: ChunkPlacement;
  /** The offsets of stored chunks in ascending order. */
  readonly #starts: Float64Array;

  private constructor(placement: ChunkPlacement) {
    this.#placement = placement;
    this.#starts = Float64Array.from(placement.offsets)
      .filter((offset) => offset >= 0)
      .sort();
  }

  /** Sorts once for each placement. */
  static of(placement: ChunkPlacement): ChunkExtents {
    const known = ChunkExtents.#known.get(placement) ?? new ChunkExtents(placement);
    ChunkExtents.#known.set(placement, known);
    return known;
  }

  /** The range that holds a chunk, and as much as opening one reads; undefined for a special chunk. */
  of(chunkIndex: number): ByteRange | undefined {
    const { position, headerLength, cbytes, offsets } = this.#placement;
    const offset = offsets[chunkIndex] ?? -1;
    if (offset < 0) return undefined;
    const end = Math.max(this.#nextStart(offset), Math.min(offset + CHUNK_FIRST_READ_LENGTH, cbytes));
    return { position: position + headerLength + offset, byteLength: end - offset };
  }

  /** The first start after `offset`; the end of the chunk area if there is none. */
  #nextStart(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return starts[low] ?? this.#placement.cbytes;
  }
}
