/** Reading a compressed chunk: whole, by blocks, by items, by bytes. @module */
import { ArgumentError, Blosc2Error, FormatError } from "../errors.js";
import type { BlockCache } from "./block-cache.js";
import type { BlockReader } from "./block-reader.js";
import type { ChunkEnvironment } from "./chunk-environment.js";
import {
  blockCount,
  type ChunkHeader,
  decodeLocatedHeader,
  effectiveBlocksize,
  type SpecialKind,
} from "./chunk-header.js";
import { CHUNK_FIRST_READ_LENGTH, EXTENDED_HEADER_LENGTH } from "./chunk-layout.js";
import type { ChunkSource } from "./chunk-source.js";
import { type ChunkChecksum, requireSummedLength, requireSummedSource } from "./chunk-sum.js";
import { openBlocks, openVlBlocks } from "./open-blocks.js";
import { fillPattern, fillZeros, nanPattern } from "./special-chunk.js";
import type { VlBlockReader } from "./vl-block-reader.js";

/**
 * Lets reads of parts of a chunk keep the blocks that they decode, until the cache forgets any chunk. Reads of all of the chunk pass the
 * cache by. `key` is what no other chunk has in this cache. For the other files of this package.
 */
export let keepBlocksIn: (chunk: Chunk, cache: BlockCache, key: number) => void;

/**
 * Lets the chunk be held against its sum before anything is read of it, or, where all of it is read, meanwhile. For the other files of
 * this package.
 *
 * @throws FormatError `BLOSC2_FORMAT_CHECKSUM` if it has another length
 */
export let expectSum: (chunk: Chunk, sum: ChunkChecksum) => void;

/** Holds the chunk against its sum now, unless that has been done. @returns whether it is now that it was done; @throws as reading it */
export let settleSum: (chunk: Chunk) => boolean;

/**
 * An open chunk. Keeps the header, the block starts and, where a filter needs it, block 0; everything else is read from the
 * source when it is asked for, so that the source must outlive the chunk. Returned arrays belong to the caller.
 *
 * @example
 * ```ts
 * const chunk = Chunk.open(chunkFromBytes(bytes), defaultEnvironment());
 * const all = chunk.decompress();
 * const three = chunk.readItems(1000, 3);
 * ```
 */
export class Chunk {
  readonly header: ChunkHeader;
  /** Uncompressed bytes. */
  readonly nbytes: number;
  /** Compressed bytes, header included. */
  readonly cbytes: number;
  /** The header's typesize; 1 when the true one exceeds 255. */
  readonly typesize: number;
  /** Uncompressed bytes per block, the last excepted; 0 when blocks have variable length. */
  readonly blocksize: number;
  /** Number of blocks; that of an empty chunk is 0, and stored and special chunks count as if they had blocks. */
  readonly nblocks: number;
  /** What the chunk holds instead of blocks, if it is special. */
  readonly special: SpecialKind | undefined;
  readonly #source: ChunkSource;
  readonly #environment: ChunkEnvironment;
  readonly #blocks: BlockReader | undefined;
  readonly #vlBlocks: VlBlockReader | undefined;
  /** The bytes that a special chunk repeats; undefined for zeros. */
  readonly #pattern: Uint8Array | undefined;
  /** What it has not been held against yet. */
  #sum: ChunkChecksum | undefined;
  #cache: BlockCache | undefined;
  #cacheKey = 0;
  #cacheVersion = 0;

  static {
    keepBlocksIn = (chunk, cache, key) => {
      chunk.#cache = cache;
      chunk.#cacheKey = key;
      chunk.#cacheVersion = cache.version;
    };
    expectSum = (chunk, sum) => {
      requireSummedLength(chunk.#source, sum, chunk.cbytes);
      chunk.#sum = sum;
    };
    settleSum = (chunk) => chunk.#settleSum();
  }

  private constructor(source: ChunkSource, environment: ChunkEnvironment) {
    const ahead = source.read(0, Math.min(source.byteLength, CHUNK_FIRST_READ_LENGTH));
    const header = decodeLocatedHeader(ahead, source, source.byteLength);
    const { maxChunkBytes } = environment.limits;
    if (header.nbytes > maxChunkBytes) {
      throw new Blosc2Error(
        "BLOSC2_LIMIT_EXCEEDED",
        `${source.location.structure}: nbytes ${header.nbytes} exceeds the limit maxChunkBytes ${maxChunkBytes}`,
        { ...source.location, limit: "maxChunkBytes", expected: maxChunkBytes, found: header.nbytes },
      );
    }
    this.#source = source;
    this.#environment = environment;
    this.header = header;
    this.nbytes = header.nbytes;
    this.cbytes = header.cbytes;
    this.typesize = header.typesize;
    this.special = header.special;
    let blocksize = header.vlBlocks ? 0 : effectiveBlocksize(header);
    let nblocks = blockCount(header);
    if (header.special !== undefined) {
      this.#pattern = this.#readPattern();
    } else if (!header.memcpyed && header.nbytes > 0) {
      if (header.vlBlocks) {
        this.#vlBlocks = openVlBlocks(source, header, environment, ahead);
      } else {
        this.#blocks = openBlocks(source, header, environment, ahead);
        blocksize = this.#blocks.coding.blocksize;
        nblocks = this.#blocks.nblocks;
      }
    }
    this.blocksize = blocksize;
    this.nblocks = nblocks;
  }

  /**
   * Reads and checks a chunk's header and block starts.
   *
   * @throws FormatError for a malformed chunk; UnsupportedError for an unregistered filter; Blosc2Error
   * `BLOSC2_LIMIT_EXCEEDED`; IoError when the source fails.
   */
  static open(source: ChunkSource, environment: ChunkEnvironment): Chunk {
    return new Chunk(source, environment);
  }

  /**
   * All of the uncompressed content; for variable-length blocks, one after the other.
   *
   * @throws FormatError, CodecError or UnsupportedError when a block can't be decoded.
   */
  decompress(): Uint8Array {
    const { maxAllocation } = this.#environment.limits;
    if (this.nbytes > maxAllocation) {
      throw new Blosc2Error(
        "BLOSC2_LIMIT_EXCEEDED",
        `${this.#source.location.structure}: nbytes ${this.nbytes} exceeds the limit maxAllocation ${maxAllocation}`,
        { ...this.#source.location, limit: "maxAllocation", expected: maxAllocation, found: this.nbytes },
      );
    }
    this.#blocks?.checkExpansion();
    const target = new Uint8Array(this.nbytes);
    this.readBytes(0, this.nbytes, target);
    return target;
  }

  /**
   * Decompresses all of the chunk into `target`, which must have room for `nbytes` bytes from `targetOffset` on.
   *
   * @throws ArgumentError when it has not; else as {@link decompress}.
   */
  decompressInto(target: Uint8Array, targetOffset = 0): void {
    this.readBytes(0, this.nbytes, target, targetOffset);
  }

  /**
   * Reads bytes `start..stop` of the uncompressed content into `target` at `targetOffset`. Decodes only the blocks that the
   * range touches, and reads only their compressed bytes.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; else as {@link decompress}.
   */
  readBytes(start: number, stop: number, target: Uint8Array, targetOffset = 0): void {
    if (!(Number.isInteger(start) && Number.isInteger(stop) && 0 <= start && start <= stop && stop <= this.nbytes)) {
      throw this.#outOfRange("start..stop", `0..${this.nbytes}`, `${start}..${stop}`);
    }
    const room = target.byteLength - targetOffset;
    if (!Number.isInteger(targetOffset) || targetOffset < 0 || room < stop - start) {
      throw this.#outOfRange("target", `room for ${stop - start} bytes at targetOffset ${targetOffset}`, `${room}`);
    }
    if (start === stop) return;
    if (this.#sum !== undefined) {
      if (this.#readSummed(stop - start, target, targetOffset)) return;
      this.#settleSum();
    }
    if (this.#environment.postfilter !== undefined && this.#vlBlocks === undefined) {
      this.#readPostfiltered(start, stop, target, targetOffset);
    } else {
      this.#readPlain(start, stop, target, targetOffset);
    }
  }

  /**
   * Reads all of one block.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; else as {@link decompress}.
   */
  readBlockInto(blockIndex: number, target: Uint8Array, targetOffset = 0): void {
    if (!Number.isInteger(blockIndex) || blockIndex < 0 || blockIndex >= this.nblocks) {
      throw this.#outOfRange("blockIndex", `0..${this.nblocks - 1}`, `${blockIndex}`);
    }
    if (this.#vlBlocks !== undefined) {
      this.#settleSum();
      const length = this.#vlBlocks.blockByteLength(blockIndex);
      if (target.byteLength - targetOffset < length) {
        throw this.#outOfRange("target", `${length} bytes`, `${target.byteLength - targetOffset}`);
      }
      this.#vlBlocks.readPart(blockIndex, 0, length, target, targetOffset);
      return;
    }
    const start = blockIndex * this.blocksize;
    this.readBytes(start, Math.min(start + this.blocksize, this.nbytes), target, targetOffset);
  }

  /** Uncompressed bytes of one block. */
  blockByteLength(blockIndex: number): number {
    if (this.#vlBlocks !== undefined) return this.#vlBlocks.blockByteLength(blockIndex);
    return Math.min(this.blocksize, this.nbytes - blockIndex * this.blocksize);
  }

  /**
   * The variable-length blocks, each in an array of its own.
   *
   * @throws ArgumentError when the chunk's blocks all have one size; else as {@link decompress}.
   */
  vlBlocks(): Uint8Array[] {
    const reader = this.#vlBlocks;
    if (reader === undefined) {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "the chunk has no variable-length blocks", {
        parameter: "chunk",
      });
    }
    const all = this.decompress();
    const blocks: Uint8Array[] = [];
    let at = 0;
    for (let i = 0; i < this.nblocks; i++) {
      const end = at + reader.blockByteLength(i);
      blocks.push(all.slice(at, end));
      at = end;
    }
    return blocks;
  }

  /**
   * Items `start..start + itemCount`, counted in units of the super-chunk's typesize if the environment states one, else of the
   * header's.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; else as {@link decompress}.
   */
  readItems(start: number, itemCount: number): Uint8Array {
    const typesize = this.#environment.superChunkTypesize ?? this.typesize;
    const from = start * typesize;
    const to = (start + itemCount) * typesize;
    if (
      !(Number.isInteger(start) && Number.isInteger(itemCount) && start >= 0 && itemCount >= 0 && to <= this.nbytes)
    ) {
      throw this.#outOfRange("items", `0..${Math.floor(this.nbytes / typesize)}`, `${start}..${start + itemCount}`);
    }
    const target = new Uint8Array(to - from);
    this.readBytes(from, to, target);
    return target;
  }

  /** Reads all of the chunk and holds it against its sum in one go, if all is wanted and that can be. */
  #readSummed(byteLength: number, target: Uint8Array, targetOffset: number): boolean {
    const { headerLength, memcpyed } = this.header;
    const { engine, postfilter } = this.#environment;
    const sum = this.#sum as ChunkChecksum;
    if (postfilter !== undefined || byteLength !== this.nbytes) return false;
    if (this.#blocks !== undefined) this.#blocks.readAll(target, targetOffset, sum);
    else if (memcpyed && this.cbytes === headerLength + this.nbytes) {
      requireSummedSource(this.#source, sum, this.cbytes, engine, { headerLength, target, targetOffset });
    } else return false;
    this.#sum = undefined;
    return true;
  }

  #settleSum(): boolean {
    if (this.#sum === undefined) return false;
    requireSummedSource(this.#source, this.#sum, this.cbytes, this.#environment.engine);
    this.#sum = undefined;
    return true;
  }

  #readPlain(start: number, stop: number, target: Uint8Array, targetOffset: number): void {
    const end = targetOffset + stop - start;
    if (this.#blocks !== undefined) {
      const cache = this.#cache;
      if (cache !== undefined && cache.version === this.#cacheVersion && stop - start < this.nbytes) {
        cache.read(this.#blocks, this.#cacheKey, start, stop, target, targetOffset);
      } else {
        this.#blocks.read(start, stop, target, targetOffset);
      }
    } else if (this.#vlBlocks !== undefined) {
      this.#vlBlocks.read(start, stop, target, targetOffset);
    } else if (this.special === undefined) {
      this.#source.readInto(this.header.headerLength + start, target.subarray(targetOffset, end));
    } else if (this.#pattern === undefined) {
      fillZeros(target, targetOffset, end);
    } else {
      fillPattern(target, targetOffset, end, this.#pattern, start);
    }
  }

  /** The user's code may read other chunks through the same engine, so each block is complete before it runs. */
  #readPostfiltered(start: number, stop: number, target: Uint8Array, targetOffset: number): void {
    const { postfilter, superChunkTypesize } = this.#environment;
    const block = new Uint8Array(Math.min(this.blocksize, this.nbytes));
    const filtered = new Uint8Array(block.byteLength);
    for (let i = Math.floor(start / this.blocksize); i * this.blocksize < stop; i++) {
      const offset = i * this.blocksize;
      const length = this.blockByteLength(i);
      this.#readPlain(offset, offset + length, block, 0);
      const output = filtered.subarray(0, length);
      postfilter?.(block.subarray(0, length), output, {
        blockIndex: i,
        offset,
        typesize: superChunkTypesize ?? this.typesize,
      });
      const from = Math.max(0, start - offset);
      const to = Math.min(length, stop - offset);
      target.set(output.subarray(from, to), targetOffset + offset + from - start);
    }
  }

  #readPattern(): Uint8Array | undefined {
    if (this.special === "nan") return nanPattern(this.typesize);
    if (this.special !== "value") return undefined;
    const { maxAllocation } = this.#environment.limits;
    const size = this.cbytes - EXTENDED_HEADER_LENGTH;
    if (size > maxAllocation) {
      throw new FormatError("BLOSC2_LIMIT_EXCEEDED", {
        ...this.#source.location,
        field: "repeated value",
        offset: EXTENDED_HEADER_LENGTH,
        expected: `at most ${maxAllocation} bytes`,
        found: size,
      });
    }
    const pattern = new Uint8Array(size);
    this.#source.readInto(EXTENDED_HEADER_LENGTH, pattern);
    return pattern;
  }

  #outOfRange(parameter: string, expected: string, found: string): ArgumentError {
    const { structure, path } = this.#source.location;
    return new ArgumentError(
      "BLOSC2_ARGUMENT_OUT_OF_RANGE",
      `${path === undefined ? "" : `${path}: `}${structure}: ${parameter}: expected ${expected}, found ${found}`,
      { parameter, path, structure, expected, found },
    );
  }
}
