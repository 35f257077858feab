/** What can be asked of a super-chunk: its description, and its content. @module */
import { endLoan, type Lent, lend } from "../bytes/lent.js";
import { showInConsole } from "../checks/showing.js";
import type { Chunk } from "../chunk/chunk.js";
import type { CParams } from "../chunk/cparams.js";
import { isBlosc2Error } from "../errors.js";
import { readCheckedChunk } from "../frame/copy-frame.js";
import type { FrameReader } from "../frame/frame.js";
import { entrySpecial } from "../frame/offsets-index.js";
import type { ChunkPlacement } from "../frame/read-plan.js";
import { type ByteStream, streamOf } from "../streams/web-streams.js";
import { type ChunkInfo, chunkInfo } from "./chunk-info.js";
import { chunkPieces, type ItemStreamOptions, piecesOfItems } from "./chunk-pieces.js";
import { describeSChunk } from "./describe-schunk.js";
import { namedCParams } from "./frame-cparams.js";
import { getSparse } from "./get-sparse.js";
import { getSlice, itemCount } from "./item-slices.js";
import { LendableMemory } from "./lendable-memory.js";
import { MetalayerReader } from "./metalayer-reader.js";
import type { ReadState } from "./read-state.js";
import { type ReadTarget, targetBytes } from "./read-target.js";
import { VlMetalayerReader } from "./vl-metalayer-reader.js";

/** The state behind a super-chunk, for the other files of this package. */
export let stateOf: (schunk: SuperChunkReader) => ReadState;

/**
 * A super-chunk that is read: what `SChunk` has without changes. Every method throws `BLOSC2_IO_CLOSED` after `close()`.
 */
export class SuperChunkReader {
  static {
    showInConsole(SuperChunkReader.prototype);
    stateOf = (schunk) => schunk.#state;
  }

  /** Metalayers: small values of fixed length. */
  readonly meta: MetalayerReader;
  /** Vlmetalayers: values of any length. */
  readonly vlmeta: VlMetalayerReader;
  readonly #state: ReadState;

  /** Made by `openSChunkReader`. */
  constructor(
    state: ReadState,
    meta: MetalayerReader = new MetalayerReader(state),
    vlmeta: VlMetalayerReader = new VlMetalayerReader(state),
  ) {
    this.#state = state;
    this.meta = meta;
    this.vlmeta = vlmeta;
  }

  /** The frame, unless the super-chunk has been closed. */
  #frame(operation: string): FrameReader {
    this.#state.requireOpen(operation);
    return this.#state.frame;
  }

  /** Number of chunks that there are by now. */
  #count(operation: string): number {
    return this.#state.reading(operation, () => this.#state.frame.chunks.length);
  }

  /** Number of chunks. */
  get nchunks(): number {
    return this.#frame("nchunks").chunks.length;
  }

  /** Uncompressed bytes of all chunks. */
  get nbytes(): number {
    return this.#frame("nbytes").chunks.nbytes;
  }

  /** Compressed bytes of all chunks; in a contiguous frame with the superseded ones among them. */
  get cbytes(): number {
    return this.#frame("cbytes").cbytes;
  }

  /** `nbytes / cbytes`; 0 while there are no compressed bytes. */
  get cratio(): number {
    const { cbytes } = this;
    return cbytes === 0 ? 0 : this.nbytes / cbytes;
  }

  /** Bytes per item. */
  get typesize(): number {
    return this.#frame("typesize").header.typesize;
  }

  /** Bytes per block as given at creation; 0 = automatic. */
  get blocksize(): number {
    return this.#frame("blocksize").header.blocksize;
  }

  /** Uncompressed bytes of each chunk but the last; -1 before the first one, 0 when they differ. */
  get chunksize(): number {
    return this.#frame("chunksize").chunks.chunksize;
  }

  /** Number of whole items. */
  get itemCount(): number {
    this.#state.requireOpen("itemCount");
    return itemCount(this.#state);
  }

  /** Where it is kept; `undefined` in memory. */
  get urlpath(): string | undefined {
    return this.#state.frame.origin.path;
  }

  /** Whether it is one piece; false for a sparse frame. */
  get contiguous(): boolean {
    return !this.#state.frame.sparse;
  }

  /** The compression parameters in the header. */
  get cparams(): CParams {
    return namedCParams(this.#frame("cparams").header, this.#state.environment);
  }

  /**
   * Where the chunks of a contiguous frame are, to work out with `planChunks` which bytes to fetch before reading some of them;
   * `undefined` for a sparse frame. Takes no reads.
   */
  get placement(): ChunkPlacement | undefined {
    const { sparse, position, header, cbytes, chunks } = this.#frame("placement");
    if (sparse) return undefined;
    return { position, headerLength: header.headerLength, cbytes, offsets: chunks.entries().slice() };
  }

  /**
   * The uncompressed content of a chunk.
   *
   * @param options `target` receives it, if given; it must have room.
   * @returns a new array, or the part of the target that was filled.
   * @throws ArgumentError; FormatError or CodecError for a damaged chunk; UnsupportedError when its codec or a filter is not
   * registered.
   */
  decompressChunk(chunkIndex: number, options: ReadTarget = {}): Uint8Array {
    const target = targetBytes(options);
    return this.#state.reading("decompressChunk", () => {
      const chunk = this.#state.openChunk(chunkIndex, true);
      if (target === undefined) return chunk.decompress();
      chunk.decompressInto(target);
      return target.subarray(0, chunk.nbytes);
    });
  }

  /** The variable-length blocks of a chunk, each as a copy. @throws ArgumentError if its blocks all have one size */
  vlBlocks(chunkIndex: number): Uint8Array[] {
    return this.#state.reading("vlBlocks", () => this.#state.openChunk(chunkIndex).vlBlocks());
  }

  /** The compressed bytes of a chunk, as a copy. @throws ArgumentError; FormatError */
  getChunk(chunkIndex: number): Uint8Array {
    return this.#state.reading("getChunk", () => {
      const { frame } = this.#state;
      this.#state.requireChunk(chunkIndex);
      this.#state.requireContent(chunkIndex);
      const entry = frame.chunks.at(chunkIndex);
      const special = entrySpecial(entry);
      if (special !== undefined) return this.#state.specialChunk(chunkIndex, special);
      return readCheckedChunk(frame, entry, chunkIndex, this.#state.environment.engine);
    });
  }

  /**
   * A chunk, open for reading parts of it. It is valid until the super-chunk is changed or closed, or, with locking, until others may
   * change it: as long as a lock is held by `SChunk.lock()`.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; FormatError
   */
  openChunk(chunkIndex: number): Chunk {
    return this.#state.reading("openChunk", () => this.#state.openChunk(chunkIndex));
  }

  /**
   * Items `start..stop` as bytes. Only the blocks that hold some of them are read and decoded.
   *
   * @param start in items; default 0.
   * @param stop in items, not included; default: to the end.
   * @param options `target` receives the bytes, if given, from its front on.
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; else as {@link decompressChunk}.
   * @example
   * ```ts
   * const numbers = new Float64Array(s.getSlice(10, 60).buffer);
   * ```
   */
  getSlice(start = 0, stop?: number, options: ReadTarget = {}): Uint8Array {
    const target = targetBytes(options);
    return this.#state.reading("getSlice", () => getSlice(this.#state, start, stop ?? itemCount(this.#state), target));
  }

  /** The uncompressed chunks, one after another, each in an array of its own. */
  *iterChunks(): IterableIterator<Uint8Array> {
    for (let i = 0; i < this.#count("iterChunks"); i++) yield this.decompressChunk(i);
  }

  /** What the header of a chunk says. @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; FormatError */
  chunkInfo(chunkIndex: number): ChunkInfo {
    return this.#state.reading("chunkInfo", () => {
      this.#state.requireChunk(chunkIndex);
      return chunkInfo(this.#state, chunkIndex);
    });
  }

  /**
   * The uncompressed chunks, one after another, lent: each holds until the next step, which puts the next one in its place, or until the
   * iteration ends. Nothing is copied, and no memory is taken for each. Read what is lent, or `slice()` it; in the mode of
   * `checkLentMemory` it is overwritten when its time is over.
   *
   * @throws as {@link decompressChunk}
   * @example
   * ```ts
   * for (const chunk of schunk.lendChunks()) hash.update(chunk);
   * ```
   */
  *lendChunks(): Generator<Lent, void, undefined> {
    const memory = new LendableMemory();
    try {
      for (let i = 0; i < this.#count("lendChunks"); i++) {
        const { nbytes } = this.#state.reading("lendChunks", () => this.#state.openChunk(i, true));
        this.#state.requireAllocation(nbytes, "chunk");
        const chunk = lend(this.decompressChunk(i, { target: memory.take(nbytes) }));
        try {
          yield chunk;
        } finally {
          endLoan(chunk);
        }
      }
    } finally {
      memory.giveBack();
    }
  }

  /**
   * The bytes of the items as a web stream, one piece for each chunk: decompressed when it is asked for, so that none waits but that one.
   *
   * @param options `start` and `stop` (excluded) in items; `signal` ends the stream.
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`. The stream fails as {@link decompressChunk}, and with `BLOSC2_IO_CHANGED` if
   * chunks change meanwhile.
   * @example
   * ```ts
   * return new Response(schunk.toReadable());
   * ```
   */
  toReadable(options: ItemStreamOptions = {}): ByteStream {
    const pieces = chunkPieces(this, options, (i) => this.chunkInfo(i).nbytes);
    return streamOf(piecesOfItems(this, pieces), options);
  }

  /** What the chunk headers say, without decompressing anything. */
  *iterChunksInfo(): IterableIterator<ChunkInfo> {
    for (let i = 0; i < this.#count("iterChunksInfo"); i++) {
      yield this.#state.reading("iterChunksInfo", () => chunkInfo(this.#state, i));
    }
  }

  /**
   * The items at `indices`, in that order, as bytes. Each block that holds some of them is decoded once.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; else as {@link decompressChunk}.
   */
  getSparse(indices: ArrayLike<number>): Uint8Array {
    return this.#state.reading("getSparse", () => getSparse(this.#state, indices));
  }

  /**
   * Reads the frame's description again, to follow a writer's commits.
   *
   * @throws ArgumentError while there are uncommitted changes; IoError; FormatError
   */
  refresh(): void {
    this.#state.reading("refresh", () => this.#state.refresh());
  }

  /** Sizes and compression in one line. */
  toString(): string {
    return describeSChunk("SuperChunkReader", this);
  }

  /** Releases the file. Idempotent. @throws IoError */
  close(): void {
    this.#state.close();
  }

  /**
   * {@link close} at the end of a `using` block. After a write that failed, which has been thrown already, it says nothing more: else
   * the end of the block would hide that error behind its own.
   */
  [Symbol.dispose](): void {
    try {
      this.close();
    } catch (error) {
      if (!isBlosc2Error(error, "BLOSC2_IO_HANDLE_FAILED")) throw error;
    }
  }
}
