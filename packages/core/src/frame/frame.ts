/** What a super-chunk needs of the frame under it, contiguous or sparse. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import type { ChunkChecksum } from "../chunk/chunk-sum.js";
import type { IoBackend, OpenMode } from "../io/backend.js";
import type { ChunkSums } from "./chunk-checksums.js";
import type { ChunkTable, ChunkTableFacts } from "./chunk-table.js";
import type { Durability } from "./durability.js";
import type { FrameTraits } from "./frame-header.js";
import type { Metalayer, MetalayerReading } from "./metalayers.js";
import type { IndexedSpecial } from "./offsets-index.js";
import type { ReadyChunk } from "./stored-form.js";

/** Where a frame is kept and how it was opened. */
export interface FrameOrigin {
  /** The file, or the directory of a sparse frame. */
  readonly path: string | undefined;
  /** Absent when the frame was opened on a handle. */
  readonly backend: IoBackend | undefined;
  readonly mode: OpenMode;
  /** Nothing outside this object sees the bytes (a frame in memory without a path), so there is nothing to commit. */
  readonly volatile: boolean;
  /** Absent: `"disk"`. */
  readonly durability?: Durability | undefined;
}

/** What reading needs of an open frame. Header, index and metalayers are in memory. */
export interface FrameReader {
  readonly origin: FrameOrigin;
  readonly sparse: boolean;
  /** Absolute position of the frame's first byte in its file. */
  readonly position: number;
  readonly header: FrameTraits;
  /** Uncommitted changes included. Another object after {@link refresh}. */
  readonly chunks: ChunkTable;
  readonly metalayers: MetalayerReading;
  readonly vlmetalayers: MetalayerReading;
  /** Changes whenever stored chunks may have moved, so that entries and sources of before are void. */
  readonly generation: number;
  /** Bytes of the chunk area, superseded ones included; in a sparse frame the sum of the chunk sizes. */
  readonly cbytes: number;
  /** Checksums of the stored chunks, if the frame keeps them. @throws FormatError */
  readonly checksums: ChunkSums | undefined;
  /** Whether what is read is held against checksums, where there are some. */
  readonly checked: boolean;
  /**
   * What a stored chunk is to be held against; undefined if the frame keeps no checksums, or they are not looked at.
   *
   * @throws FormatError `BLOSC2_FORMAT_CHECKSUM` if others have one and this one has none
   */
  sumOf(entry: number, chunkIndex: number): ChunkChecksum | undefined;

  /** The compressed bytes that a stored chunk's entry stands for. */
  chunkSource(entry: number, chunkIndex: number): ChunkSource;
  /** Reads header, index and metalayers again; uncommitted changes are an error. */
  refresh(): void;
  /** Releases everything, after committing what there is to commit, also when that fails. Idempotent. */
  close(): void;
  /** Releases everything without committing. */
  discard(): void;
}

/** What an empty frame takes over from elsewhere: chunks as they are stored there. */
export interface FrameContent {
  /** Bytes of a stored chunk, or the entry of a special one. */
  readonly chunks: Iterable<Uint8Array | number>;
  readonly facts: ChunkTableFacts;
  readonly vlmetalayers: readonly Metalayer[];
}

/**
 * An open frame that can be changed. What is known of it shows uncommitted changes; chunks are written as they come, to where nothing
 * that the committed frame reaches is overwritten; `commit` makes the changes the file's.
 */
export interface Frame extends FrameReader {
  /** Whether anything changed since the last commit. */
  readonly dirty: boolean;
  /** Bytes of chunks stored since the last commit. */
  readonly pendingBytes: number;
  /** Bytes of the frame as committed, from its first one to the end of its trailer (`frame_len`); of the index file in a sparse frame. */
  readonly committedLength: number;
  /** Bytes of the file that no chunk, index or metalayer uses. */
  deadBytes(): number;

  /** @throws IoError `BLOSC2_IO_READ_ONLY`, or `BLOSC2_IO_HANDLE_FAILED` after a write that failed. */
  requireWritable(operation: string): void;

  /** @throws IoError `BLOSC2_IO_STALE` or `BLOSC2_IO_MOVED` unless what is at the frame's path is what was opened or committed here */
  requireUnchanged(): void;
  /**
   * Stores a chunk and inserts it before `chunkIndex`. One that breaks the common size makes all chunks differ from then on.
   *
   * @param chunksize the common size, if there is none yet.
   */
  insertChunk(chunkIndex: number, chunk: ReadyChunk, chunksize: number): void;
  /** Stores a chunk in the place of another one. */
  replaceChunk(chunkIndex: number, chunk: ReadyChunk): void;
  removeChunk(chunkIndex: number): void;
  /** `new[i] = old[order[i]]`; `order` is a permutation. */
  reorder(order: ArrayLike<number>): void;
  /**
   * Makes the new chunk `i` the old chunk `sources[i]`, or zeros where that is -1; all have the full size. Old chunks that are not
   * named go.
   */
  remap(sources: ArrayLike<number>, chunksize: number): void;
  /** Gives an empty frame special chunks, `nbytes` in all. */
  fillSpecial(kind: IndexedSpecial, chunksize: number, nbytes: number): void;
  /** Adds a chunk of another frame at the end; {@link takeOver} follows when all are there. */
  takeChunk(chunk: Uint8Array | number): void;
  /** Gives an empty frame what another one has; behind the chunks that {@link takeChunk} has added. */
  takeOver(content: FrameContent): void;

  /** Sets the typesize of a frame without chunks. */
  setTypesize(typesize: number): void;
  /** Adds a metalayer (while there are no chunks), or overwrites the front of one; longer content than before is refused. */
  setMetalayer(name: string, content: Uint8Array): void;
  /** Adds or replaces a vlmetalayer; `content` is a chunk. */
  setVlMetalayer(name: string, content: Uint8Array): void;
  /** @returns false if there was none of this name */
  deleteVlMetalayer(name: string): boolean;

  /** Keeps checksums from now on, and computes those that are missing. @throws ArgumentError when there is no room for them */
  keepChecksums(): void;
  /** Brings the vlmetalayer of the checksums up to date with uncommitted changes. */
  syncChecksums(): void;

  /** Makes all changes durable. Returns at once if there are none, or if the frame is volatile. */
  commit(): void;
  /** Drops uncommitted changes, also those that failed, and starts from the last commit at the frame's path. @throws ArgumentError */
  reopen(): void;
  /** Rewrites the frame without superseded bytes. */
  compact(): void;
}

/** What opening or creating a frame takes. */
export interface FrameContext {
  readonly origin: FrameOrigin;
  readonly environment: ChunkEnvironment;
}
