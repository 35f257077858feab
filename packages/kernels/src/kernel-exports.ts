/**
 * The functions of the WebAssembly module. Addresses and lengths are in bytes; every pointer argument is an address in the
 * module's memory. Buffers of one call must not overlap, and lie above `heapBase()`.
 *
 * @module
 */

/** The functions that `assembly/index.ts` exports. Results below 0 are {@link KERNEL_ERRORS}. */
export interface KernelExports {
  /** First address that is free for the caller. */
  heapBase(): number;
  /** Address of six filter ids, two unused bytes, six filter metas: what the pipeline and block functions read. */
  controlBlock(): number;
  /** Address of the table of stream addresses (uint32) that `locateStreams` fills. */
  streamTable(): number;

  /** Address of 32 KiB for bytes that `crc32c` is to sum. */
  crcInput(): number;
  /** The CRC-32C as int32; `previous` is that of the bytes before, 0 if there are none. Only `source..source + length` is read. */
  crc32c(source: number, length: number, previous: number): number;

  /** Address of the table of a box that `copyBox` reads: for each of up to 16 dimensions count, source stride, target stride (int32). */
  boxTable(): number;
  /** Copies a box of items of `itemLength` bytes; the table is overwritten. Every item must lie in memory; none may overlap another's copy. */
  copyBox(source: number, target: number, itemLength: number, ndim: number): void;

  /**
   * Copies the items at the product of lists, in their order. The table has count and address of the list of each dimension, and a number
   * that is not read; a list's entries are offset in the source, offset in the target and, in the last dimension, bytes (uint32 each).
   * `rowLength`: those bytes if they are the same for all, else 0.
   */
  copyLists(source: number, target: number, ndim: number, rowLength: number): void;

  /** Shuffle with elements of 1..255 bytes. */
  shuffle(typesize: number, length: number, source: number, target: number): void;
  unshuffle(typesize: number, length: number, source: number, target: number): void;
  bitshuffle(typesize: number, length: number, source: number, target: number): void;
  unbitshuffle(typesize: number, length: number, source: number, target: number): void;
  /** `reference`: the chunk's raw block 0, at least `length` bytes, or 0 for block 0 itself. */
  deltaForward(typesize: number, length: number, source: number, reference: number, target: number): void;
  deltaBackward(typesize: number, length: number, source: number, reference: number, target: number): void;
  bytedeltaForward(typesize: number, length: number, source: number, target: number): void;
  bytedeltaBackward(typesize: number, length: number, source: number, target: number): void;
  /** 0 or an error. */
  truncPrec(typesize: number, meta: number, length: number, source: number, target: number): number;
  /** 0 or an error. */
  intTrunc(typesize: number, meta: number, length: number, source: number, target: number): number;
  /** 1 if all bytes are the same. */
  isByteRun(source: number, length: number): number;

  /** 0 or an error; `wanted < targetLength` stops once that many bytes are there. */
  lz4Decode(
    source: number,
    sourceLength: number,
    target: number,
    targetLength: number,
    wanted: number,
    history: number,
  ): number;
  /** Bytes written; 0 when they exceed `targetLength`. */
  lz4Encode(
    source: number,
    sourceLength: number,
    target: number,
    targetLength: number,
    acceleration: number,
    history: number,
  ): number;
  /** Bytes written; 0 when they exceed `targetLength`. */
  lz4hcEncode(
    source: number,
    sourceLength: number,
    target: number,
    targetLength: number,
    level: number,
    history: number,
  ): number;
  /** 0 or an error; `wanted < targetLength` stops once that many bytes are there. */
  blosclzDecode(source: number, sourceLength: number, target: number, targetLength: number, wanted: number): number;
  /** Bytes written; 0 when they exceed `targetLength` or the input has fewer than 16 bytes. */
  blosclzEncode(source: number, sourceLength: number, target: number, targetLength: number, level: number): number;

  /** Runs the six slots forward. 0 or an error. `planeStride`: 0. */
  forwardFilters(
    typesize: number,
    superChunkTypesize: number,
    length: number,
    source: number,
    reference: number,
    scratch: number,
    otherScratch: number,
    target: number,
    planeStride: number,
  ): number;
  /** Undoes the six slots. 0 or an error. `source` may be `scratch`. */
  backwardFilters(
    typesize: number,
    superChunkTypesize: number,
    chunkVersion: number,
    length: number,
    source: number,
    reference: number,
    scratch: number,
    otherScratch: number,
    target: number,
  ): number;
  /** Decodes the streams of a block and puts their addresses into the stream table. 0 or an error. */
  locateStreams(
    source: number,
    sourceEnd: number,
    blockLength: number,
    streams: number,
    first: number,
    wanted: number,
    bare: number,
    format: number,
    scratch: number,
    dictionary: number,
    dictionaryLength: number,
  ): number;
  /** Items `first..first + count` of the byte planes in a stream table. */
  unshuffleStreams(streams: number, typesize: number, first: number, count: number, target: number): void;
  /** Index of the stream at which `locateStreams` or `decodeBlock` failed. */
  failedStream(): number;
  /** Streams and filters in one call; bytes `from..to` of the block go to `target + from`. 0 or an error. */
  decodeBlock(
    source: number,
    sourceEnd: number,
    blockLength: number,
    typesize: number,
    superChunkTypesize: number,
    chunkVersion: number,
    streams: number,
    bare: number,
    format: number,
    from: number,
    to: number,
    reference: number,
    scratch: number,
    otherScratch: number,
    target: number,
    dictionary: number,
    dictionaryLength: number,
  ): number;
  /** Filters and streams in one call. Bytes written, or an error. */
  encodeBlock(
    source: number,
    length: number,
    typesize: number,
    superChunkTypesize: number,
    streams: number,
    codec: number,
    level: number,
    runs: number,
    bare: number,
    reference: number,
    scratch: number,
    otherScratch: number,
    filtered: number,
    target: number,
    targetLength: number,
    dictionary: number,
    dictionaryLength: number,
  ): number;
  /** 1 if every stream of the block encoded last was a run of zero bytes. */
  encodedAllZeros(): number;
}
