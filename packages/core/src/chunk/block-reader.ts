/** Decoding blocks of one chunk: reads the compressed bytes of runs of neighbouring blocks and hands them to the engine. @module */
import { StreamTable } from "../block/stream-table.js";
import { FormatError, isBlosc2Error } from "../errors.js";
import type { BlockStarts } from "./block-starts.js";
import type { ChunkDecoding } from "./chunk-decoding.js";
import type { ChunkHeader } from "./chunk-header.js";
import type { ChunkSource } from "./chunk-source.js";
import { type ChunkChecksum, requireSum, requireSummedSource } from "./chunk-sum.js";
import { newDecodeRequest, type ReusedDecodeRequest, releaseRequest } from "./decode-request.js";
import { isSmallPart, loadBlockPart } from "./load-block-part.js";

/** Compressed bytes that are read at once; neighbouring blocks share a read up to here. More would not stay in the cache. */
const WINDOW_BYTES = 1024 * 1024;

/** A chunk of at most so many bytes is not suspicious: taking memory for it does no harm. */
const HARMLESS_NBYTES = 64 * 1024 * 1024;
/** Nor is one with at most so many decoded bytes per compressed byte. */
const USUAL_RATIO = 1000;

/** More before the first block than header, block starts and a dictionary means that the blocks are in another order. */
const MOST_AHEAD = 256 * 1024;
const NOT_SUMMING = -1;

/** The bytes of the uncompressed chunk that a caller wants. */
interface WantedRange {
  readonly start: number;
  readonly stop: number;
  readonly target: Uint8Array;
  /** Where in `target` byte 0 of the chunk would land; may be negative. */
  readonly origin: number;
  /** Block 0, for filters that refer to it. */
  reference: Uint8Array | undefined;
}

/** Decodes byte ranges of a chunk with blocks of one size; touches only the blocks of the range. */
export class BlockReader {
  readonly coding: ChunkDecoding;
  readonly #source: ChunkSource;
  readonly #starts: BlockStarts;
  readonly #nbytes: number;
  readonly #cbytes: number;
  #reference: Uint8Array | undefined;
  /** While all of the chunk is read and summed: the bytes summed so far, and their sum. */
  #summed = NOT_SUMMING;
  #sum = 0;
  /** Engines decode one block at a time, so one request is enough. Made by the first read: many chunks are opened for their header. */
  #kept: ReusedDecodeRequest | undefined;

  constructor(decoding: ChunkDecoding, source: ChunkSource, starts: BlockStarts, header: ChunkHeader) {
    this.coding = decoding;
    this.#source = source;
    this.#starts = starts;
    this.#nbytes = header.nbytes;
    this.#cbytes = header.cbytes;
  }

  get #request(): ReusedDecodeRequest {
    this.#kept ??= newDecodeRequest(this.#source, false);
    return this.#kept;
  }

  get nblocks(): number {
    return this.#starts.count;
  }

  /** Uncompressed bytes of a block. */
  blockByteLength(blockIndex: number): number {
    const { blocksize } = this.coding;
    return Math.min(blocksize, this.#nbytes - blockIndex * blocksize);
  }

  /** Decodes bytes `start..stop` of the uncompressed chunk into `target`. The range has been checked. */
  read(start: number, stop: number, target: Uint8Array, targetOffset: number): void {
    if (start === stop) return;
    const { blocksize } = this.coding;
    const starts = this.#starts;
    const last = Math.floor((stop - 1) / blocksize);
    let first = Math.floor(start / blocksize);
    const range: WantedRange = { start, stop, target, origin: targetOffset - start, reference: undefined };
    const { engine } = this.coding;
    const { lease } = engine;
    lease.take();
    try {
      engine.prepare?.(target);
      if (this.coding.needsReference && last > 0) {
        if (start === 0 && this.#reference === undefined) {
          // The caller gets all of block 0 anyway: from there it serves as the reference, without a copy of our own.
          this.#readWindow(0, 1, starts.start(0), starts.end(0), range);
          range.reference = target.subarray(targetOffset, targetOffset + blocksize);
          first = 1;
        } else {
          range.reference = this.#referenceBlock();
        }
      }
      while (first <= last) {
        const from = starts.start(first);
        let end = starts.end(first);
        let next = first + 1;
        while (next <= last && starts.start(next) === end && starts.end(next) - from <= WINDOW_BYTES) {
          end = starts.end(next);
          next++;
        }
        this.#readWindow(first, next, from, end, range);
        first = next;
      }
    } finally {
      engine.finish?.();
      lease.end();
      releaseRequest(this.#request);
    }
  }

  /**
   * Decodes all of the chunk, and sums its compressed bytes as they come by. Blocks that are not in order are summed by themselves.
   *
   * @throws FormatError `BLOSC2_FORMAT_CHECKSUM` when all has been decoded, or could not be; else as {@link read}
   */
  readAll(target: Uint8Array, targetOffset: number, expected: ChunkChecksum): void {
    const { engine } = this.coding;
    const ahead = this.#starts.start(0);
    if (ahead <= MOST_AHEAD) {
      this.#sum = engine.crc32c(this.#source.read(0, ahead));
      this.#summed = ahead;
    }
    let summed = NOT_SUMMING;
    try {
      this.read(0, this.#nbytes, target, targetOffset);
      summed = this.#summed;
    } catch (error) {
      // What matters is that the bytes are others; how decoding them goes wrong tells nothing.
      if (isBlosc2Error(error)) requireSummedSource(this.#source, expected, this.#cbytes, engine);
      throw error;
    } finally {
      this.#summed = NOT_SUMMING;
    }
    if (summed === this.#cbytes) requireSum(this.#source, expected, this.#sum);
    else requireSummedSource(this.#source, expected, this.#cbytes, engine);
  }

  /**
   * Looks at the streams of all blocks, without decoding them, if the chunk claims suspiciously much content: so that no
   * memory is taken for content that can't be there.
   *
   * @throws FormatError
   */
  checkExpansion(): void {
    const nbytes = this.#nbytes;
    const cbytes = this.#cbytes;
    if (nbytes <= HARMLESS_NBYTES || nbytes <= cbytes * USUAL_RATIO) return;
    const table = new StreamTable();
    const { lease } = this.coding.engine;
    lease.take();
    try {
      for (let i = 0; i < this.nblocks; i++) {
        const request = this.#load(this.#starts.start(i), cbytes);
        request.sourceStart = 0;
        request.blockIndex = i;
        request.blockByteLength = this.blockByteLength(i);
        table.locate(this.coding, request);
      }
    } finally {
      lease.end();
      releaseRequest(this.#request);
    }
  }

  /** Decodes what is wanted of blocks `first..next`, whose compressed bytes are `from..end`. */
  #readWindow(first: number, next: number, from: number, end: number, range: WantedRange): void {
    const request = this.#request;
    if (next === first + 1) {
      this.#want(first, range);
      if (this.#map(from, end) || this.#loadPart(from, end)) {
        request.sourceStart = 0;
        this.#decode(request, from, end);
        return;
      }
    }
    this.#load(from, end);
    for (let i = first; i < next; i++) {
      this.#want(i, range);
      request.sourceStart = this.#starts.start(i) - from;
      this.#decode(request, from, end);
    }
  }

  /** Sets what the request wants of a block. */
  #want(blockIndex: number, range: WantedRange): void {
    const request = this.#request;
    const blockStart = blockIndex * this.coding.blocksize;
    const length = this.blockByteLength(blockIndex);
    request.target = range.target;
    request.blockIndex = blockIndex;
    request.blockByteLength = length;
    request.from = Math.max(0, range.start - blockStart);
    request.to = Math.min(length, range.stop - blockStart);
    request.targetOffset = range.origin + blockStart + request.from;
    request.reference = blockIndex === 0 ? undefined : range.reference;
  }

  /** Reads only what the wanted items of the block at `start..end` need, if that is possible and pays. */
  #loadPart(start: number, end: number): boolean {
    const { coding } = this;
    const { engine, planes } = coding;
    const { from, to, blockByteLength } = this.#request;
    const isFull = blockByteLength === coding.blocksize;
    if (!planes || !isFull || !isSmallPart(to - from, coding.blocksize, end - start)) return false;
    const staged = engine.stage(end - start, coding.blocksize);
    const firstItem = Math.floor(from / coding.typesize);
    const endItem = Math.ceil(to / coding.typesize);
    if (!loadBlockPart(this.#source, coding, staged, start, end, firstItem, endItem)) return false;
    this.#staged(staged, start, end);
    return true;
  }

  /**
   * Decodes one block. Blocks may overlap (the format only demands that they lie in the chunk), so where the hint about the
   * block's end turns out too small, the rest of the chunk is read before the block counts as cut.
   */
  #decode(request: ReusedDecodeRequest, from: number, end: number): void {
    const { engine } = this.coding;
    const cbytes = this.#cbytes;
    try {
      engine.decodeBlock(this.coding, request);
    } catch (error) {
      if (end === cbytes || !(error instanceof FormatError) || !isBlosc2Error(error, "BLOSC2_FORMAT_TRUNCATED"))
        throw error;
      const blockStart = from + request.sourceStart;
      this.#load(blockStart, cbytes).sourceStart = 0;
      engine.decodeBlock(this.coding, request);
      this.#load(from, end);
    }
  }

  /** Brings compressed bytes into the engine's memory: by a map where that can be, else by a copy. */
  #load(from: number, end: number): ReusedDecodeRequest {
    if (this.#map(from, end)) return this.#request;
    const { coding } = this;
    const { engine } = coding;
    const staged = engine.stage(end - from, coding.blocksize);
    this.#source.readInto(from, staged);
    return this.#staged(staged, from, end);
  }

  /** Finds the compressed bytes in a part of the file that lies in the engine's memory, if it can. */
  #map(from: number, end: number): boolean {
    const { engine, blocksize } = this.coding;
    const windows = this.#source.mapped === undefined ? undefined : engine.windowsFor?.(blocksize);
    const bytes = windows === undefined ? undefined : this.#source.mapped?.(from, end - from, windows);
    if (bytes === undefined) return false;
    this.#staged(bytes, from, end);
    return true;
  }

  #staged(staged: Uint8Array, from: number, end: number): ReusedDecodeRequest {
    const request = this.#request;
    request.source = staged;
    request.sourceOffset = from;
    request.sourceEnd = end - from;
    if (from === this.#summed) {
      this.#sum = this.coding.engine.crc32c(staged, this.#sum);
      this.#summed = end;
    }
    return request;
  }

  /** Block 0, decoded once and kept, for filters that refer to it. */
  #referenceBlock(): Uint8Array {
    if (this.#reference === undefined) {
      const block = new Uint8Array(this.blockByteLength(0));
      const range = { start: 0, stop: block.byteLength, target: block, origin: 0, reference: undefined };
      this.#readWindow(0, 1, this.#starts.start(0), this.#starts.end(0), range);
      this.#reference = block;
    }
    return this.#reference;
  }
}
