/** A contiguous frame in a source: how it is described, and how what a job needs of it is fetched. @module */

import { CHECKSUMS_NAME } from "@b2frame/core/backend";
import {
  type ArraySelection,
  type ByteRange,
  type ChunkPlacement,
  isBlosc2Error,
  openSChunkReader,
  planChunks,
  planIndex,
  planSelection,
  type SelectionPlan,
  type SuperChunkReader,
} from "@b2frame/core/read";
import type { ByteSource } from "./byte-source.js";
import { cachedHandle, RangeCache } from "./range-cache.js";
import { RangeFetcher } from "./range-fetcher.js";
import { RefreshGuard } from "./refresh-guard.js";
import { type RemoteContent, type RemoteDecoding, type RemoteStats, readAheadWithin } from "./remote-content.js";
import { newFrameId } from "./workers/decode-lanes.js";
import type { DecodePool } from "./workers/decode-pool.js";
import { FrameDecoding } from "./workers/frame-decoding.js";
import type { FilePiece } from "./workers/messages.js";

/** How a remote frame is opened. */
export interface RemoteFileOptions {
  /** Absolute position of the frame's first byte. Default 0. */
  readonly offset?: number | undefined;
  /** Bytes of fetched data that are kept between reads. Default 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Ranges of different chunks that are at most so many bytes apart are fetched by one request. Default 32 KiB. */
  readonly maxGap?: number | undefined;
  /**
   * Chunks of at most so many stored bytes are fetched whole, in one round; of larger ones first where the blocks are, then the blocks that
   * are wanted. 0 fetches the fewest bytes: for crops that are read once, over slow or dear connections. Default 1 MiB.
   */
  readonly maxWholeChunk?: number | undefined;
  /** Workers that decode: a `DecodePool` of `@b2frame/remote/workers`. Without them the thread that reads decodes. */
  readonly pool?: DecodePool | undefined;
  /**
   * Whether frames are held against their checksums, if they keep some. Default true: then all of a chunk is fetched when anything of it
   * is read for the first time.
   */
  readonly checksum?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file of which several frames are read: what was fetched of it is shared. */
export interface SharedFetches {
  readonly cache: RangeCache;
  readonly fetcher: RangeFetcher;
}

/** The first request: header, and all of a small frame. */
export const HEAD_LENGTH: number = 16 * 1024;
/** Bytes of fetched data that are kept, where nothing else is said. */
export const DEFAULT_CACHE: number = 64 * 2 ** 20;
/** Where a frame's length stands in its header (`frame_len`). */
const FRAME_LENGTH_AT = 16;
/** More rounds than any header, index or chunk takes: what asks for more is no frame. */
const MAX_ROUNDS = 64;

/** See the module. */
export class RemoteFile implements RemoteContent {
  readonly name: string;
  readonly #cacheBytes: number;
  readonly #maxGap: number | undefined;
  readonly #maxWholeChunk: number | undefined;
  /** Whether others read the file as well. */
  readonly #shared: boolean;
  readonly #offset: number;
  readonly #checksum: boolean;
  readonly #cache: RangeCache;
  readonly #fetcher: RangeFetcher;
  readonly #pool: DecodePool | undefined;
  readonly #guard: RefreshGuard;
  #decoding: FrameDecoding | undefined;
  #schunk!: SuperChunkReader;
  #placement!: ChunkPlacement;

  private constructor(source: ByteSource, options: RemoteFileOptions, shared: SharedFetches | undefined) {
    const { offset = 0, cacheBytes = DEFAULT_CACHE, maxGap, maxWholeChunk, checksum = true } = options;
    this.name = source.name;
    this.#guard = new RefreshGuard(source.name);
    this.#cacheBytes = cacheBytes;
    this.#maxGap = maxGap;
    this.#maxWholeChunk = maxWholeChunk;
    this.#pool = options.pool;
    this.#offset = offset;
    this.#checksum = checksum;
    this.#shared = shared !== undefined;
    this.#cache = shared?.cache ?? new RangeCache(cacheBytes);
    this.#fetcher = shared?.fetcher ?? new RangeFetcher(source, this.#cache);
  }

  /** @throws FormatError; IoError; the signal's reason */
  static async open(source: ByteSource, options: RemoteFileOptions, shared?: SharedFetches): Promise<RemoteFile> {
    const file = new RemoteFile(source, options, shared);
    await file.#describeSteadily(options.signal);
    return file;
  }

  get schunk(): SuperChunkReader {
    return this.#schunk;
  }

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
      if (this.#shared || !isBlosc2Error(error, "BLOSC2_IO_STALE")) throw error;
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
    // A failed opening closes the handle.
    this.#schunk = await this.#run(signal, () =>
      openSChunkReader(cachedHandle(this.#cache, end, this.name), {
        offset,
        path: this.name,
        checksum: this.#checksum,
      }),
    );
    const { placement } = this.#schunk;
    if (placement === undefined) throw new Error("a contiguous frame has a placement");
    this.#placement = placement;
    if (this.#pool === undefined) return;
    const header = { position: offset, byteLength: Math.min(known.byteLength, end - offset) };
    this.#decoding = this.#decodingBy(this.#pool, end, this.#copies([header, ...ranges]));
  }

  #decodingBy(pool: DecodePool, end: number, pieces: readonly FilePiece[]): FrameDecoding {
    const frame = { id: newFrameId(), name: this.name, offset: this.#offset, end, checksum: this.#checksum, pieces };
    return new FrameDecoding(pool, frame, {
      selectionRanges: (selection, signal) => this.#fetchSelection(selection, signal),
      chunkRanges: async (chunkIndices, signal) => {
        const ranges = planChunks(this.#placement, chunkIndices, this.#maxGap);
        await this.#fetcher.ensure(ranges, signal);
        return ranges;
      },
      ensure: (range, signal) => this.#fetcher.ensure([range], signal),
      copies: (ranges, signal) => this.fetching(signal, () => this.#copies(ranges)),
    });
  }

  #copies(ranges: readonly ByteRange[]): FilePiece[] {
    return ranges.map(({ position, byteLength }) => ({ position, bytes: this.#cached(position, byteLength) }));
  }

  get decoding(): RemoteDecoding | undefined {
    return this.#decoding;
  }

  plan(selection: ArraySelection): readonly ByteRange[] {
    return this.#wholeChunks(selection) ?? this.#plan(selection).ranges;
  }

  /** What holding the chunks of a selection against their checksums takes; undefined where there are none, or they are not looked at. */
  #wholeChunks(selection: ArraySelection): ByteRange[] | undefined {
    if (!this.#checksum || !this.#schunk.vlmeta.has(CHECKSUMS_NAME)) return undefined;
    const chunks = Array.from(selection.chunks(), ({ chunkIndex }) => chunkIndex);
    return planChunks(this.#placement, chunks, this.#maxGap);
  }

  #plan(selection: ArraySelection): SelectionPlan {
    return planSelection(this.#placement, selection, {
      maxGap: this.#maxGap,
      maxWholeChunk: this.#maxWholeChunk,
    });
  }

  async prefetch(selection: ArraySelection, signal: AbortSignal | undefined): Promise<void> {
    await this.#fetchSelection(selection, signal);
  }

  async #fetchSelection(selection: ArraySelection, signal: AbortSignal | undefined): Promise<ByteRange[]> {
    this.#guard.requireReadable();
    const whole = this.#wholeChunks(selection);
    if (whole !== undefined) {
      await this.#fetcher.ensure(whole, signal);
      return whole;
    }
    const plan = this.#plan(selection);
    await this.#fetcher.ensure(plan.ranges, signal);
    const rest = await this.fetching(signal, () =>
      plan.rest((position, byteLength) => this.#cached(position, byteLength)),
    );
    await this.#fetcher.ensure(rest, signal);
    return [...plan.ranges, ...rest];
  }

  async prefetchChunks(chunkIndices: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    this.#guard.requireReadable();
    await this.#fetcher.ensure(planChunks(this.#placement, chunkIndices, this.#maxGap), signal);
  }

  readAhead(wanted: number | undefined): number {
    return readAheadWithin(this.#cacheBytes, this.#schunk, wanted);
  }

  #cached(position: number, byteLength: number): Uint8Array {
    return cachedHandle(this.#cache, position + byteLength, this.name).read(position, byteLength);
  }

  /**
   * Runs a job that reads the frame; what turns out to be missing is fetched, and the job run once more. A good plan leaves nothing to
   * that.
   */
  async fetching<T>(signal: AbortSignal | undefined, job: () => T): Promise<T> {
    this.#guard.requireReadable();
    return await this.#run(signal, job);
  }

  async #run<T>(signal: AbortSignal | undefined, job: () => T): Promise<T> {
    const release = this.#cache.hold();
    try {
      for (let round = 1; ; round++) {
        try {
          return job();
        } catch (error) {
          if (!isBlosc2Error(error, "BLOSC2_IO_NOT_PREFETCHED") || round === MAX_ROUNDS) throw error;
          const { position, length } = error.details;
          await this.#fetcher.ensure([{ position: Number(position), byteLength: Number(length) }], signal);
        }
      }
    } finally {
      release();
      this.#cache.trim();
    }
  }

  /** Reads the description again, of whatever is there by now. Until that has succeeded properties stay, and reading throws `BLOSC2_IO_STALE`. */
  async refresh(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#shared) this.#fetcher.reset();
    this.#decoding?.close();
    this.#decoding = undefined;
    const before = this.#schunk;
    await this.#guard.refreshing(() => this.#describeSteadily(signal));
    before.close();
  }

  close(): void {
    if (!this.#shared) this.#fetcher.reset();
    this.#decoding?.close();
    this.#schunk.close();
  }
}
