/** A super-chunk that is read from afar. @module */
import { type ChunkPiece, chunkPieces, readPiece, requirePiece, showInConsole, streamOf } from "@b2frame/core/backend";
import type { ByteStream, ChunkInfo, ChunkPlacement, ItemStreamOptions, SuperChunkReader } from "@b2frame/core/read";
import { readingAhead } from "./read-ahead.js";
import type { RemoteContent, RemoteStats } from "./remote-content.js";

/** How one read goes. */
export interface RemoteReadOptions {
  /** Gives the read up: it rejects with the signal's reason. What others wait for as well goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** How chunks are walked. */
export interface RemoteIterOptions extends RemoteReadOptions {
  /** Chunks that are fetched while one is looked at, as far as the cache holds them. Default 4. */
  readonly readAhead?: number | undefined;
}

/** What is behind a remote frame, for the other files of this package. */
export let contentOf: (frame: RemoteFrame) => RemoteContent;

/** What a remote array and a remote super-chunk have in common. */
export class RemoteFrame {
  static {
    showInConsole(RemoteFrame.prototype);
    contentOf = (frame) => frame.#content;
  }

  readonly #content: RemoteContent;

  /** Made by `openRemote`. */
  constructor(content: RemoteContent) {
    this.#content = content;
  }

  /** The name of the source: its URL, or the file's name. */
  get name(): string {
    return this.#content.name;
  }

  /** Metalayers. */
  get meta(): SuperChunkReader["meta"] {
    return this.#content.schunk.meta;
  }

  /** Vlmetalayers, which came with the frame's description. */
  get vlmeta(): SuperChunkReader["vlmeta"] {
    return this.#content.schunk.vlmeta;
  }

  /** Number of chunks. */
  get nchunks(): number {
    return this.#content.schunk.nchunks;
  }

  /** Compressed bytes. */
  get cbytes(): number {
    return this.#content.schunk.cbytes;
  }

  /** Bytes per item. */
  get typesize(): number {
    return this.#content.schunk.typesize;
  }

  /** Uncompressed bytes of each chunk but the last; 0 when they differ. */
  get chunksize(): number {
    return this.#content.schunk.chunksize;
  }

  /** The compression parameters in the header. */
  get cparams(): SuperChunkReader["cparams"] {
    return this.#content.schunk.cparams;
  }

  /** Where the chunks are, and which ones are special, as the index says; nothing is fetched. @throws UnsupportedError for a sparse frame, whose chunks lie in files of their own */
  get placement(): ChunkPlacement {
    return this.#content.placement;
  }

  /**
   * What the header of a chunk says.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; FormatError, IoError; the signal's reason
   */
  chunkInfo(chunkIndex: number, { signal }: RemoteReadOptions = {}): Promise<ChunkInfo> {
    return this.#content.fetching(signal, () => this.#content.schunk.chunkInfo(chunkIndex));
  }

  /** Requests and bytes so far. */
  get stats(): RemoteStats {
    return this.#content.stats;
  }

  /** Ends what is under way, and gives the memory back. Idempotent. */
  close(): void {
    this.#content.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A super-chunk. Properties are those of the moment when it was opened or refreshed. */
export class RemoteSChunk extends RemoteFrame {
  /** Sizes and compression in one line: what `console.log` shows. Fetches nothing. */
  override toString(): string {
    return `RemoteSChunk${String(contentOf(this).schunk).slice("SuperChunkReader".length)}`;
  }

  /** Uncompressed bytes. */
  get nbytes(): number {
    return contentOf(this).schunk.nbytes;
  }

  get itemCount(): number {
    return contentOf(this).schunk.itemCount;
  }

  /**
   * The uncompressed content of a chunk.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; FormatError, CodecError, IoError; the signal's reason
   */
  async decompressChunk(chunkIndex: number, { signal }: RemoteReadOptions = {}): Promise<Uint8Array> {
    const { decoding } = contentOf(this);
    if (decoding !== undefined && chunkIndex >= 0 && chunkIndex < this.nchunks) {
      return await decoding.chunk(chunkIndex, signal);
    }
    await contentOf(this).prefetchChunks([chunkIndex], signal);
    return contentOf(this).fetching(signal, () => contentOf(this).schunk.decompressChunk(chunkIndex));
  }

  /**
   * Items `start` to `stop` (excluded) as bytes.
   *
   * @throws as {@link decompressChunk}
   */
  async getSlice(start = 0, stop: number = this.itemCount, { signal }: RemoteReadOptions = {}): Promise<Uint8Array> {
    const { chunksize, typesize, nchunks } = this;
    if (chunksize > 0 && stop > start) {
      const first = Math.max(0, Math.floor((start * typesize) / chunksize));
      const last = Math.min(nchunks - 1, Math.floor((stop * typesize - 1) / chunksize));
      // Only the blocks that are touched are read of the two at the ends; all of the chunks between.
      const between = Array.from({ length: Math.max(0, last - first - 1) }, (_, i) => first + 1 + i);
      const { decoding } = contentOf(this);
      if (decoding !== undefined && start >= 0 && stop <= this.itemCount) {
        return await decoding.items(start, stop, between, signal);
      }
      await contentOf(this).prefetchChunks(between, signal);
    }
    return contentOf(this).fetching(signal, () => contentOf(this).schunk.getSlice(start, stop));
  }

  /**
   * The contents of the chunks, in order. The next ones are fetched while one is looked at; leaving the loop ends that.
   *
   * @throws as {@link decompressChunk}
   */
  iterChunks(options: RemoteIterOptions = {}): AsyncGenerator<Uint8Array> {
    return readingAhead({
      count: this.nchunks,
      ahead: contentOf(this).readAhead(options.readAhead),
      signal: options.signal,
      readsAhead: contentOf(this).decoding !== undefined,
      prefetch: (i, signal) => contentOf(this).prefetchChunks([i], signal),
      read: (i, signal) => this.decompressChunk(i, { signal }),
    });
  }

  /**
   * The bytes of the items as a web stream, one piece for each chunk, as `SChunk.toReadable` gives them; the next chunks are fetched while one
   * is looked at.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE`; the stream fails as {@link decompressChunk}
   */
  toReadable(options: ItemStreamOptions & RemoteReadOptions = {}): ByteStream {
    const { signal } = options;
    const pieces = chunkPieces(this, options, async (i) => (await this.chunkInfo(i, { signal })).nbytes);
    return streamOf(this.#contentOf(pieces, signal), options);
  }

  async *#contentOf(parts: AsyncIterable<ChunkPiece>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const pieces: ChunkPiece[] = [];
    for await (const part of parts) pieces.push(part);
    yield* readingAhead({
      count: pieces.length,
      ahead: contentOf(this).readAhead(undefined),
      signal,
      readsAhead: contentOf(this).decoding !== undefined,
      prefetch: (i, ending) => contentOf(this).prefetchChunks([(pieces[i] as ChunkPiece).chunkIndex], ending),
      read: async (i, ending) => {
        const piece = pieces[i] as ChunkPiece;
        const { from, to, nbytes, chunkIndex } = piece;
        if (contentOf(this).decoding !== undefined && from === 0 && to === nbytes) {
          return requirePiece(await this.decompressChunk(chunkIndex, { signal: ending }), piece);
        }
        await contentOf(this).prefetchChunks([piece.chunkIndex], ending);
        return await contentOf(this).fetching(ending, () => readPiece(contentOf(this).schunk, piece));
      },
    });
  }

  /** Takes over what is there by now. */
  async refresh({ signal }: RemoteReadOptions = {}): Promise<void> {
    await contentOf(this).refresh(signal);
  }
}
