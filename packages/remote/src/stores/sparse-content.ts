/** A sparse frame that lies elsewhere: its index names the files of its chunks. @module */
import { type ArraySelection, SChunk, UnsupportedError } from "@b2frame/core";
import { readingCodecs } from "@b2frame/core/read";
import { RefreshGuard } from "../refresh-guard.js";
import { type PlannedRange, type RemoteContent, type RemoteStats, readAheadWithin } from "../remote-content.js";
import { DEFAULT_CACHE, type RemoteFileOptions } from "../remote-file.js";
import type { FetchedBackend } from "./fetched-backend.js";

/** What a chunk may have more than its items: header, block starts, and stored blocks that did not compress. */
const CHUNK_MARGIN = 64 * 1024;
const MIN_HEAD = 16 * 1024;
const MAX_HEAD = 64 * 2 ** 20;

function openFetched(
  name: string,
  backend: FetchedBackend,
  { signal, checksum }: Pick<RemoteFileOptions, "signal" | "checksum">,
): Promise<SChunk> {
  return backend.fetching(signal, () => SChunk.open(name, backend, { codecs: readingCodecs, checksum }));
}

/** See the module. */
export class SparseContent implements RemoteContent {
  readonly name: string;
  readonly #backend: FetchedBackend;
  readonly #cacheBytes: number;
  readonly #checksum: boolean | undefined;
  readonly #guard: RefreshGuard;
  #schunk: SChunk;

  private constructor(name: string, backend: FetchedBackend, options: RemoteFileOptions, schunk: SChunk) {
    const { cacheBytes = DEFAULT_CACHE, checksum } = options;
    this.name = name;
    this.#guard = new RefreshGuard(name);
    this.#backend = backend;
    this.#cacheBytes = cacheBytes;
    this.#checksum = checksum;
    this.#schunk = schunk;
    this.#takeSizes();
  }

  /** @throws FormatError; IoError; the signal's reason */
  static async open(name: string, backend: FetchedBackend, options: RemoteFileOptions): Promise<SparseContent> {
    return new SparseContent(name, backend, options, await openFetched(name, backend, options));
  }

  get schunk(): SChunk {
    return this.#schunk;
  }

  /** Chunks have files of their own, which the workers know nothing of. */
  get decoding(): undefined {
    return undefined;
  }

  get placement(): never {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED",
      `${this.name}: is a sparse frame: its chunks have no place in one file, but files of their own`,
      { feature: "placement of sparse frames", path: this.name },
    );
  }

  get stats(): RemoteStats {
    return this.#backend.stats;
  }

  /** All of the chunks that are touched: how much of its file each takes is known when it is there. */
  plan(selection: ArraySelection): readonly PlannedRange[] {
    const ranges: PlannedRange[] = [];
    for (const { chunkIndex } of selection.chunks()) {
      ranges.push({ path: `${this.name}, chunk ${chunkIndex}`, position: 0, byteLength: this.#backend.headLength });
    }
    return ranges;
  }

  prefetch(selection: ArraySelection, signal: AbortSignal | undefined): Promise<void> {
    return this.prefetchChunks(
      Array.from(selection.chunks(), ({ chunkIndex }) => chunkIndex),
      signal,
    );
  }

  async prefetchChunks(chunkIndices: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    this.#guard.requireReadable();
    await Promise.all(
      chunkIndices.map((chunkIndex) => this.#backend.fetching(signal, () => void this.#schunk.getChunk(chunkIndex))),
    );
  }

  async fetching<T>(signal: AbortSignal | undefined, job: () => T): Promise<T> {
    this.#guard.requireReadable();
    return await this.#backend.fetching(signal, job);
  }

  readAhead(wanted: number | undefined): number {
    return readAheadWithin(this.#cacheBytes, this.#schunk, wanted);
  }

  async refresh(signal: AbortSignal | undefined): Promise<void> {
    this.#backend.reset();
    const before = this.#schunk;
    const checksum = this.#checksum;
    this.#schunk = await this.#guard.refreshing(() => openFetched(this.name, this.#backend, { signal, checksum }));
    before.close();
    this.#takeSizes();
  }

  close(): void {
    this.#schunk.close();
    this.#backend.reset();
  }

  /** One request is enough for the file of a chunk: none is longer. */
  #takeSizes(): void {
    const longest = Math.max(this.#schunk.chunksize, this.#schunk.nchunks === 1 ? this.#schunk.nbytes : 0);
    this.#backend.headLength = Math.max(MIN_HEAD, Math.min(MAX_HEAD, longest + CHUNK_MARGIN));
  }
}
