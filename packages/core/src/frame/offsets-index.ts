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

/** The entries of a frame, in the order of its chunks. Eight bytes each. */
export class OffsetsIndex {
  #entries: Float64Array;
  #length: number;

  constructor(entries: Float64Array = new Float64Array(0)) {
    this.#entries = entries;
    this.#length = entries.length;
  }

  get length(): number {
    return this.#length;
  }

  /** The entry of a chunk that there is. */
  at(chunkIndex: number): number {
    return this.#entries[chunkIndex] as number;
  }

  /** A view of all entries, valid until the next change. */
  entries(): Float64Array {
    return this.#entries.subarray(0, this.#length);
  }

  set(chunkIndex: number, entry: number): void {
    this.#entries[chunkIndex] = entry;
  }

  insert(chunkIndex: number, entry: number): void {
    this.#reserve(this.#length + 1);
    this.#entries.copyWithin(chunkIndex + 1, chunkIndex, this.#length);
    this.#entries[chunkIndex] = entry;
    this.#length++;
  }

  /** Adds `count` equal entries at the end. */
  appendRepeated(entry: number, count: number): void {
    this.#reserve(this.#length + count);
    this.#entries.fill(entry, this.#length, this.#length + count);
    this.#length += count;
  }

  delete(chunkIndex: number): void {
    this.#entries.copyWithin(chunkIndex, chunkIndex + 1, this.#length);
    this.#length--;
  }

  /** `new[i] = old[order[i]]`; `order` is a permutation. */
  reorder(order: ArrayLike<number>): void {
    const old = this.#entries;
    const entries = new Float64Array(this.#length);
    for (let i = 0; i < entries.length; i++) entries[i] = old[order[i] as number] as number;
    this.#entries = entries;
  }

  /** Puts other entries in the place of all. The array is kept. */
  replace(entries: Float64Array): void {
    this.#entries = entries;
    this.#length = entries.length;
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
  return { engine, codecs, filters, limits };
}

/**
 * Decodes an index chunk and checks every entry.
 *
 * @param bytes start with the index chunk; all of it must be there.
 * @throws FormatError
 */
export function decodeIndex(
  bytes: Uint8Array,
  location: SourceLocation,
  environment: ChunkEnvironment,
  expectation: IndexExpectation,
): OffsetsIndex {
  const chunk = Chunk.open(chunkFromBytes(bytes, location), plainEnvironment(environment));
  const { nbytes } = chunk;
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
  // The entries cost as much again as the decompressed chunk, which is held against the limits when it is made.
  const raw = chunk.decompress();
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const entries = new Float64Array(chunkCount);
  const { maxEntry } = expectation;
  for (let i = 0, at = 0; i < chunkCount; i++, at += 8) {
    const high = view.getInt32(at + 4, true);
    if (high < 0) {
      // The bits of the top byte are tested in this order, and other bits do not count.
      const bits = high >>> 24;
      const entry = (bits & 1) !== 0 ? -1 : (bits & 4) !== 0 ? -4 : (bits & 2) !== 0 ? -2 : 0;
      const exact = high === (0x80 | -entry) << 24 && view.getUint32(at, true) === 0;
      if (entry === 0 || (expectation.exactSpecials === true && !exact))
        throw badEntry(location, i, "a known special value", view.getBigUint64(at, true));
      entries[i] = entry;
    } else {
      const entry = high * 0x100000000 + view.getUint32(at, true);
      if (entry > maxEntry) throw badEntry(location, i, `at most ${maxEntry}`, view.getBigUint64(at, true));
      entries[i] = entry;
    }
  }
  return new OffsetsIndex(entries);
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
export function encodeIndex(index: OffsetsIndex, environment: ChunkEnvironment): Uint8Array {
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
