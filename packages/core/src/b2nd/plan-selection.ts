/**
 * Which bytes of a contiguous frame hold a selection of its array, so that they can be fetched before it is read through
 * `rangeCacheHandle`. A chunk of which a part is wanted takes two steps: its header and block starts first, then the blocks.
 *
 * @module
 */
import { readInt32 } from "../bytes/little-endian.js";
import {
  BLOSC2_FLAG_DICTIONARY,
  CHUNK_FIRST_READ_LENGTH,
  EXTENDED_HEADER_LENGTH,
  FIELD_BLOSC2_FLAGS,
  FIELD_CBYTES,
  FIELD_FILTERS,
  FIELD_FLAGS,
  FLAG_MEMCPYED,
} from "../chunk/chunk-layout.js";
import { type ByteRange, ChunkExtents, type ChunkPlacement, mergeRanges } from "../frame/read-plan.js";
import type { ArraySelection } from "./array-selection.js";

/** How ranges are planned. */
export interface SelectionPlanOptions {
  /** Ranges of different chunks that are at most this many bytes apart become one. Default 32 KiB. */
  readonly maxGap?: number | undefined;
  /** The same for blocks of one chunk. Default 4 KiB. */
  readonly maxBlockGap?: number | undefined;
  /**
   * Chunks of at most so many stored bytes are fetched whole, in one step. Less of it fetches fewer bytes, in more requests. Default 1 MiB,
   * which a connection carries in about the time that one more step takes.
   */
  readonly maxWholeChunk?: number | undefined;
}

/** See {@link planSelection}. */
export interface SelectionPlan {
  /** What to fetch first, in the order of the file. */
  readonly ranges: readonly ByteRange[];
  /**
   * What to fetch then.
   *
   * @param read gives bytes of {@link ranges}.
   */
  rest(read: (position: number, byteLength: number) => Uint8Array): ByteRange[];
}

/** A chunk of which at least this part of the blocks is wanted is fetched whole. */
const MOST_BLOCKS = 4 / 5;
const INT32_LENGTH = 4;
const FILTER_SLOTS = 6;
/** Number of the delta filter. */
const DELTA_FILTER = 3;
const MAX_WHOLE_CHUNK = 2 ** 20;
const MAX_GAP = 32 * 1024;
const MAX_BLOCK_GAP = 4 * 1024;

/** A chunk of which some blocks are wanted. */
interface PartialChunk {
  /** Absolute position of the chunk's first byte. */
  readonly position: number;
  /** Bytes up to the next chunk. */
  readonly byteLength: number;
  readonly blocks: readonly number[];
}

/**
 * Plans the ranges of a selection.
 *
 * @param placement of the super-chunk that holds the array: `array.schunk.placement`.
 * @param selection `array.select(index)`.
 * @example
 * ```ts
 * const plan = planSelection(array.schunk.placement, array.select([{ start: 0, stop: 64 }]));
 * for (const range of plan.ranges) ranges.add(await fetchRange(range));
 * for (const range of plan.rest((at, n) => handle.read(at, n))) ranges.add(await fetchRange(range));
 * ```
 */
export function planSelection(
  placement: ChunkPlacement,
  selection: ArraySelection,
  options: SelectionPlanOptions = {},
): SelectionPlan {
  const { maxGap = MAX_GAP, maxBlockGap = MAX_BLOCK_GAP, maxWholeChunk = MAX_WHOLE_CHUNK } = options;
  const { grid, itemsize } = selection;
  const blockCount = grid.blockItemCount === 0 ? 0 : grid.chunkItemCount / grid.blockItemCount;
  const blocksize = grid.blockItemCount * itemsize;
  const extents = ChunkExtents.of(placement);
  const first: ByteRange[] = [];
  const partial: PartialChunk[] = [];
  const chunkDone = (chunkIndex: number, blocks: readonly number[]): void => {
    const extent = extents.of(chunkIndex);
    if (extent === undefined) return;
    const startsEnd = Math.max(CHUNK_FIRST_READ_LENGTH, EXTENDED_HEADER_LENGTH + blockCount * INT32_LENGTH);
    const most = blocks.length >= blockCount * MOST_BLOCKS;
    if (extent.byteLength <= maxWholeChunk || most || startsEnd >= extent.byteLength) {
      first.push(extent);
    } else {
      first.push({ position: extent.position, byteLength: startsEnd });
      partial.push({ ...extent, blocks });
    }
  };
  let chunkIndex = -1;
  let blocks: number[] = [];
  for (const part of selection.parts()) {
    if (part.chunkIndex !== chunkIndex) {
      if (chunkIndex >= 0) chunkDone(chunkIndex, blocks);
      chunkIndex = part.chunkIndex;
      blocks = [];
    }
    if (blocks.at(-1) !== part.blockIndex) blocks.push(part.blockIndex);
  }
  if (chunkIndex >= 0) chunkDone(chunkIndex, blocks);
  return {
    ranges: mergeRanges(first, maxGap),
    rest: (read) =>
      mergeRanges(
        partial.flatMap((chunk) => mergeRanges(blockRanges(chunk, blockCount, blocksize, read), maxBlockGap)),
        maxBlockGap,
      ),
  };
}

/** Where the wanted blocks of a chunk lie, as its header and block starts say; checked when the chunk is read. */
function blockRanges(
  { position, byteLength, blocks }: PartialChunk,
  blockCount: number,
  blocksize: number,
  read: (position: number, byteLength: number) => Uint8Array,
): ByteRange[] {
  const head = read(position, EXTENDED_HEADER_LENGTH + blockCount * INT32_LENGTH);
  const cbytes = Math.min(byteLength, Math.max(0, readInt32(head, FIELD_CBYTES)));
  // A dictionary lies behind the starts, and is needed whole: such chunks are small, or nearly all of theirs is wanted anyway.
  if (((head[FIELD_BLOSC2_FLAGS] ?? 0) & BLOSC2_FLAG_DICTIONARY) !== 0) return [{ position, byteLength }];
  // Under the delta filter every block is a difference from the first one.
  const isDelta = head.subarray(FIELD_FILTERS, FIELD_FILTERS + FILTER_SLOTS).includes(DELTA_FILTER);
  const needed = isDelta && blocks[0] !== 0 ? [0, ...blocks] : blocks;
  if (((head[FIELD_FLAGS] ?? 0) & FLAG_MEMCPYED) !== 0) {
    return blocks.map((block) => ({
      position: position + EXTENDED_HEADER_LENGTH + block * blocksize,
      byteLength: blocksize,
    }));
  }
  const starts = Float64Array.from({ length: blockCount }, (_, i) =>
    readInt32(head, EXTENDED_HEADER_LENGTH + i * INT32_LENGTH),
  );
  const ends = endsOf(starts, cbytes);
  return needed.flatMap((block) => {
    const start = starts[block] as number;
    const end = ends.get(start) ?? cbytes;
    // A start outside the chunk is found out, and reported, when the block is read.
    if (start < 0 || end > byteLength || end <= start) return [];
    return [{ position: position + start, byteLength: end - start }];
  });
}

/** Where what begins at each of the starts ends: at the next larger one, or at the end of the chunk. */
function endsOf(starts: Float64Array, cbytes: number): Map<number, number> {
  const ends = new Map<number, number>();
  let after = cbytes;
  for (const start of starts.slice().sort().reverse()) {
    if (start >= after) continue;
    ends.set(start, after);
    after = start;
  }
  return ends;
}
