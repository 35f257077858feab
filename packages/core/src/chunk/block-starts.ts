/** The offsets of the blocks in their chunk (`README_CHUNK_FORMAT`, "Block starts" and "Dictionary"). @module */
import { readInt32 } from "../bytes/little-endian.js";
import { FormatError } from "../errors.js";
import type { ChunkHeader } from "./chunk-header.js";
import { INT32_LENGTH, MAX_DICTIONARY_LENGTH } from "./chunk-layout.js";
import type { ChunkSource } from "./chunk-source.js";

/** Where the blocks of a chunk lie, and its dictionary. */
export interface BlockStarts {
  /** Offset of each block from the chunk's first byte. Not always increasing: threads write in the order they finish. */
  readonly starts: Int32Array;
  /**
   * For each block the next greater start, or the chunk's end: how far to read for it. A hint only, since the block's own
   * length fields decide.
   */
  readonly ends: Int32Array;
  readonly dictionary: Uint8Array | undefined;
  /** Offset of the first byte after the starts and the dictionary. */
  readonly dataOffset: number;
}

function badStart(
  source: ChunkSource,
  header: ChunkHeader,
  index: number,
  expected: string,
  found: number,
): FormatError {
  return new FormatError("BLOSC2_FORMAT_BAD_OFFSET", {
    ...source.location,
    field: `bstarts[${index}]`,
    offset: header.headerLength + index * INT32_LENGTH,
    expected,
    found,
  });
}

/** For each start the next greater one, or `end`. */
function nextStarts(starts: Int32Array, end: number): Int32Array {
  const ends = new Int32Array(starts.length);
  let increasing = true;
  for (let i = 1; i < starts.length && increasing; i++) increasing = (starts[i - 1] as number) < (starts[i] as number);
  if (increasing) {
    ends.set(starts.subarray(1));
    ends[starts.length - 1] = end;
    return ends;
  }
  const sorted = starts.slice().sort();
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] as number;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] as number) > start) high = middle;
      else low = middle + 1;
    }
    ends[i] = low < sorted.length ? (sorted[low] as number) : end;
  }
  return ends;
}

/** Reads the dictionary that stands at `offset`. */
function readDictionary(source: ChunkSource, header: ChunkHeader, offset: number): Uint8Array {
  const room = header.cbytes - offset - INT32_LENGTH;
  const size = room < 0 ? 0 : readInt32(source.read(offset, INT32_LENGTH), 0);
  if (size < 1 || size > Math.min(MAX_DICTIONARY_LENGTH, room)) {
    throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
      ...source.location,
      field: "dictionary size",
      offset,
      expected: `1..${Math.min(MAX_DICTIONARY_LENGTH, Math.max(room, 0))}`,
      found: room < 0 ? "the end of the chunk" : size,
    });
  }
  const dictionary = new Uint8Array(size);
  source.readInto(offset + INT32_LENGTH, dictionary);
  return dictionary;
}

/**
 * Reads and checks the block starts of a chunk that has blocks, and its dictionary.
 *
 * @param nblocks has been checked against `cbytes`.
 * @param ahead bytes at the front of the chunk that have been read already.
 * @throws FormatError when a start does not lie behind the starts and before the chunk's end.
 */
export function readBlockStarts(
  source: ChunkSource,
  header: ChunkHeader,
  nblocks: number,
  ahead: Uint8Array,
): BlockStarts {
  const { headerLength, cbytes } = header;
  const startsEnd = headerLength + nblocks * INT32_LENGTH;
  if (startsEnd + INT32_LENGTH > cbytes) {
    throw new FormatError("BLOSC2_FORMAT_TRUNCATED", {
      ...source.location,
      field: "bstarts",
      offset: headerLength,
      expected: `${nblocks} block starts`,
      found: `${cbytes - headerLength} bytes`,
    });
  }
  const starts = new Int32Array(nblocks);
  const bytes = startsEnd <= ahead.byteLength ? ahead : source.read(headerLength, startsEnd - headerLength);
  const base = bytes === ahead ? headerLength : 0;
  for (let i = 0; i < nblocks; i++) starts[i] = readInt32(bytes, base + i * INT32_LENGTH);

  const dictionary = header.dictionary ? readDictionary(source, header, startsEnd) : undefined;
  const dataOffset = dictionary === undefined ? startsEnd : startsEnd + INT32_LENGTH + dictionary.byteLength;
  for (let i = 0; i < nblocks; i++) {
    const start = starts[i] as number;
    if (start < dataOffset || start + INT32_LENGTH > cbytes) {
      throw badStart(source, header, i, `${dataOffset}..${cbytes - INT32_LENGTH}`, start);
    }
    if (header.vlBlocks && i > 0 && start <= (starts[i - 1] as number)) {
      throw badStart(source, header, i, `more than ${starts[i - 1]}`, start);
    }
  }
  return { starts, ends: nextStarts(starts, cbytes), dictionary, dataOffset };
}
