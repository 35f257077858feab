/** A contiguous frame in a source: how it is described, and how what a job needs of it is fetched. @module */
import {
  type ChunkPlacement,
  isBlosc2Error,
  openSChunkReader,
  planIndex,
  type SuperChunkReader,
} from "@b2frame/core/read";
import type { ByteSource, SourceRange } from "./byte-source.js";
import { cachedHandle, RangeCache } from "./range-cache.js";
import { RangeFetcher } from "./range-fetcher.js";

/** How a remote frame is opened. */
export interface RemoteFileOptions {
  /** Absolute position of the frame's first byte. Default 0. */
  readonly offset?: number | undefined;
  /** Bytes of fetched data that are kept between reads. Default 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Ranges of different chunks that are at most so many bytes apart are fetched by one request. Default 32 KiB. */
  readonly maxGap?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was fetched for a frame so far. */
export interface RemoteStats {
  /** Ranges that were asked for. */
  readonly requests: number;
  /** Bytes that came. */
  readonly bytesFetched: number;
  /** Bytes that were wanted and were cached already, or under way for somebody else. */
  readonly bytesFromCache: number;
  /** Bytes that are kept. */
  readonly bytesCached: number;
}

/** The first request: header, and all of a small frame. */
const HEAD_LENGTH = 16 * 1024;
const DEFAULT_CACHE = 64 * 2 ** 20;
/** Chunks that are fetched while one is looked at. */
const DEFAULT_READ_AHEAD = 4;
/** Where a frame's length stands in its header (`frame_len`). */
const FRAME_LENGTH_AT = 16;
/** More rounds than any header, index or chunk takes: what asks for more is no frame. */
const MAX_ROUNDS = 64;

/** See the module. */
export class RemoteFile {
  readonly source: ByteSource;
  readonly cacheBytes: number;
  readonly maxGap: number | undefined;
  readonly #offset: number;
  readonly #cache: RangeCache;
  readonly #fetcher: RangeFetcher;
  #schunk!: SuperChunkReader;
  #placement!: ChunkPlacement;

  private constructor(source: ByteSource, { offset = 0, cacheBytes = DEFAULT_CACHE, maxGap }: RemoteFileOptions) {
    this.source = source;
    this.#offset = offset;
    this.cacheBytes = cacheBytes;
    this.maxGap = maxGap;
    this.#cache = new RangeCache(cacheBytes);
    this.#fetcher = new RangeFetcher(source, this.#cache);
  }

  /** @throws FormatError; IoError; the signal's reason */
  static async open(source: ByteSource, options: RemoteFileOptions): Promise<RemoteFile> {
    const file = new RemoteFile(source, options);
    await file.#describeSteadily(options.signal);
    return file;
  }

  get schunk(): SuperChunkReader {
    return this.#schunk;
  }

  /** Where the chunks are. */
  get placement(): ChunkPlacement {
    return this.#placement;
  }

  get stats(): RemoteStats {
    const { requests, bytes, fromCache } = this.#fetcher.counts;
    return { requests, bytesFetched: bytes, bytesFromCache: fromCache, bytesCached: this.#cache.byteLength };
  }

  /** Once more if it was replaced between two of the answers. */
  async #describeSteadily(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#describe(signal);
    } catch (error) {
      if (!isBlosc2Error(error, "BLOSC2_IO_STALE")) throw error;
      this.#fetcher.reset();
      await this.#describe(signal);
    }
  }

  async #describe(signal: AbortSignal | undefined): Promise<void> {
    const offset = this.#offset;
    const head = await this.#fetcher.fetchHead(offset, HEAD_LENGTH, signal);
    let known = head;
    // The size of the file is not known: what the header claims is found out when it is fetched.
    let ranges = planIndex(known, offset, Number.MAX_SAFE_INTEGER);
    while (ranges[0] !== undefined && ranges[0].position === offset) {
      const { byteLength } = ranges[0];
      await this.#fetcher.ensure(ranges, signal, true);
      known = new Uint8Array(byteLength);
      this.#cache.copy(offset, known);
      ranges = planIndex(known, offset, Number.MAX_SAFE_INTEGER);
    }
    const view = new DataView(known.buffer, known.byteOffset, known.byteLength);
    const end = offset + Number(view.getBigUint64(FRAME_LENGTH_AT));
    await this.#fetcher.ensure(ranges, signal, true);
    const handle = cachedHandle(this.#cache, end, this.source.name);
    this.#schunk = await this.fetching(signal, () => openSChunkReader(handle, { offset, path: this.source.name }));
    const { placement } = this.#schunk;
    if (placement === undefined) throw new Error("a contiguous frame has a placement");
    this.#placement = placement;
  }

  /** Brings ranges into the cache. @throws as {@link open} */
  ensure(ranges: readonly SourceRange[], signal: AbortSignal | undefined): Promise<void> {
    return this.#fetcher.ensure(ranges, signal);
  }

  /** How many chunks can be fetched ahead without driving each other out of the cache. */
  readAhead(wanted: number = DEFAULT_READ_AHEAD): number {
    const { nchunks, cbytes } = this.#schunk;
    const fitting = Math.floor(this.cacheBytes / Math.max(1, cbytes / Math.max(1, nchunks))) - 1;
    return Math.max(0, Math.min(wanted, fitting));
  }

  /** Bytes that are in the cache. */
  cached(position: number, byteLength: number): Uint8Array {
    const bytes = new Uint8Array(byteLength);
    this.#cache.copy(position, bytes);
    return bytes;
  }

  /**
   * Runs a job that reads the frame; what turns out to be missing is fetched, and the job run once more. A good plan leaves nothing to
   * that.
   */
  async fetching<T>(signal: AbortSignal | undefined, job: () => T): Promise<T> {
    for (let round = 1; ; round++) {
      try {
        const result = job();
        this.#cache.trim();
        return result;
      } catch (error) {
        if (!isBlosc2Error(error, "BLOSC2_IO_NOT_PREFETCHED") || round === MAX_ROUNDS) throw error;
        const { position, length } = error.details;
        await this.#fetcher.ensure([{ position: Number(position), byteLength: Number(length) }], signal);
      }
    }
  }

  /** Reads the description again, of whatever is there by now. */
  async refresh(signal: AbortSignal | undefined): Promise<void> {
    this.#fetcher.reset();
    this.#schunk.close();
    await this.#describeSteadily(signal);
  }

  close(): void {
    this.#fetcher.reset();
    this.#schunk.close();
  }
}
