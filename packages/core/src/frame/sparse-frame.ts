/**
 * A frame in a directory: an index file, and one file per stored chunk. Chunks are written under numbers that no commit
 * reaches; then the index file is replaced by an atomic rename; then the files that it no longer names are removed.
 *
 * @module
 */
import type { ChunkSource } from "../chunk/chunk-source.js";
import { IoError } from "../errors.js";
import { openChecked } from "../io/checked-handle.js";
import { readStoredChunk, storedChunkByteLength } from "./copy-frame.js";
import type { FrameContext } from "./frame.js";
import { FrameBase, newFrameParts } from "./frame-base.js";
import { FrameFile } from "./frame-file.js";
import { type FrameHeader, patchFrameHeader } from "./frame-header.js";
import { MIN_CHUNK_LENGTH } from "./frame-layout.js";
import { type FrameParts, readFrameParts } from "./frame-parts.js";
import { encodeTrailer } from "./frame-trailer.js";
import type { Metalayer } from "./metalayers.js";
import { encodeIndex } from "./offsets-index.js";
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
  #failure: unknown;

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
    try {
      const { environment } = context;
      return readFrameParts(new FrameFile(handle, 0, files.durability), {
        path: files.indexPath,
        environment,
        sparse: true,
      });
    } finally {
      handle.close();
    }
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

  protected storeChunk(chunk: Uint8Array): number {
    this.requireWritable("store chunk");
    const taken = this.#takenNumbers();
    while (taken.has(this.#lowestFree)) this.#lowestFree++;
    const number = this.#lowestFree;
    this.#writing(() => this.#files.write(number, chunk));
    taken.add(number);
    this.#pending.add(number);
    this.#cbytes += chunk.byteLength;
    this.pendingBytes += chunk.byteLength;
    this.dirty = true;
    this.checksums?.note(number, chunk);
    return number;
  }

  protected releaseChunk(entry: number): void {
    this.#cbytes -= storedChunkByteLength(this.chunkSource(entry, entry));
    this.#takenNumbers();
    if (this.#pending.delete(entry)) this.#writing(() => this.#removeFile(entry));
    else this.#superseded.add(entry);
    this.dirty = true;
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
  #writing(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
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
    this.#files.replaceIndex(bytes);
    this.#committedLength = frameLength;
    for (const number of this.#superseded) this.#removeFile(number);
    this.#superseded.clear();
    this.#pending.clear();
    this.pendingBytes = 0;
    this.changedHeaderLength = 0;
    this.dirty = false;
  }

  /** Moves chunks whose file number is too high to lower ones; whether there were any. */
  #renumber(): boolean {
    const highest = Math.max(0, this.#cbytes - MIN_CHUNK_LENGTH);
    let moved = false;
    for (let i = 0; i < this.table.length; i++) {
      const entry = this.table.at(i);
      if (entry <= highest) continue;
      const chunk = readStoredChunk(this.chunkSource(entry, i));
      const number = this.storeChunk(chunk);
      if (number > highest) {
        this.releaseChunk(number);
        return moved;
      }
      this.table.move(i, number);
      this.releaseChunk(entry);
      moved = true;
    }
    return moved;
  }

  refresh(): void {
    this.requireCommitted("refresh");
    const parts = SparseFrame.#read(this.#files, { environment: this.environment });
    this.load(parts);
    this.#cbytes = parts.header.cbytes;
    this.#committedLength = parts.header.frameLength;
    this.#files.close();
    this.#taken = undefined;
    this.#lowestFree = 0;
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
