/**
 * A frame in one file. Bytes that the committed header reaches are never overwritten: chunks, index and trailer go behind
 * the committed end, are made durable, and then one write of the header moves the frame there. Superseded bytes stay
 * as holes that `cbytes` counts, until `compact`.
 *
 * Two states need more than that, because the trailer of a frame without chunks must follow its header directly:
 * - The first chunks after an empty state take the trailer's place. What falls on the committed trailer is held back and
 *   written together with the header, in one write ({@link FrameFile.hold}), so a new frame has no hole and is at no
 *   moment unreadable.
 * - A frame that loses its last chunk is written as a new file and renamed into place: the next chunks begin behind the header, where
 *   those are that readers of an earlier commit still read.
 * Where a write of header and trailer would cross a sector and could be torn, the same is done. A frame that can't be replaced, because
 * it was opened on a handle or is not all of its file, is changed by one write in both cases.
 *
 * @module
 */
import type { ChunkSource } from "../chunk/chunk-source.js";
import { type CheckedHandle, openChecked } from "../io/checked-handle.js";
import { memoryHandle } from "../io/memory-backend.js";
import { prepareToGrow, requireCommittedFile, requireNamed } from "./committed-file.js";
import { committedOf, type Growing, givesBack, type State } from "./contiguous-state.js";
import { copyFrame } from "./copy-frame.js";
import type { FrameContext } from "./frame.js";
import { FrameBase } from "./frame-base.js";
import { FrameFile } from "./frame-file.js";
import { emptyHeader, type FrameHeader, patchFrameHeader } from "./frame-header.js";
import { FIXED_HEADER_LENGTH, SECTOR_LENGTH } from "./frame-layout.js";
import { type FrameParts, readFrameParts } from "./frame-parts.js";
import { FrameChunkSource } from "./frame-source.js";
import { encodeTrailer } from "./frame-trailer.js";
import { liveBytes } from "./live-bytes.js";
import type { Metalayer } from "./metalayers.js";
import { newFrameParts } from "./new-frame-parts.js";
import type { NewPlace } from "./new-place.js";
import { encodeIndex } from "./offsets-index.js";
import { readSteadily } from "./open-steadily.js";
import { ownFile, requireOwnFile } from "./own-file.js";
import { nothingToReopen } from "./reopen.js";
import { replaceFile } from "./replace-file.js";

/** See the module's description. */
export class ContiguousFrame extends FrameBase {
  readonly sparse = false;
  #file: FrameFile;
  #state: State = { kind: "new" };
  #chunksEnd = 0;
  #committedHere = false;
  /** Where the file of a new frame goes at the first commit. */
  #place: NewPlace | undefined;

  private constructor(file: FrameFile, context: FrameContext, parts: FrameParts) {
    super(context, parts);
    this.#file = file;
  }

  /** A new frame at `position` of a file; the first `commit` makes it one that can be opened. */
  static create(
    handle: CheckedHandle,
    position: number,
    context: FrameContext,
    header: FrameHeader,
    metalayers: readonly Metalayer[],
    place?: NewPlace,
  ): ContiguousFrame {
    const frame = new ContiguousFrame(
      new FrameFile(handle, position, context.origin.durability),
      context,
      newFrameParts(header, metalayers),
    );
    frame.#place = place;
    frame.touch();
    return frame;
  }

  /** @throws FormatError, IoError, or Blosc2Error `BLOSC2_LIMIT_EXCEEDED`; the handle stays open then */
  static open(handle: CheckedHandle, position: number, context: FrameContext): ContiguousFrame {
    const { path, durability } = context.origin;
    const file = new FrameFile(handle, position, durability);
    const parts = readFrameParts(file, { path, environment: context.environment, sparse: false });
    return ContiguousFrame.ofParts(file, context, parts);
  }

  /** A frame whose description has been read. */
  static ofParts(file: FrameFile, context: FrameContext, parts: FrameParts): ContiguousFrame {
    const frame = new ContiguousFrame(file, context, parts);
    frame.#noteOpened(parts.header);
    return frame;
  }

  #noteOpened({ headerLength, frameLength, cbytes }: FrameHeader): void {
    this.#chunksEnd = headerLength + (this.table.length === 0 ? 0 : cbytes);
    this.#settle(this.#chunksEnd, frameLength);
  }

  #settle(tailStart: number, end: number): void {
    const fixedHeader = this.encodedHeader.slice(0, FIXED_HEADER_LENGTH);
    const empty = this.table.length === 0;
    const { headerLength } = this.header;
    this.#state = { kind: "settled", committed: { headerLength, tailStart, end, empty, fixedHeader } };
    this.changedHeaderLength = 0;
    this.pendingBytes = 0;
    this.dirty = false;
  }

  get position(): number {
    return this.#file.position;
  }

  get cbytes(): number {
    const state = this.#state;
    if (this.table.length === 0 || state.kind === "new") return 0;
    if (state.kind === "growing") return state.append - this.header.headerLength;
    return state.committed.tailStart - state.committed.headerLength;
  }

  get committedLength(): number {
    return committedOf(this.#state)?.end ?? 0;
  }

  deadBytes(): number {
    return this.cbytes - liveBytes(this);
  }

  chunkSource(entry: number, chunkIndex: number): ChunkSource {
    const offset = this.header.headerLength + entry;
    return new FrameChunkSource(this.#file, offset, this.cbytes - entry, this.origin.path, chunkIndex);
  }

  protected storeChunk(chunk: Uint8Array): number {
    this.beginChange();
    const state = this.#begin();
    const start = state.append;
    this.#file.writeAhead(start, chunk);
    const end = start + chunk.byteLength;
    state.append = end;
    state.lastStored = { start, end };
    this.#chunksEnd = Math.max(this.#chunksEnd, end);
    this.pendingBytes += chunk.byteLength;
    this.dirty = true;
    const entry = start - this.header.headerLength;
    this.noteChunk(entry, chunk);
    return entry;
  }

  protected releaseChunks(entries: readonly number[]): void {
    // Only the chunk stored last, and only before a commit reaches it, can be taken back.
    const state = this.#state;
    if (state.kind !== "growing") return;
    const { lastStored } = state;
    if (lastStored?.end === state.append && entries.includes(lastStored.start - this.header.headerLength)) {
      state.append = lastStored.start;
      state.lastStored = undefined;
    }
  }

  override setMetalayer(name: string, content: Uint8Array): void {
    const before = this.header.headerLength;
    super.setMetalayer(name, content);
    // There are no chunks if the header grew, so nothing lies where the next one goes.
    if (this.header.headerLength !== before) this.#forgetStored();
  }

  #forgetStored(): void {
    const committed = committedOf(this.#state);
    this.#state = committed === undefined ? { kind: "new" } : { kind: "settled", committed };
  }

  /** Makes ready for the first write after a commit. */
  #begin(): Growing {
    if (this.#state.kind === "growing") return this.#state;
    const { headerLength } = this.header;
    const committed = committedOf(this.#state);
    let append = headerLength;
    this.#file.hold(0, 0);
    if (committed !== undefined) {
      prepareToGrow(this.#file, this.origin, committed);
      // A header that grew while there were no chunks may reach past all that is committed.
      const end = Math.max(headerLength, committed.end);
      if (committed.empty && this.#fitsSector(end)) this.#file.hold(headerLength, committed.end);
      else append = end;
    }
    const growing: Growing = { kind: "growing", committed, append, lastStored: undefined };
    this.#state = growing;
    return growing;
  }

  /** Whether one write of that many bytes at the frame's start stays inside a sector. */
  #fitsSector(byteLength: number): boolean {
    return (this.position % SECTOR_LENGTH) + byteLength <= SECTOR_LENGTH;
  }

  /** @throws as {@link requireCommittedFile} */
  #requireNamed(): void {
    if (this.#place === undefined) requireNamed(this.#file, this.origin);
  }

  commit(): void {
    if (!this.dirty || this.origin.volatile) return;
    this.requireWritable("commit");
    this.syncChecksums();
    const trailer = encodeTrailer(this.vlmetalayers.layers);
    if (this.#needsNewFile(trailer.byteLength)) this.compact();
    else if (this.table.length === 0) this.#commitEmpty(trailer);
    else this.#commitChunks(trailer);
    this.#committedHere = true;
  }

  /** Whether the commit's last write would replace what readers read, or might be torn, and a rename can be had instead. */
  #needsNewFile(trailerLength: number): boolean {
    const committed = committedOf(this.#state);
    const { headerLength } = this.header;
    if (committed === undefined || ownFile(this.origin, this.position) === undefined) return false;
    // The next chunks would overwrite those that readers of the commit before still read.
    if (this.table.length === 0) return !committed.empty || !this.#fitsSector(headerLength + trailerLength);
    return headerLength !== committed.headerLength && !this.#fitsSector(Math.max(headerLength, committed.end));
  }

  #commitEmpty(trailer: Uint8Array): void {
    this.#requireSettledUnchanged();
    const { headerLength } = this.header;
    const frameLength = headerLength + trailer.byteLength;
    patchFrameHeader(this.encodedHeader, this.wholeHeader({ cbytes: 0, frameLength }));
    this.seal(trailer);
    const bytes = new Uint8Array(frameLength);
    bytes.set(this.encodedHeader);
    bytes.set(trailer, headerLength);
    this.#file.hold(0, 0);
    this.#file.writeHeader(bytes, frameLength);
    this.#file.flush();
    this.#chunksEnd = headerLength;
    this.#finish(headerLength, frameLength);
  }

  requireUnchanged(): void {
    const committed = committedOf(this.#state);
    if (committed !== undefined && !this.origin.volatile) requireCommittedFile(this.#file, this.origin, committed);
  }

  /** As {@link requireUnchanged}; a growing frame has been looked at when it began to grow. */
  #requireSettledUnchanged(): void {
    if (this.#state.kind === "settled") prepareToGrow(this.#file, this.origin, this.#state.committed);
  }

  #commitChunks(trailer: Uint8Array): void {
    const committed = committedOf(this.#state);
    const { headerLength } = this.header;
    const index = encodeIndex(this.table, this.environment);
    const tail = new Uint8Array(index.byteLength + trailer.byteLength);
    tail.set(index);
    tail.set(trailer, index.byteLength);
    const tailStart = this.#tailStart(tail.byteLength);
    const frameLength = tailStart + tail.byteLength;
    patchFrameHeader(this.encodedHeader, this.wholeHeader({ cbytes: tailStart - headerLength, frameLength }));
    this.seal(tail);
    this.#file.write(tailStart, tail);
    this.#file.flush();
    // Others may have had the file since the first chunk was stored.
    if (committed !== undefined) requireCommittedFile(this.#file, this.origin, committed);
    const whole = committed === undefined || committed.empty;
    const changed = whole ? headerLength : Math.max(FIXED_HEADER_LENGTH, this.changedHeaderLength);
    this.#file.writeHeader(this.encodedHeader.subarray(0, changed), frameLength);
    this.#file.flush();
    this.#finish(tailStart, frameLength);
  }

  /** Index and trailer go behind new chunks; without any, into the gap that earlier ones left before the committed ones. */
  #tailStart(byteLength: number): number {
    if (this.#state.kind === "settled" && !this.#state.committed.empty) {
      const { committed } = this.#state;
      // With special chunks only, none has been stored.
      const chunksEnd = Math.max(this.#chunksEnd, this.header.headerLength);
      if (chunksEnd + byteLength <= committed.tailStart) {
        prepareToGrow(this.#file, this.origin, committed);
        return chunksEnd;
      }
    }
    return this.#begin().append;
  }

  /** After the header has been made durable. */
  #finish(tailStart: number, end: number): void {
    this.#place?.take();
    this.#place = undefined;
    this.#requireNamed();
    if (this.#file.size() > end) this.#file.truncate(end);
    this.#settle(tailStart, end);
  }

  refresh(): void {
    if (this.origin.volatile) return;
    this.requireCommitted("refresh");
    const { backend, path, mode, durability } = this.origin;
    const reopened = backend !== undefined && path !== undefined && mode !== "c";
    // A new handle, because the file may have been replaced since.
    const file = reopened
      ? new FrameFile(openChecked(backend, path, mode === "r" ? "r" : "r+"), this.position, durability)
      : this.#file;
    let parts: FrameParts;
    try {
      const request = { path, environment: this.environment, sparse: false };
      parts = readSteadily(file.handle, this.position, () => readFrameParts(file, request));
      this.load(parts);
    } catch (error) {
      if (reopened) file.close();
      throw error;
    }
    const old = this.#file;
    this.#file = file;
    this.#noteOpened(parts.header);
    if (reopened) old.close();
  }

  reopen(): void {
    if (this.origin.volatile || this.#state.kind === "new") throw nothingToReopen(this.origin.path);
    this.dirty = false;
    this.refresh();
  }

  compact(): void {
    this.requireWritable("compact");
    if (this.origin.volatile) {
      const { path = "memory" } = this.origin;
      const inMemory = this.#copyTo(memoryHandle(new Uint8Array(0), { mode: "r+", path }));
      this.#file.close();
      this.#adopt(inMemory);
      return;
    }
    const { backend, path } = requireOwnFile(this.origin, this.position);
    this.#requireSettledUnchanged();
    replaceFile(backend, path, this.origin.durability, (handle) => {
      const copy = this.#copyTo(handle);
      copy.commit();
      this.#requireSettledUnchanged();
    });
    this.#place?.abandon();
    this.#place = undefined;
    const old = this.#file;
    this.#file = new FrameFile(openChecked(backend, path, "r+"), 0, this.origin.durability);
    old.close();
    const parts = readFrameParts(this.#file, { path, environment: this.environment, sparse: false });
    this.load(parts);
    this.#noteOpened(parts.header);
  }

  #copyTo(handle: CheckedHandle): ContiguousFrame {
    const { environment } = this;
    const context = { origin: { ...this.origin, backend: undefined, mode: "r+" as const }, environment };
    const header = emptyHeader(this.header);
    const copy = ContiguousFrame.create(handle, 0, context, header, this.metalayers.layers);
    copyFrame(this, copy, environment.engine);
    return copy;
  }

  /** Takes over the file and state of a volatile copy. */
  #adopt(copy: ContiguousFrame): void {
    this.#file = copy.#file;
    this.#state = copy.#state;
    this.#chunksEnd = copy.#chunksEnd;
    this.table = copy.table.movedTo(this);
    this.generation++;
    this.rereadChecksums();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    try {
      this.commit();
      if (this.#committedHere && givesBack(committedOf(this.#state), this.#chunksEnd)) {
        this.touch();
        this.commit();
      }
    } finally {
      this.#letGo();
    }
  }

  discard(): void {
    this.closed = true;
    this.#letGo();
  }

  #letGo(): void {
    try {
      this.#file.close();
    } finally {
      this.#place?.abandon();
    }
  }
}
