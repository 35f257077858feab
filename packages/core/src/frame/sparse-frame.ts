/**
 * A frame in a directory: an index file, and one file per stored chunk. Chunks are written under numbers that no commit
 * reaches; then the index file is replaced by an atomic rename; then the files that it no longer names are removed.
 *
 * @module
 */
import type { ChunkSource } from "../chunk/chunk-source.js";
import { IoError, isBlosc2Error } from "../errors.js";
import { openChecked } from "../io/checked-handle.js";
import { readStoredChunk, storedChunkByteLength } from "./copy-frame.js";
import type { FrameContext } from "./frame.js";
import { FrameBase } from "./frame-base.js";
import { FrameFile } from "./frame-file.js";
import { type FrameHeader, patchFrameHeader } from "./frame-header.js";
import { MIN_CHUNK_LENGTH } from "./frame-layout.js";
import { type FrameParts, readFrameParts } from "./frame-parts.js";
import { encodeTrailer } from "./frame-trailer.js";
import type { Metalayer } from "./metalayers.js";
import { newFrameParts } from "./new-frame-parts.js";
import { encodeIndex } from "./offsets-index.js";
import { openSteadily } from "./open-steadily.js";
import { nothingToReopen } from "./reopen.js";
import type { SparseFiles } from "./sparse-files.js";

/** See the module's description. */
export class SparseFrame extends FrameBase {
  readonly sparse = true;
  readonly position = 0;
  readonly #files: SparseFiles;
  /** Numbers that the committed index names, or that chunks stored since have. */
  #taken: Set<number> | undefined;
  #lowestFree = 0;
  /** Numbers stored since the last commit; nothing else knows of these files. */
  #pending = new Set<number>();
  /** Numbers that the committed index names and the current one does not. */
  #superseded = new Set<number>();
  /** Bytes of the chunks that the table names. */
  #cbytes: number;
  #committedLength: number;
  /** Whether the index file has been looked at since the last commit. */
  #begun = false;
  #failure: unknown;
  /** Numbers of files that no commit names and this frame has not written. */
  readonly #strays = new Set<number>();
  #replaceStrays = false;

  private constructor(files: SparseFiles, context: FrameContext, parts: FrameParts) {
    super(context, parts);
    this.#files = files;
    this.#cbytes = parts.header.cbytes;
    this.#committedLength = parts.header.frameLength;
  }

  /** An empty frame in an empty directory. */
  static create(
    files: SparseFiles,
    context: FrameContext,
    header: FrameHeader,
    metalayers: readonly Metalayer[],
  ): SparseFrame {
    const frame = new SparseFrame(files, context, newFrameParts({ ...header, sparse: true }, metalayers));
    frame.touch();
    return frame;
  }

  /** @throws FormatError, IoError, or Blosc2Error `BLOSC2_LIMIT_EXCEEDED` */
  static open(files: SparseFiles, context: FrameContext): SparseFrame {
    return SparseFrame.ofParts(files, context, SparseFrame.#read(files, context));
  }

  /** A frame whose description has been read. */
  static ofParts(files: SparseFiles, context: FrameContext, parts: FrameParts): SparseFrame {
    return new SparseFrame(files, context, parts);
  }

  static #read(files: SparseFiles, context: Pick<FrameContext, "environment">): FrameParts {
    const handle = openChecked(files.backend, files.indexPath, "r");
    const { environment } = context;
    const request = { path: files.indexPath, environment, sparse: true };
    const file = new FrameFile(handle, 0, files.durability);
    return openSteadily(handle, 0, () => {
      const parts = readFrameParts(file, request);
      files.see(handle);
      return parts;
    });
  }

  get committedLength(): number {
    return this.#committedLength;
  }

  get cbytes(): number {
    return this.#cbytes;
  }

  deadBytes(): number {
    const live = new Set<number>(this.table.entries());
    let dead = 0;
    for (const number of this.#files.numbers()) if (!live.has(number)) dead += this.#files.handle(number).size();
    return dead;
  }

  override requireWritable(operation: string): void {
    super.requireWritable(operation);
    if (this.#failure !== undefined) {
      const path = this.#files.path;
      throw new IoError(
        "BLOSC2_IO_HANDLE_FAILED",
        `${path}: ${operation}: an earlier write to this frame failed`,
        { operation, path },
        this.#failure,
      );
    }
  }

  chunkSource(entry: number, chunkIndex: number): ChunkSource {
    return this.#files.source(entry, chunkIndex);
  }

  protected override beginChange(): void {
    super.beginChange();
    if (this.#begun) return;
    this.#files.requireOurs();
    this.#begun = true;
  }

  protected storeChunk(chunk: Uint8Array): number {
    this.beginChange();
    const number = this.#writing(() => this.#writeFree(chunk));
    this.#pending.add(number);
    this.#cbytes += chunk.byteLength;
    this.pendingBytes += chunk.byteLength;
    this.dirty = true;
    this.noteChunk(number, chunk);
    return number;
  }

  protected releaseChunks(entries: readonly number[]): void {
    this.#takenNumbers();
    let released = 0;
    for (const entry of entries) released += storedChunkByteLength(this.chunkSource(entry, entry));
    // From here on only what changes files fails, and after that nothing is committed.
    this.#cbytes -= released;
    for (const entry of entries) {
      if (this.#pending.delete(entry)) this.#writing(() => this.#removeFile(entry));
      else this.#superseded.add(entry);
    }
    this.dirty = true;
  }

  /** Writes a chunk under a number that no file has. Strays may be another writer's, and stay. */
  #writeFree(chunk: Uint8Array): number {
    const taken = this.#takenNumbers();
    for (;;) {
      while (taken.has(this.#lowestFree)) this.#lowestFree++;
      const number = this.#lowestFree;
      taken.add(number);
      try {
        this.#files.write(number, chunk, this.#replaceStrays);
        return number;
      } catch (error) {
        if (!isBlosc2Error(error, "BLOSC2_IO_EXISTS")) throw error;
        this.#strays.add(number);
      }
    }
  }

  #takenNumbers(): Set<number> {
    if (this.#taken === undefined) {
      this.#taken = new Set<number>();
      for (const entry of this.table.entries()) if (entry >= 0) this.#taken.add(entry);
    }
    return this.#taken;
  }

  #removeFile(number: number): void {
    this.#files.remove(number);
    this.#taken?.delete(number);
    this.#lowestFree = Math.min(this.#lowestFree, number);
  }

  /** Runs what changes files; after a failure the frame takes no more changes. */
  #writing<R>(action: () => R): R {
    try {
      return action();
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  requireUnchanged(): void {
    this.#files.requireOurs();
  }

  commit(): void {
    if (!this.dirty) return;
    this.requireWritable("commit");
    this.#writing(() => {
      this.#commitIndex();
      // C-Blosc2 takes file numbers for offsets when it opens a frame, and refuses those beyond cbytes. Numbers are low
      // except right after most of the chunks went; then the remaining ones move into the room that these left.
      if (this.#renumber()) {
        this.generation++;
        this.#commitIndex();
      }
    });
  }

  #commitIndex(): void {
    this.syncChecksums();
    const trailer = encodeTrailer(this.vlmetalayers.layers);
    const index = this.table.length > 0 ? encodeIndex(this.table, this.environment) : new Uint8Array(0);
    const { headerLength } = this.header;
    const frameLength = headerLength + index.byteLength + trailer.byteLength;
    patchFrameHeader(this.encodedHeader, this.wholeHeader({ cbytes: this.#cbytes, frameLength }));
    const bytes = new Uint8Array(frameLength);
    bytes.set(this.encodedHeader);
    bytes.set(index, headerLength);
    bytes.set(trailer, headerLength + index.byteLength);
    this.seal(bytes.subarray(headerLength));
    this.#files.replaceIndex(bytes);
    this.#committedLength = frameLength;
    for (const number of this.#superseded) this.#removeFile(number);
    this.#superseded.clear();
    this.#pending.clear();
    this.pendingBytes = 0;
    this.changedHeaderLength = 0;
    this.#begun = false;
    this.dirty = false;
  }

  /** Moves chunks whose file number is too high to lower ones; whether there were any. */
  #renumber(): boolean {
    const highest = Math.max(0, this.#cbytes - MIN_CHUNK_LENGTH);
    let moved = false;
    for (let i = 0; i < this.table.length; i++) {
      const entry = this.table.at(i);
      if (entry <= highest) continue;
      this.#takeStrays();
      const chunk = readStoredChunk(this.chunkSource(entry, i));
      const number = this.storeChunk(chunk);
      if (number > highest) {
        this.releaseChunks([number]);
        return moved;
      }
      this.table.move(i, number);
      this.releaseChunks([entry]);
      moved = true;
    }
    return moved;
  }

  /** Low numbers are few, and whoever left these files has had the time to name them. */
  #takeStrays(): void {
    for (const number of this.#strays) this.#takenNumbers().delete(number);
    if (this.#strays.size > 0) this.#lowestFree = 0;
    this.#strays.clear();
    this.#replaceStrays = true;
  }

  refresh(): void {
    this.requireCommitted("refresh");
    // Handles of chunk files that are open are of the commit before.
    const before = this.#files.seen;
    const parts = SparseFrame.#read(this.#files, { environment: this.environment });
    if (before !== this.#files.seen) this.#files.forgetAll();
    this.load(parts);
    this.#cbytes = parts.header.cbytes;
    this.#committedLength = parts.header.frameLength;
    this.#taken = undefined;
    this.#begun = false;
    this.#strays.clear();
    this.#replaceStrays = false;
    this.#lowestFree = 0;
  }

  reopen(): void {
    if (this.#committedLength === 0) throw nothingToReopen(this.origin.path);
    this.dirty = false;
    this.pendingBytes = 0;
    this.refresh();
    this.#failure = undefined;
    const named = this.#takenNumbers();
    for (const number of this.#pending) if (!named.has(number)) this.#removeFile(number);
    this.#pending.clear();
    this.#superseded.clear();
  }

  compact(): void {
    this.requireWritable("compact");
    this.commit();
    const live = new Set<number>(this.table.entries());
    for (const number of this.#files.numbers()) if (!live.has(number)) this.#writing(() => this.#removeFile(number));
    this.#files.settleNames();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    try {
      if (this.#failure !== undefined) this.requireWritable("close");
      this.commit();
    } finally {
      this.#files.close();
    }
  }

  discard(): void {
    this.closed = true;
    this.#files.close();
  }
}
