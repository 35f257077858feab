/**
 * The index of a frame: where each chunk is. An entry of 0 or more is an offset from the end of the header (in a sparse
 * frame: a file number); a negative one is a special chunk that takes no room at all.
 *
 * @module
 */
import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { SpecialKind } from "../chunk/chunk-header.js";
import { chunkFromBytes } from "../chunk/chunk-source.js";
import { compressChunk } from "../chunk/compress-chunk.js";
import { resolveCParams } from "../chunk/cparams.js";
import { encodeSpecialChunk } from "../chunk/special-chunk.js";
import { Blosc2Error, FormatError, type SourceLocation } from "../errors.js";
import { INDEX_BLOCKSIZE, MAX_CHUNKS } from "./frame-layout.js";

/** Special chunks that an index entry can stand for. A repeated value is a chunk of its own. */
export type IndexedSpecial = Exclude<SpecialKind, "value">;

/** The entry of a special chunk: minus the number that the top byte of a stored offset holds beside 0x80. */
const SPECIAL_ENTRIES: Readonly<Record<IndexedSpecial, number>> = { zeros: -1, nan: -2, uninit: -4 };

/** The entry that stands for a special chunk. */
export function specialEntry(kind: IndexedSpecial): number {
  return SPECIAL_ENTRIES[kind];
}

/** What kind of special chunk a negative entry stands for. */
export function entrySpecial(entry: number): IndexedSpecial | undefined {
  if (entry >= 0) return undefined;
  return entry === -1 ? "zeros" : entry === -2 ? "nan" : "uninit";
}

/** Entries that are not decoded before they are asked for. */
export interface EntrySource {
  readonly length: number;
  /** Entries that are decoded together: `i` and all others with the same `floor(i / groupLength)`. */
  readonly groupLength: number;
  /** The entries of a group. @throws FormatError */
  decode(group: number): Float64Array;
}

/** The entries of a frame, in the order of its chunks. Eight bytes each. */
export class OffsetsIndex {
  #entries: Float64Array;
  #length: number;
  /** Where the entries come from, until all are needed at once; then and after `#entries` has them. */
  #source: EntrySource | undefined;
  /** The groups that have been decoded so far. */
  readonly #groups: (Float64Array | undefined)[] = [];

  constructor(entries: Float64Array = new Float64Array(0)) {
    this.#entries = entries;
    this.#length = entries.length;
  }

  /** An index whose entries are decoded, and found to be bad, when they are used. */
  static deferred(source: EntrySource): OffsetsIndex {
    const index = new OffsetsIndex();
    index.#source = source;
    index.#length = source.length;
    return index;
  }

  get length(): number {
    return this.#length;
  }

  /** The entry of a chunk that there is. @throws FormatError for a bad one in an index that was not decoded whole */
  at(chunkIndex: number): number {
    const source = this.#source;
    if (source !== undefined) {
      const group = Math.floor(chunkIndex / source.groupLength);
      return this.#group(source, group)[chunkIndex - group * source.groupLength] as number;
    }
    return this.#entries[chunkIndex] as number;
  }

  /** A view of all entries, valid until the next change. @throws as {@link at} */
  entries(): Float64Array {
    this.#decodeAll();
    return this.#entries.subarray(0, this.#length);
  }

  set(chunkIndex: number, entry: number): void {
    this.#decodeAll();
    this.#entries[chunkIndex] = entry;
  }

  insert(chunkIndex: number, entry: number): void {
    this.#decodeAll();
    this.#reserve(this.#length + 1);
    this.#entries.copyWithin(chunkIndex + 1, chunkIndex, this.#length);
    this.#entries[chunkIndex] = entry;
    this.#length++;
  }

  /** Adds `count` equal entries at the end. */
  appendRepeated(entry: number, count: number): void {
    this.#decodeAll();
    this.#reserve(this.#length + count);
    this.#entries.fill(entry, this.#length, this.#length + count);
    this.#length += count;
  }

  delete(chunkIndex: number): void {
    this.#decodeAll();
    this.#entries.copyWithin(chunkIndex, chunkIndex + 1, this.#length);
    this.#length--;
  }

  /** `new[i] = old[order[i]]`; `order` is a permutation. */
  reorder(order: ArrayLike<number>): void {
    this.#decodeAll();
    const old = this.#entries;
    const entries = new Float64Array(this.#length);
    for (let i = 0; i < entries.length; i++) entries[i] = old[order[i] as number] as number;
    this.#entries = entries;
  }

  /** Puts other entries in the place of all. The array is kept. */
  replace(entries: Float64Array): void {
    this.#source = undefined;
    this.#groups.length = 0;
    this.#entries = entries;
    this.#length = entries.length;
  }

  #group(source: EntrySource, group: number): Float64Array {
    const entries = this.#groups[group] ?? source.decode(group);
    this.#groups[group] = entries;
    return entries;
  }

  #decodeAll(): void {
    const source = this.#source;
    if (source === undefined) return;
    const entries = new Float64Array(source.length);
    for (let start = 0; start < entries.length; start += source.groupLength) {
      entries.set(this.#group(source, start / source.groupLength), start);
    }
    this.#entries = entries;
    this.#source = undefined;
    this.#groups.length = 0;
  }

  #reserve(length: number): void {
    if (length > MAX_CHUNKS) {
      throw new Blosc2Error(
        "BLOSC2_LIMIT_EXCEEDED",
        `a frame holds at most ${MAX_CHUNKS} chunks, ${length} are needed`,
        {
          expected: MAX_CHUNKS,
          found: length,
        },
      );
    }
    if (length <= this.#entries.length) return;
    const bigger = new Float64Array(Math.max(length, 2 * this.#entries.length, 16));
    bigger.set(this.#entries.subarray(0, this.#length));
    this.#entries = bigger;
  }
}

/** What the header says about the index chunk. */
export interface IndexExpectation {
  /** `undefined` where chunks differ in size: then the index chunk itself tells. */
  readonly chunkCount: number | undefined;
  /** Entries must be at most this (contiguous frames: the last offset at which a chunk fits). */
  readonly maxEntry: number;
  /** Whether special entries must be as writers write them: readers ignore all bits but three. */
  readonly exactSpecials?: boolean | undefined;
}

/** The surroundings of chunks that are not data: nothing of the super-chunk applies to them. */
export function plainEnvironment(environment: ChunkEnvironment): ChunkEnvironment {
  const { engine, codecs, filters, limits } = environment;
  return { engine, codecs, filters, limits, blockCacheBytes: 0, checksum: false };
}

/** An index of more bytes is decoded piecemeal, as its entries are used. */
const DECODED_AT_ONCE = 4 * INDEX_BLOCKSIZE;
/** But not one that would take this much memory: whether it has so much content is looked at first. */
const NEVER_DEFERRED = 64 * 2 ** 20;

/**
 * Decodes an index chunk and checks every entry: those of a long index when they are used.
 *
 * @param bytes start with the index chunk; all of it must be there. The result may keep them.
 * @throws FormatError
 */
export function decodeIndex(
  bytes: Uint8Array,
  location: SourceLocation,
  environment: ChunkEnvironment,
  expectation: IndexExpectation,
): OffsetsIndex {
  const chunk = Chunk.open(chunkFromBytes(bytes, location), plainEnvironment(environment));
  const { nbytes, blocksize } = chunk;
  const chunkCount = expectation.chunkCount ?? Math.floor(nbytes / 8);
  if (chunk.header.vlBlocks || nbytes !== chunkCount * 8 || chunkCount === 0) {
    throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
      ...location,
      field: "nbytes",
      offset: 4,
      expected: expectation.chunkCount === undefined ? "a multiple of 8 above 0" : `8 for each of ${chunkCount} chunks`,
      found: nbytes,
    });
  }
  const decode = (raw: Uint8Array, first: number): Float64Array => decodeEntries(raw, first, location, expectation);
  if (nbytes <= DECODED_AT_ONCE || nbytes > NEVER_DEFERRED || blocksize % 8 !== 0) {
    return new OffsetsIndex(decode(chunk.decompress(), 0));
  }
  const groupLength = blocksize / 8;
  return OffsetsIndex.deferred({
    length: nbytes / 8,
    groupLength,
    decode: (group) => {
      const raw = new Uint8Array(chunk.blockByteLength(group));
      chunk.readBlockInto(group, raw);
      return decode(raw, group * groupLength);
    },
  });
}

/** The entries in `raw`, of which the first belongs to chunk `first`. */
function decodeEntries(
  raw: Uint8Array,
  first: number,
  location: SourceLocation,
  { maxEntry, exactSpecials }: IndexExpectation,
): Float64Array {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const entries = new Float64Array(raw.byteLength / 8);
  for (let i = 0, at = 0; i < entries.length; i++, at += 8) {
    const high = view.getInt32(at + 4, true);
    if (high < 0) {
      // The bits of the top byte are tested in this order, and other bits do not count.
      const bits = high >>> 24;
      const entry = (bits & 1) !== 0 ? -1 : (bits & 4) !== 0 ? -4 : (bits & 2) !== 0 ? -2 : 0;
      const exact = high === (0x80 | -entry) << 24 && view.getUint32(at, true) === 0;
      if (entry === 0 || (exactSpecials === true && !exact))
        throw badEntry(location, first + i, "a known special value", view.getBigUint64(at, true));
      entries[i] = entry;
    } else {
      const entry = high * 0x100000000 + view.getUint32(at, true);
      if (entry > maxEntry) throw badEntry(location, first + i, `at most ${maxEntry}`, view.getBigUint64(at, true));
      entries[i] = entry;
    }
  }
  return entries;
}

function badEntry(location: SourceLocation, chunkIndex: number, expected: string, found: bigint): FormatError {
  return new FormatError("BLOSC2_FORMAT_BAD_OFFSET", {
    ...location,
    field: `offset of chunk ${chunkIndex}`,
    expected,
    found: `0x${found.toString(16)}`,
  });
}

/** Compresses an index of at least one entry as C-Blosc2 does, so that it can read and extend it. */
export function encodeIndex(index: Pick<OffsetsIndex, "entries">, environment: ChunkEnvironment): Uint8Array {
  const entries = index.entries();
  const raw = new Uint8Array(entries.length * 8);
  const view = new DataView(raw.buffer);
  let uniform = entries.length > 3;
  const first = entries[0] as number;
  for (let i = 0, at = 0; i < entries.length; i++, at += 8) {
    const entry = entries[i] as number;
    if (entry !== first) uniform = false;
    if (entry < 0) {
      view.setUint32(at + 4, ((0x80 | -entry) << 24) >>> 0, true);
    } else {
      view.setUint32(at, entry % 0x100000000, true);
      view.setUint32(at + 4, Math.floor(entry / 0x100000000), true);
    }
  }
  if (uniform) return encodeSpecialChunk("value", raw.byteLength, 8, raw.subarray(0, 8));
  const cparams = resolveCParams(
    {
      codec: "blosclz",
      clevel: 5,
      typesize: 8,
      blocksize: Math.min(INDEX_BLOCKSIZE, raw.byteLength),
      splitmode: "never",
    },
    environment.codecs,
    environment.filters,
  );
  return compressChunk(raw, cparams, plainEnvironment(environment));
}
