import { checkOptionNames } from "../checks/option-names.js";
import { type ChunkEnvironment, defaultEnvironment } from "../chunk/chunk-environment.js";
import type { SpecialKind } from "../chunk/chunk-header.js";
import { compressVlBlocks } from "../chunk/compress-vl-blocks.js";
import { FormatError } from "../errors.js";
import { resolveDurability } from "../frame/durability.js";
import type { Frame } from "../frame/frame.js";
import { type FrameLocking, lockToOpen, refuseLocking } from "../frame/frame-locking.js";
import { openFrame, openFrameOnHandle } from "../frame/open-frame.js";
import { appendFrame, frameBytes } from "../frame/write-frame-copy.js";
import type { IoBackend, IoHandle, LockKind } from "../io/backend.js";
import { memoryHandle } from "../io/memory-backend.js";
import type { BytePiece } from "../streams/byte-pieces.js";
import type { PieceSource, StreamOptions } from "../streams/web-streams.js";
import { appendFrom } from "./append-from.js";
import { copySuperChunk, createSuperChunk, requirePositive } from "./create-super-chunk.js";
import { describeSChunk } from "./describe-schunk.js";
import { deleteChunk, insertChunk, insertData, reorderChunks, updateChunk, updateData } from "./edit-chunks.js";
import { fillSpecial } from "./fill-special.js";
import { HeldLock } from "./held-lock.js";
import { setSlice } from "./item-slices.js";
import { Metalayers } from "./metalayers.js";
import { refuseChangedRecipe, refuseRecipe } from "./recipe.js";
import {
  SCHUNK_CFRAME_NAMES,
  SCHUNK_COPY_NAMES,
  SCHUNK_CREATE_NAMES,
  SCHUNK_HANDLE_NAMES,
  SCHUNK_OPEN_NAMES,
} from "./schunk-option-names.js";
import type {
  SChunkCframeOptions,
  SChunkCopyOptions,
  SChunkCreateOptions,
  SChunkHandleOptions,
  SChunkOpenOptions,
} from "./schunk-options.js";
import { SuperChunkReader } from "./super-chunk-reader.js";
import { requireBytes, SuperChunkState } from "./super-chunk-state.js";
import { VlMetalayers } from "./vl-metalayers.js";

/** The state behind a super-chunk that can be changed, for the other files of this package. */
export let changingStateOf: (schunk: SChunk) => SuperChunkState;

/**
 * A super-chunk: compressed chunks, one after another, with metalayers. It lives in a file, in a directory (a sparse frame),
 * or in memory.
 *
 * Chunks are written as they come, but nothing of a change counts before it is committed, by `commit()`, by `close()` or by
 * `commitEvery`: a writer that is killed leaves its last commit. Every method throws `BLOSC2_IO_CLOSED` after `close()`, and
 * those that change something `BLOSC2_IO_READ_ONLY` when it was opened with mode `"r"`; a failed write makes later changes
 * throw `BLOSC2_IO_HANDLE_FAILED`, and `close()` too.
 *
 * @example
 * ```ts
 * using out = SChunk.create({ urlpath: "t.b2frame", io: stdio(), chunksize: 1 << 20, cparams: { codec: "lz4" } });
 * out.appendData(new Float64Array(131072));
 * out.commit();
 * const items = out.getSlice(10, 60);
 * ```
 */
export class SChunk extends SuperChunkReader {
  /** Metalayers: small values of fixed length. */
  declare readonly meta: Metalayers;
  /** Vlmetalayers: values of any length. */
  declare readonly vlmeta: VlMetalayers;
  readonly #state: SuperChunkState;

  static {
    changingStateOf = (schunk) => schunk.#state;
  }

  private constructor(state: SuperChunkState) {
    super(state, new Metalayers(state), new VlMetalayers(state));
    this.#state = state;
  }

  /**
   * Makes a super-chunk. It exists, and can be opened, when this returns.
   *
   * @throws ArgumentError; IoError, `BLOSC2_IO_EXISTS` with mode `"x"`; UnsupportedError for a codec or filter that is not
   * registered, and for a sparse frame on a backend that has none.
   */
  static create(options: SChunkCreateOptions = {}): SChunk {
    checkOptionNames(SCHUNK_CREATE_NAMES, options);
    return new SChunk(createSuperChunk(options));
  }

  /**
   * Opens the super-chunk at a path.
   *
   * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there; FormatError if it is no frame or a damaged one;
   * UnsupportedError for a sparse frame on a backend that has none.
   */
  static open(path: string, backend: IoBackend, options: SChunkOpenOptions = {}): SChunk {
    checkOptionNames(SCHUNK_OPEN_NAMES, options);
    const { offset = 0, mode = "r" } = options;
    const durability = resolveDurability(options.durability);
    const environment = defaultEnvironment(options);
    const locking = lockToOpen(path, backend, options.locking, mode);
    try {
      const frame = openFrame(path, backend, { offset, mode, durability, environment });
      return SChunk.#opened(frame, environment, options, locking);
    } catch (error) {
      locking?.close();
      throw error;
    }
  }

  /**
   * Opens the contiguous frame in an open file. The super-chunk closes the handle, also when opening fails.
   *
   * @throws FormatError; IoError
   */
  static openHandle(handle: IoHandle, options: SChunkHandleOptions = {}): SChunk {
    refuseLocking(options);
    checkOptionNames(SCHUNK_HANDLE_NAMES, options);
    const { offset = 0, mode = "r", path } = options;
    const durability = resolveDurability(options.durability);
    const environment = defaultEnvironment(options);
    const frame = openFrameOnHandle(handle, { offset, mode, path, volatile: false, durability, environment });
    return SChunk.#opened(frame, environment, options);
  }

  /**
   * A super-chunk over the bytes of a contiguous frame. Changes never reach `bytes`; {@link toCframe} gives the result.
   *
   * With `copy: false` the bytes are read in place until the first change makes a copy: as long as that has not happened the
   * caller must leave them alone, for what is written into them shows.
   *
   * @throws FormatError unless `bytes` is exactly one frame.
   */
  static fromCframe(bytes: Uint8Array, options: SChunkCframeOptions = {}): SChunk {
    const given = requireBytes(bytes, "bytes");
    refuseLocking(options);
    checkOptionNames(SCHUNK_CFRAME_NAMES, options);
    const environment = defaultEnvironment(options);
    const copied = options.copy ?? true;
    const handle = copied ? memoryHandle(given.slice(), { mode: "r+" }) : memoryHandle(given, { mode: "c" });
    const { mode } = handle;
    const frame = openFrameOnHandle(handle, { offset: 0, mode, path: undefined, volatile: true, environment });
    const { committedLength: frameLength } = frame;
    if (frameLength !== given.byteLength) {
      frame.discard();
      throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
        structure: "frame header",
        position: 0,
        field: "frame_len",
        offset: 16,
        expected: `${given.byteLength}, the length of the buffer`,
        found: frameLength,
      });
    }
    return SChunk.#opened(frame, environment, options);
  }

  static #opened(
    frame: Frame,
    environment: ChunkEnvironment,
    options: SChunkOpenOptions,
    locking?: FrameLocking,
  ): SChunk {
    const { commitEvery, checksum } = options;
    try {
      requirePositive("commitEvery", commitEvery, Number.MAX_SAFE_INTEGER);
      refuseRecipe(frame, options.recipes);
      refuseChangedRecipe(frame);
      const settings = { environment, commitEvery, typesizeChosen: true, locking };
      const state = new SuperChunkState(frame, settings);
      if (checksum === true && frame.origin.mode !== "r") {
        state.changing("keep checksums", () => frame.keepChecksums());
      }
      return new SChunk(state);
    } catch (error) {
      frame.discard();
      throw error;
    }
  }

  /**
   * Compresses data into a chunk at the end.
   *
   * @returns the number of chunks.
   * @throws ArgumentError for more bytes than a chunk can hold, and for an empty first chunk; UnsupportedError when the codec or
   * a filter is not registered.
   */
  appendData(data: ArrayBufferView): number {
    return this.#state.changing("appendData", () => this.insertData(this.nchunks, data));
  }

  /** Adds a compressed chunk at the end; returns the number of chunks. @throws FormatError, ArgumentError */
  appendChunk(chunk: Uint8Array): number {
    return this.#state.changing("appendChunk", () => this.insertChunk(this.nchunks, chunk));
  }

  /** Compresses buffers into the variable-length blocks of one chunk at the end; returns the number of chunks. */
  appendVlBlocks(blocks: readonly ArrayBufferView[]): number {
    return this.#state.changing("appendVlBlocks", () =>
      this.appendChunk(compressVlBlocks(blocks, this.#state.cparams, this.#state.environment)),
    );
  }

  /**
   * Appends the bytes of a stream, cut anywhere, in chunks of `chunksize`, and commits at its end. The next piece is asked for when the last
   * one is stored, so that a fast source waits, and no more than a chunk is kept.
   *
   * After a failure nothing is committed: of what came before it, whole chunks have been appended, and `commit()` keeps them, `reopen()`
   * drops them.
   *
   * @param source a web or Node stream, or what gives pieces by `for await` or `for`. It is cancelled or destroyed after a failure.
   * @returns the number of items.
   * @throws IoError `BLOSC2_IO_SHORT_READ` for a stream that ends inside an item, `BLOSC2_IO_FAILED` for one that fails; the signal's reason;
   * ArgumentError for what gives no bytes; else as {@link appendData}
   * @example
   * ```ts
   * const items = await schunk.appendFrom((await fetch(url)).body);
   * ```
   */
  async appendFrom(source: PieceSource<BytePiece>, options: StreamOptions = {}): Promise<number> {
    return await appendFrom(this.#state, source, options);
  }

  /** Compresses data into a chunk before `chunkIndex`; returns the number of chunks. As {@link appendData}. */
  insertData(chunkIndex: number, data: ArrayBufferView): number {
    return this.#state.changing("insertData", () => {
      insertData(this.#state, chunkIndex, this.#bytesOf(data));
      return this.nchunks;
    });
  }

  /** Puts a compressed chunk before `chunkIndex`; returns the number of chunks. @throws FormatError, ArgumentError */
  insertChunk(chunkIndex: number, chunk: Uint8Array): number {
    return this.#state.changing("insertChunk", () => {
      insertChunk(this.#state, chunkIndex, chunk);
      return this.nchunks;
    });
  }

  /** Replaces a chunk by data. As {@link appendData}. */
  updateData(chunkIndex: number, data: ArrayBufferView): void {
    this.#state.changing("updateData", () => {
      this.#state.requireChunk(chunkIndex);
      updateData(this.#state, chunkIndex, this.#bytesOf(data));
    });
  }

  /** Replaces a chunk by a compressed one. @throws FormatError, ArgumentError */
  updateChunk(chunkIndex: number, chunk: Uint8Array): void {
    this.#state.changing("updateChunk", () => updateChunk(this.#state, chunkIndex, chunk));
  }

  /** Removes a chunk; returns the number of chunks left. @throws ArgumentError */
  deleteChunk(chunkIndex: number): number {
    return this.#state.changing("deleteChunk", () => {
      deleteChunk(this.#state, chunkIndex);
      return this.nchunks;
    });
  }

  /**
   * Puts the chunks in another order: the new chunk `i` is the old chunk `order[i]`.
   *
   * @throws ArgumentError unless `order` holds each chunk index once.
   */
  reorderOffsets(order: ArrayLike<number>): void {
    this.#state.changing("reorderOffsets", () => reorderChunks(this.#state, order));
  }

  /**
   * Overwrites items from `start` on. What reaches past the end is appended, in chunks of `chunksize`; `start` may be at most
   * the number of items.
   *
   * @param data whole items.
   * @throws ArgumentError; else as {@link appendData} and {@link decompressChunk}.
   */
  setSlice(start: number, data: ArrayBufferView): void {
    this.#state.changing("setSlice", () => setSlice(this.#state, start, data));
  }

  /**
   * Fills a super-chunk that has no chunks. Zeros, NaN and uninitialised items take no room.
   *
   * @param value of `kind` `"value"`: the bytes of one item.
   * @returns the number of chunks.
   * @throws ArgumentError
   */
  fillSpecial(count: number, kind: SpecialKind, value?: Uint8Array): number {
    return this.#state.changing("fillSpecial", () => {
      fillSpecial(this.#state, { itemCount: count, kind, value });
      return this.nchunks;
    });
  }

  /**
   * A copy elsewhere, uncommitted changes included. Chunks are compressed again only if parameters or `chunksize` differ.
   *
   * @throws as {@link create} and {@link decompressChunk}.
   */
  copy(options: SChunkCopyOptions = {}): SChunk {
    checkOptionNames(SCHUNK_COPY_NAMES, options);
    return this.#state.reading("copy", () => new SChunk(copySuperChunk(this.#state, options)));
  }

  /**
   * Writes a frame of this content at the end of a file, which is made if there is none.
   *
   * @returns its absolute position, to open it with `offset`.
   * @throws IoError
   */
  appendFile(path: string, backend: IoBackend): number {
    const state = this.#state;
    return state.reading("appendFile", () => appendFrame(state.frame, backend, path, state.environment));
  }

  /** Sizes and compression in one line. */
  override toString(): string {
    return describeSChunk("SChunk", this);
  }

  /**
   * Commits: when this returns, all changes are durable, as far as the option `durability` says. Nothing happens if there are
   * none.
   *
   * @throws IoError; the last commit stays readable then.
   */
  commit(): void {
    this.#state.requireOpen("commit");
    this.#state.commit();
  }

  /** The same as {@link commit}. */
  flush(): void {
    this.commit();
  }

  /**
   * Drops what has not been committed, also after a write or a commit that failed, and starts from the last commit of what is at the
   * path now: after `BLOSC2_IO_STALE`, `BLOSC2_IO_MOVED` or `BLOSC2_IO_NO_SPACE`, to make the change again.
   *
   * @throws ArgumentError for a frame that has never been committed, or is nowhere but in memory; as opening does
   */
  reopen(): void {
    this.#state.reopen();
  }

  /**
   * Gives superseded bytes back: the frame is rewritten beside its file and renamed into place. Commits.
   *
   * @throws UnsupportedError for a frame that is not all of a file, or was opened on a handle; IoError
   */
  compact(): void {
    this.#state.changing("compact", () => this.#state.frame.compact());
  }

  /** Commits and releases the file, also if committing fails. Idempotent. @throws IoError */
  override close(): void {
    super.close();
  }

  /**
   * Holds the frame's lock for several operations, which then see, and make, one state of the frame: nobody else changes it in between,
   * and with an exclusive lock nobody reads it either. Reads again what others have changed before it returns. Keep it short.
   *
   * @param kind `"shared"`: for reading only.
   * @throws IoError `BLOSC2_IO_LOCKED` when others keep the lock for too long; ArgumentError without the option `locking`; IoError
   * @example
   * ```ts
   * using s = openUdio("t.b2frame", stdio(), { mode: "r+", locking: true });
   * {
   *   using held = s.lock();
   *   s.updateData(0, increased(s.decompressChunk(0)));
   * } // committed, and given back
   * ```
   */
  lock(kind: LockKind = "exclusive"): HeldLock {
    this.#state.beginBracket(kind);
    return new HeldLock(this.#state, kind);
  }

  /** Bytes of the file that nothing uses any longer; `compact()` gives them back. Reads the header of every chunk. */
  get deadBytes(): number {
    return this.#state.reading("deadBytes", () => this.#state.frame.deadBytes());
  }

  /** The bytes of a contiguous frame of this content, without holes; uncommitted changes included, nothing is committed. */
  toCframe(): Uint8Array {
    return this.#state.reading("toCframe", () => frameBytes(this.#state.frame, this.#state.environment));
  }

  #bytesOf(data: ArrayBufferView): Uint8Array {
    const bytes = requireBytes(data, "data");
    this.#state.adoptTypesize(data);
    return bytes;
  }
}
