/** The offsets of the blocks in their chunk (`README_CHUNK_FORMAT`, "Block starts" and "Dictionary"). @module */
import { readInt32 } from "../bytes/little-endian.js";
import { FormatError } from "../errors.js";
import type { ChunkHeader } from "./chunk-header.js";
import { INT32_LENGTH, MAX_DICTIONARY_LENGTH } from "./chunk-layout.js";
import type { ChunkSource } from "./chunk-source.js";

/** Where the blocks of a chunk lie, and its dictionary. */
export class BlockStarts {
  /** Number of blocks. */
  readonly count: number;
  readonly dictionary: Uint8Array | undefined;
  /** Offset of the first byte after the starts and the dictionary. */
  readonly dataOffset: number;
  /** The starts, and then the chunk's end. */
  readonly #starts: Int32Array;
  /** The starts and the end in ascending order, where they stand in another one. */
  readonly #sorted: Int32Array | undefined;

  /** @param starts the starts, and then the chunk's end. */
  constructor(starts: Int32Array, dictionary: Uint8Array | undefined, dataOffset: number) {
    this.count = starts.length - 1;
    this.dictionary = dictionary;
    this.dataOffset = dataOffset;
    this.#starts = starts;
    let increasing = true;
    for (let i = 1; i < starts.length && increasing; i++) {
      increasing = (starts[i - 1] as number) < (starts[i] as number);
    }
    this.#sorted = increasing ? undefined : starts.slice().sort();
  }

  /** Offset of a block from the chunk's first byte. Not always increasing: threads write in the order they finish. */
  start(blockIndex: number): number {
    return this.#starts[blockIndex] as number;
  }

  /**
   * The next greater start after that of a block, or the chunk's end: how far to read for it. A hint only, since the block's own
   * length fields decide.
   */
  end(blockIndex: number): number {
    const sorted = this.#sorted;
    if (sorted === undefined) return this.#starts[blockIndex + 1] as number;
    const start = this.start(blockIndex);
    let low = 0;
    let high = sorted.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] as number) > start) high = middle;
      else low = middle + 1;
    }
    return sorted[low] as number;
  }
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
  const starts = new Int32Array(nblocks + 1);
  starts[nblocks] = cbytes;
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
  return new BlockStarts(starts, dictionary, dataOffset);
}
