/** Options of super-chunks. @module */
import type { EnvironmentOptions } from "../chunk/chunk-environment.js";
import type { SpecialKind } from "../chunk/chunk-header.js";
import type { CParams } from "../chunk/cparams.js";
import type { Durability } from "../frame/durability.js";
import type { Locking } from "../frame/frame-locking.js";
import type { OpenMode } from "../io/backend.js";
import type { IoOption } from "../io/named-backends.js";

/** What reading and writing chunks needs, with the default for all of it; see `defaultEnvironment`. */
export type SChunkEnvironmentOptions = Omit<EnvironmentOptions, "superChunkTypesize" | "checksum">;

/**
 * What to do with a frame of python-blosc2 that holds a recipe in the place of data: a lazy expression, the address of a remote array.
 * `"refuse"` (default): an UnsupportedError. `"describe"`: it opens for reading, so that its description and metalayers can be read;
 * its chunks still can't.
 */
export type RecipePolicy = "refuse" | "describe";

/** Items that all have one value. */
export interface SpecialFill {
  readonly itemCount: number;
  readonly kind: SpecialKind;
  /** Of kind `"value"`: the bytes of one item. */
  readonly value?: Uint8Array | undefined;
}

/** Options of `SChunk.create`. */
export interface SChunkCreateOptions extends SChunkEnvironmentOptions, IoOption {
  /** Where to keep it: a file, or a directory if `contiguous` is false. Absent: in memory. */
  readonly urlpath?: string | undefined;
  /** One file (default), or a sparse frame: a directory with a file per chunk. Always one piece in memory. */
  readonly contiguous?: boolean | undefined;
  /** `"w"` (default) replaces what is at `urlpath`; `"x"` fails if something is there. */
  readonly mode?: "w" | "x" | undefined;
  /** Bytes per item, 1 or more. Default: that of `data`, or of the first typed array that is appended. */
  readonly typesize?: number | undefined;
  /** Uncompressed bytes per chunk. Default: the size of the first chunk; for `data` at most 16 MiB. */
  readonly chunksize?: number | undefined;
  /** Compression parameters; the defaults are C-Blosc2's. */
  readonly cparams?: Partial<CParams> | undefined;
  /** Metalayers, at most 16. */
  readonly meta?: Readonly<Record<string, Uint8Array>> | undefined;
  /** First content, cut into chunks of `chunksize`. */
  readonly data?: ArrayBufferView | undefined;
  /** First content of one value, as `SChunk.fillSpecial` makes it. */
  readonly fill?: SpecialFill | undefined;
  /**
   * Whether what it begins with is committed at once. Default true. Without that, nothing can be opened at `urlpath` before the
   * first `commit()`, which then writes everything in one go.
   */
  readonly commit?: boolean | undefined;
  /** Commit whenever this many compressed bytes wait for it. Default: only in `commit()` and `close()`. */
  readonly commitEvery?: number | undefined;
  /**
   * Take the advisory lock that C-Blosc2 and python-blosc2 (`locking=True`) take: shared for each operation that reads, exclusive from
   * a change to its commit. What others have committed in between is read again first. It keeps out only those who lock, too. Default
   * false; `true` waits up to 10 seconds for others.
   */
  readonly locking?: Locking | undefined;
  /**
   * What a commit outlives. `"disk"` (default): anything; it waits for the disk. `"process"`: the end of this process, but a
   * power cut may lose the last commits or damage the frame; it waits for nothing.
   */
  readonly durability?: Durability | undefined;
  /**
   * Keep a checksum of every chunk, and one of all that describes the frame, where other software takes no notice of them. Default
   * false, or for a copy: if the original has them.
   */
  readonly checksum?: boolean | undefined;
  /** Whether the header says `chunksize` before there are chunks, as B2ND arrays have it. Default false, as C-Blosc2 does. */
  readonly chunksizeInHeader?: boolean | undefined;
}

/** Options of `SChunk.open` and `openUdio`. */
export interface SChunkOpenOptions extends SChunkEnvironmentOptions {
  /** Absolute position of the frame's first byte in the file. Default 0. */
  readonly offset?: number | undefined;
  /** `"r"` (default), `"r+"` to change it, `"c"` to change a private copy. */
  readonly mode?: OpenMode | undefined;
  /** As in {@link SChunkCreateOptions}. */
  readonly commitEvery?: number | undefined;
  /** As in {@link SChunkCreateOptions}. Not for mode `"c"`. */
  readonly locking?: Locking | undefined;
  /** As in {@link SChunkCreateOptions}; it is not kept in the frame. */
  readonly durability?: Durability | undefined;
  /**
   * Whether the frame is held against its checksums, if it keeps some: its description when it is opened, each chunk when it is first
   * read; what differs, or has none, throws `BLOSC2_FORMAT_CHECKSUM`. Default true. `true` in so many words, with a mode that changes
   * the frame, lets one that keeps none keep them from now on. Checksums that a frame has are kept up to date either way; with `false`
   * copies get new ones of whatever is there.
   */
  readonly checksum?: boolean | undefined;
  /** See {@link RecipePolicy}. The cache of a python-blosc2 proxy opens for reading; chunks that were not fetched can't be read. */
  readonly recipes?: RecipePolicy | undefined;
}

/** Options of `SChunk.openHandle`. */
export interface SChunkHandleOptions extends Omit<SChunkOpenOptions, "locking"> {
  /** Names the file in error messages. */
  readonly path?: string | undefined;
}

/** Options of `SChunk.fromCframe`. */
export interface SChunkCframeOptions extends SChunkEnvironmentOptions {
  /** Whether to copy the bytes at once (default), or only when the super-chunk is first changed. */
  readonly copy?: boolean | undefined;
  /** As in {@link SChunkOpenOptions}. */
  readonly checksum?: boolean | undefined;
  /** As in {@link SChunkOpenOptions}. */
  readonly recipes?: RecipePolicy | undefined;
}

/** Options of `SChunk.copy`: where to, and what is to be different. */
export type SChunkCopyOptions = Omit<SChunkCreateOptions, "data" | "fill" | "commit" | "chunksizeInHeader">;
