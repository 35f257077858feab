/**
 * Chunks whose header states a blocksize that is not the one in use: given an explicit blocksize that is not a multiple of
 * the typesize, C-Blosc2 (at least up to 3.3) cuts the blocks at the next lower multiple but stores the number as given.
 *
 * @module
 */
import { isBlosc2Error } from "../errors.js";
import type { BlockReader } from "./block-reader.js";
import { type BlockStarts, readBlockStarts } from "./block-starts.js";
import { type ChunkHeader, effectiveBlocksize } from "./chunk-header.js";
import { INT32_LENGTH } from "./chunk-layout.js";
import type { ChunkSource } from "./chunk-source.js";

/** A blocksize and the block starts that go with it. */
export interface BlockDivision {
  readonly blocksize: number;
  readonly starts: BlockStarts;
}

/** Offset of the first block's bytes. */
function firstStart(starts: BlockStarts): number {
  let first = starts.start(0);
  for (let i = 1; i < starts.count; i++) first = Math.min(first, starts.start(i));
  return first;
}

/** Whether blocks of the stated size are what they should be: then it leaves no doubt. */
export function isCertainBlocksize(blocksize: number, typesize: number): boolean {
  return blocksize % typesize === 0 || blocksize < typesize;
}

/** Whether the first block that is not a run decodes. */
function decodes(reader: BlockReader, source: ChunkSource, division: BlockDivision): boolean {
  const { starts } = division;
  for (let i = 0; i < starts.count; i++) {
    const csize = source.read(starts.start(i), INT32_LENGTH);
    const isRun = (csize[3] as number) >= 0x80 || csize.every((byte) => byte === 0);
    if (isRun) continue;
    const length = reader.blockByteLength(i);
    try {
      reader.read(i * division.blocksize, i * division.blocksize + length, new Uint8Array(length), 0);
      return true;
    } catch (error) {
      if (isBlosc2Error(error) && error.code !== "BLOSC2_UNSUPPORTED_CODEC") return false;
      throw error;
    }
  }
  return true;
}

/**
 * Reads the block starts, and finds out which blocksize the blocks really have where the header leaves a doubt.
 *
 * @param typesize the one that blocks are whole multiples of: the super-chunk's if known.
 * @param makeReader makes a reader to try a division with.
 */
export function readBlockDivision(
  source: ChunkSource,
  header: ChunkHeader,
  ahead: Uint8Array,
  typesize: number,
  makeReader: (division: BlockDivision) => BlockReader,
): BlockDivision {
  const { nbytes, headerLength, cbytes } = header;
  const stated = effectiveBlocksize(header);
  const statedCount = Math.ceil(nbytes / stated);
  const read = (blocksize: number, count: number): BlockDivision => ({
    blocksize,
    starts: readBlockStarts(source, header, count, ahead),
  });
  if (isCertainBlocksize(stated, typesize)) return read(stated, statedCount);

  const rounded = stated - (stated % typesize);
  const roundedCount = Math.ceil(nbytes / rounded);
  const roundedFits = headerLength + (roundedCount + 1) * INT32_LENGTH <= cbytes;
  if (statedCount === roundedCount) {
    // Equal streams can't fill a block that is no multiple of their number.
    if (header.split && stated % header.typesize !== 0) return read(rounded, roundedCount);
    const division = read(stated, statedCount);
    return decodes(makeReader(division), source, division) ? division : { ...division, blocksize: rounded };
  }
  let division: BlockDivision;
  try {
    division = read(stated, statedCount);
    if (!roundedFits || firstStart(division.starts) === division.starts.dataOffset) return division;
  } catch (error) {
    if (!roundedFits || !isBlosc2Error(error)) throw error;
    return read(rounded, roundedCount);
  }
  // More starts stand before the first block than the stated blocksize calls for.
  const other = read(rounded, roundedCount);
  return firstStart(other.starts) === other.starts.dataOffset ? other : division;
}
