/** Reading variable-length blocks (`README_CHUNK_FORMAT`, "Variable-length blocks"). @module */

import type { BlockCoding, Engine } from "../block/engine.js";
import { readInt32 } from "../bytes/little-endian.js";
import { FormatError } from "../errors.js";
import type { BlockStarts } from "./block-starts.js";
import type { ChunkHeader } from "./chunk-header.js";
import { INT32_LENGTH } from "./chunk-layout.js";
import type { ChunkSource } from "./chunk-source.js";
import { newDecodeRequest, type ReusedDecodeRequest, releaseRequest } from "./decode-request.js";

/** Decodes the blocks of a chunk that each state their own size. */
export class VlBlockReader {
  readonly #source: ChunkSource;
  readonly #engine: Engine;
  readonly #coding: BlockCoding;
  readonly #starts: BlockStarts;
  /** Its `reference` stays undefined: each block is its own delta reference. */
  readonly #request: ReusedDecodeRequest;
  /** Offsets of the blocks in the uncompressed chunk, and its end. */
  readonly #offsets: Float64Array;

  /** @throws FormatError when the blocks' sizes are not positive or do not sum to `nbytes`. */
  constructor(source: ChunkSource, engine: Engine, coding: BlockCoding, starts: BlockStarts, header: ChunkHeader) {
    this.#source = source;
    this.#engine = engine;
    this.#coding = coding;
    this.#starts = starts;
    this.#request = newDecodeRequest(source, true);
    const count = starts.count;
    this.#offsets = new Float64Array(count + 1);
    let total = 0;
    for (let i = 0; i < count; i++) {
      const start = starts.start(i);
      const size = readInt32(source.read(start, INT32_LENGTH), 0);
      const streamLength = starts.end(i) - start - INT32_LENGTH;
      if (size <= 0 || total + size > header.nbytes || streamLength <= 0) {
        throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
          ...source.location,
          field: `size of variable-length block ${i}`,
          offset: start,
          expected: streamLength <= 0 ? "a stream behind it" : `1..${header.nbytes - total}`,
          found: streamLength <= 0 ? "none" : size,
        });
      }
      total += size;
      this.#offsets[i + 1] = total;
    }
    if (total !== header.nbytes) {
      throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
        ...source.location,
        field: "nbytes",
        expected: `the ${total} bytes of the variable-length blocks`,
        found: header.nbytes,
      });
    }
  }

  get nblocks(): number {
    return this.#offsets.length - 1;
  }

  blockByteLength(blockIndex: number): number {
    return (this.#offsets[blockIndex + 1] as number) - (this.#offsets[blockIndex] as number);
  }

  /** Decodes bytes `start..stop` of the blocks' concatenation into `target`. The range has been checked. */
  read(start: number, stop: number, target: Uint8Array, targetOffset: number): void {
    for (let i = this.#blockAt(start); i < this.nblocks && (this.#offsets[i] as number) < stop; i++) {
      const offset = this.#offsets[i] as number;
      const from = Math.max(0, start - offset);
      const to = Math.min(this.blockByteLength(i), stop - offset);
      this.readPart(i, from, to, target, targetOffset + offset + from - start);
    }
  }

  /** Decodes bytes `from..to` of one block. The engine is leased meanwhile. */
  readPart(blockIndex: number, from: number, to: number, target: Uint8Array, targetOffset: number): void {
    const start = this.#starts.start(blockIndex) + INT32_LENGTH;
    const streamLength = this.#starts.end(blockIndex) - start;
    const request = this.#request;
    const { lease } = this.#engine;
    lease.take();
    try {
      const staged = this.#engine.stage(streamLength, this.blockByteLength(blockIndex));
      this.#source.readInto(start, staged);
      request.source = staged;
      request.sourceOffset = start;
      request.sourceEnd = streamLength;
      request.blockIndex = blockIndex;
      request.blockByteLength = this.blockByteLength(blockIndex);
      request.from = from;
      request.to = to;
      request.target = target;
      request.targetOffset = targetOffset;
      this.#engine.decodeBlock(this.#coding, request);
    } finally {
      lease.end();
      releaseRequest(request);
    }
  }

  /** The block that holds a byte of the concatenation. */
  #blockAt(offset: number): number {
    let low = 0;
    let high = this.nblocks - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#offsets[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
