/** What a remote array and super-chunk read: a contiguous frame in a file, or a sparse one in many. @module */
import type { ArraySelection, ByteRange, ChunkPlacement, DimIndex, SuperChunkReader } from "@b2frame/core/read";

/** A range that a read asks for. */
export interface PlannedRange extends ByteRange {
  /** The file, where a frame lies in several. */
  readonly path?: string | undefined;
}

/** What was fetched so far: for a frame, or for the file or files that it shares with others. */
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

/** Decoding by workers. What it takes is fetched first. @throws FormatError, CodecError, IoError; the signal's reason */
export interface RemoteDecoding {
  array(index: readonly DimIndex[], selection: ArraySelection, signal: AbortSignal | undefined): Promise<Uint8Array>;
  chunk(chunkIndex: number, signal: AbortSignal | undefined): Promise<Uint8Array>;
  items(
    start: number,
    stop: number,
    chunkIndices: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array>;
}

/** See the module. */
export interface RemoteContent {
  /** For messages: the URL, or the name of the file. */
  readonly name: string;
  readonly schunk: SuperChunkReader;
  /** Where the chunks are. @throws UnsupportedError where each lies in a file of its own */
  readonly placement: ChunkPlacement;
  readonly stats: RemoteStats;
  /** What {@link prefetch} asks for first. */
  plan(selection: ArraySelection): readonly PlannedRange[];
  /** Fetches what a selection takes. @throws FormatError; IoError; the signal's reason */
  prefetch(selection: ArraySelection, signal: AbortSignal | undefined): Promise<void>;
  /** Fetches chunks. @throws as {@link prefetch} */
  prefetchChunks(chunkIndices: readonly number[], signal: AbortSignal | undefined): Promise<void>;
  /** Runs a job that reads; what turns out to be missing is fetched, and the job run once more. */
  fetching<T>(signal: AbortSignal | undefined, job: () => T): Promise<T>;
  /** Has workers decode, if there are any: what {@link fetching} would do here. */
  readonly decoding: RemoteDecoding | undefined;
  /** How many chunks can be fetched ahead without driving each other out of the cache. */
  readAhead(wanted: number | undefined): number;
  /** Reads the description again, of whatever is there by now. */
  refresh(signal: AbortSignal | undefined): Promise<void>;
  close(): void;
}

/** Chunks that are fetched while one is looked at. */
const DEFAULT_READ_AHEAD = 4;

/** See {@link RemoteContent.readAhead}. */
export function readAheadWithin(
  cacheBytes: number,
  schunk: SuperChunkReader,
  wanted: number = DEFAULT_READ_AHEAD,
): number {
  const { nchunks, cbytes } = schunk;
  const fitting = Math.floor(cacheBytes / Math.max(1, cbytes / Math.max(1, nchunks))) - 1;
  return Math.max(0, Math.min(wanted, fitting));
}
