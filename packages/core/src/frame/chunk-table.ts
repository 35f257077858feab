/** The chunks of a frame in order: where each is, how many uncompressed bytes it has, and where these begin in the whole. @module */
import { readChunkHeader } from "../chunk/chunk-header.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { FormatError } from "../errors.js";
import { CHUNKSIZE_VARIABLE } from "./frame-layout.js";
import type { OffsetsIndex } from "./offsets-index.js";

/** What a header says of all chunks together. */
export interface ChunkTableFacts {
  /** Uncompressed bytes of all chunks. */
  readonly nbytes: number;
  /** Uncompressed bytes per chunk; -1 before the first one, 0 when they differ. */
  readonly chunksize: number;
  /** Whether the header has the flag of chunks that differ in size. */
  readonly variableChunks: boolean;
  /** Whether chunks hold variable-length blocks. */
  readonly vlBlocks: boolean;
}

/** Where the chunks of a table are kept. */
export interface ChunkTableHome {
  readonly origin: { readonly path: string | undefined };
  /** Absolute position of the frame's first byte. */
  readonly position: number;
  chunkSource(entry: number, chunkIndex: number): ChunkSource;
}

/**
 * See the module. Where chunks have one size, sizes follow from the facts; else they are in the chunks' own headers, and are read when a
 * position in the whole is first asked for.
 */
export class ChunkTable implements ChunkTableFacts {
  protected readonly home: ChunkTableHome;
  protected readonly index: OffsetsIndex;
  /** Its own copy, changed in place: appending small chunks would feel a new object each. */
  protected readonly facts: { -readonly [Fact in keyof ChunkTableFacts]: ChunkTableFacts[Fact] };
  /** Sizes of all chunks, once known; only where they differ. */
  protected sizes: number[] | undefined;
  /** Running sums of the sizes, one more than there are chunks. */
  protected starts: Float64Array | undefined;

  constructor(home: ChunkTableHome, index: OffsetsIndex, facts: ChunkTableFacts) {
    this.home = home;
    this.index = index;
    const { nbytes, chunksize, variableChunks, vlBlocks } = facts;
    this.facts = { nbytes, chunksize, variableChunks, vlBlocks };
  }

  /** Number of chunks. */
  get length(): number {
    return this.index.length;
  }

  /** The entry of a chunk that there is: see the module `offsets-index`. @throws FormatError for a bad one */
  at(chunkIndex: number): number {
    return this.index.at(chunkIndex);
  }

  /** A view of all entries, valid until the next change. @throws as {@link at} */
  entries(): Float64Array {
    return this.index.entries();
  }

  get nbytes(): number {
    return this.facts.nbytes;
  }

  get chunksize(): number {
    return this.facts.chunksize;
  }

  get variableChunks(): boolean {
    return this.facts.variableChunks;
  }

  get vlBlocks(): boolean {
    return this.facts.vlBlocks;
  }

  /** Whether chunks may differ in size, but for a shorter last one. */
  get variable(): boolean {
    return this.facts.chunksize === CHUNKSIZE_VARIABLE;
  }

  /** Uncompressed bytes of one chunk. @throws FormatError */
  nbytesOf(chunkIndex: number): number {
    if (!this.variable) {
      const last = this.index.length - 1;
      const { chunksize, nbytes } = this.facts;
      return chunkIndex < last ? chunksize : nbytes - chunksize * last;
    }
    return this.sizes?.[chunkIndex] ?? this.#readNbytes(chunkIndex);
  }

  /** Uncompressed bytes before a chunk; of all chunks for the index one past the last. @throws FormatError */
  start(chunkIndex: number): number {
    if (!this.variable) return Math.min(chunkIndex * this.facts.chunksize, this.facts.nbytes);
    return this.#runningSums()[chunkIndex] as number;
  }

  /** The chunk that holds a byte of the whole; `position` is less than `nbytes`. @throws FormatError */
  find(position: number): number {
    if (!this.variable) return Math.floor(position / this.facts.chunksize);
    const starts = this.#runningSums();
    let low = 0;
    let high = starts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #runningSums(): Float64Array {
    if (this.starts !== undefined) return this.starts;
    const { index, home } = this;
    this.sizes ??= Array.from({ length: index.length }, (_, i) => this.#readNbytes(i));
    const starts = new Float64Array(index.length + 1);
    this.sizes.forEach((size, i) => {
      starts[i + 1] = (starts[i] as number) + size;
    });
    const total = starts[index.length] as number;
    if (total !== this.facts.nbytes) {
      throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
        path: home.origin.path,
        structure: "frame header",
        position: home.position,
        field: "nbytes",
        expected: `${total}, the sum over all chunks`,
        found: this.facts.nbytes,
      });
    }
    this.starts = starts;
    return starts;
  }

  #readNbytes(chunkIndex: number): number {
    const { index, home } = this;
    const entry = index.at(chunkIndex);
    if (entry < 0) {
      throw new FormatError("BLOSC2_FORMAT_INVALID", {
        path: home.origin.path,
        structure: `chunk ${chunkIndex}`,
        position: home.position,
        field: "offset",
        expected: "a stored chunk: in a frame of variable-size chunks a special one keeps no size",
        found: "a special chunk",
      });
    }
    return readChunkHeader(home.chunkSource(entry, chunkIndex)).nbytes;
  }
}
