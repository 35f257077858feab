/**
 * The engine contract: what decodes and encodes one block. Two engines fulfil it, `kernels` (WebAssembly SIMD, the default)
 * and `portable` (TypeScript, the oracle); one suite tests both. Everything else (headers, block starts, special chunks,
 * item ranges) is engine-independent and lives in `chunk/`.
 *
 * @module
 */

import type { Lent } from "../bytes/lent.js";
import type { BlockGeometry } from "../codec/codec.js";
import type { SourceLocation } from "../errors.js";
import type { BoxMemory, TargetBoxes } from "./box-memory.js";
import type { Lease } from "./lease.js";
import type { WindowMemory } from "./window-memory.js";

/** What has a place; asked for it only to word an error, as to make one up takes longer than to decode a header. */
export interface Located {
  readonly location: SourceLocation;
}

/** What is the same for all blocks of a chunk. */
export interface BlockCoding {
  /** The chunk header's typesize byte; the number of streams of a split block. */
  readonly typesize: number;
  /** The super-chunk's typesize, which may exceed 255; equals `typesize` for a lone chunk. */
  readonly superChunkTypesize: number;
  /** Uncompressed bytes per block; the last block may be shorter. */
  readonly blocksize: number;
  /** `flags >> 5` of the chunk header. */
  readonly formatCode: number;
  /** compcode; decides only when `formatCode` is 6, and when encoding. */
  readonly compcode: number;
  readonly codecMeta: number;
  readonly clevel: number;
  /** Six filter ids, slot 0 first. */
  readonly filters: Uint8Array;
  /** Six filter metas. */
  readonly filtersMeta: Uint8Array;
  /** Whether full blocks are split into `typesize` streams (flag 0x10 clear). The short last block never is. */
  readonly split: boolean;
  readonly chunkVersion: number;
  /** Whether streams may be coded as zero runs and byte runs when encoding (extended header only). */
  readonly runs: boolean;
  readonly dictionary: Uint8Array | undefined;
  readonly geometry: BlockGeometry | undefined;
}

/** One block to decode. */
export interface BlockDecodeRequest {
  /** Where the chunk is; for error messages. */
  readonly place: Located;
  /** Bytes that hold the block's streams; may be a view of the engine's own staging memory. */
  readonly source: Uint8Array;
  /** Offset in the chunk of the first byte of `source`; for error messages. */
  readonly sourceOffset: number;
  /** Offset in `source` of the block's first `csize` field (or, for a VL block, of its stream). */
  readonly sourceStart: number;
  /** Streams must end at or before this offset in `source`. */
  readonly sourceEnd: number;
  readonly blockIndex: number;
  /** Uncompressed size of this block (shorter for the last one). */
  readonly blockByteLength: number;
  /** The range of the decoded block that is wanted, `0 <= from <= to <= blockByteLength`. */
  readonly from: number;
  readonly to: number;
  /** Receives bytes `from..to` at `targetOffset`. */
  readonly target: Uint8Array;
  readonly targetOffset: number;
  /** Decoded block 0 of the chunk, where a filter needs it and `blockIndex` is not 0. */
  readonly reference: Uint8Array | undefined;
  /** A variable-length block: one stream without a `csize` field that fills `sourceStart..sourceEnd`. */
  readonly variableLength: boolean;
}

/** One block to encode. */
export interface BlockEncodeRequest {
  /** The raw block. */
  readonly source: Uint8Array;
  readonly blockIndex: number;
  /** Whether this block is the short last one (then never split). */
  readonly short: boolean;
  /** Raw block 0 of the chunk; undefined while encoding block 0. */
  readonly reference: Uint8Array | undefined;
  /** Receives the streams at `targetOffset`; must not be written past `targetEnd`. */
  readonly target: Uint8Array;
  readonly targetOffset: number;
  readonly targetEnd: number;
  readonly variableLength: boolean;
}

/** What encoding a block gave. */
export interface BlockEncodeResult {
  /** Bytes written (with `csize` fields); -1 when they do not fit the target. */
  byteLength: number;
  /** Every stream was a run of zero bytes. */
  allZeros: boolean;
}

/** Decodes and encodes blocks. Not re-entrant; one per thread. */
export interface Engine {
  readonly name: "kernels" | "portable";
  /** Where boxes of items are copied faster than row by row; absent where the engine has no memory of its own. */
  readonly boxes?: BoxMemory | undefined;
  /** Where boxes of items of such blocks are copied right into `target`; absent or undefined where that is no memory of the engine's. */
  boxesFor?(target: Uint8Array, blockByteLength: number): TargetBoxes | undefined;
  /** Held by whoever stages bytes or has a chunk buffer, from before that until the bytes are no longer needed. */
  readonly lease: Lease;
  /**
   * A read begins that fills `target`, or the making of a chunk there. Memory that is needed for longer is taken here, where no view of it
   * is in use.
   */
  prepare?(target: Uint8Array): void;
  /** What {@link prepare} began has ended. */
  finish?(): void;
  /**
   * Where parts of files can be laid instead of being staged, when there is room for blocks of `blockByteLength` bytes beside them; absent
   * where the engine has no memory of its own.
   */
  windowsFor?(blockByteLength: number): WindowMemory | undefined;
  /**
   * Staging memory for compressed bytes that are about to be decoded (WebAssembly memory where there is one). The view is
   * valid until the next call of `stage`, `chunkBuffer`, `encodeBlock` or `filterBlock`, and until the lease ends.
   *
   * @param blockByteLength the largest block that will be decoded from it, so that there is room for that as well
   * @throws ArgumentError when nobody holds the lease
   */
  stage(byteLength: number, blockByteLength: number): Lent;
  /**
   * Memory to put a chunk together in: blocks that are encoded into it need not be copied. Its content is arbitrary. The view is
   * valid until the next call of `stage` or `chunkBuffer`, and until the lease ends.
   *
   * @param blockByteLength the largest block that will be encoded into it
   * @throws ArgumentError when nobody holds the lease
   */
  chunkBuffer(byteLength: number, blockByteLength: number): Lent;
  /** The CRC-32C of bytes, staged here or anywhere, after others whose CRC-32C is `previous`. Needs no lease. */
  crc32c(bytes: Uint8Array, previous?: number): number;
  /** @throws CodecError or FormatError on malformed streams. */
  decodeBlock(coding: BlockCoding, request: BlockDecodeRequest): void;
  /** The result object is reused by the next call. */
  encodeBlock(coding: BlockCoding, request: BlockEncodeRequest): BlockEncodeResult;
  /** Runs only the forward filters of a block (dictionary training); the result is valid until the next call. */
  filterBlock(
    coding: BlockCoding,
    source: Uint8Array,
    blockIndex: number,
    reference: Uint8Array | undefined,
  ): Uint8Array;
}
