/** What contiguous and sparse frames share: header, table of chunks and metalayers in memory, and their changes. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { type ChunkChecksum, checksumOf } from "../chunk/chunk-sum.js";
import { ArgumentError, IoError } from "../errors.js";
import {
  CHECKSUMS_NAME,
  ChunkChecksums,
  type ChunkEntries,
  type ChunkSums,
  encodeChecksums,
  readChecksums,
  requireSumOf,
  StoredChecksums,
} from "./chunk-checksums.js";
import type { ChunkTable } from "./chunk-table.js";
import { readStoredChunk } from "./copy-frame.js";
import { EditableChunkTable } from "./editable-chunk-table.js";
import type { Frame, FrameContent, FrameContext, FrameOrigin } from "./frame.js";
import { encodeFrameHeader, type FrameHeader, type FrameTraits } from "./frame-header.js";
import { MAX_METALAYERS, MAX_VLMETALAYERS_WRITTEN } from "./frame-layout.js";
import type { FrameParts } from "./frame-parts.js";
import { sealFrame } from "./frame-sum.js";
import { MetalayerList, requireMetalayerName } from "./metalayers.js";
import { metalayerViews } from "./new-frame-parts.js";
import { entrySpecial, type IndexedSpecial, specialEntry } from "./offsets-index.js";
import { type ReadyChunk, type StoringFrame, specialAsBytes, storedForm } from "./stored-form.js";

function namedTwice(entries: Float64Array, entry: number): boolean {
  return entries.indexOf(entry) !== entries.lastIndexOf(entry);
}

/** The in-memory side of {@link Frame}. */
export abstract class FrameBase implements Frame {
  readonly origin: FrameOrigin;
  protected readonly environment: ChunkEnvironment;
  header!: FrameTraits;
  metalayers!: MetalayerList;
  vlmetalayers!: MetalayerList;
  protected table!: EditableChunkTable;
  dirty = false;
  pendingBytes = 0;
  generation = 0;
  /** The header as it was read or last encoded; metalayer contents are views of it. */
  protected encodedHeader!: Uint8Array;
  /** Bytes of the header, from its start, that differ from what is committed; 0 if only the fixed part can. */
  protected changedHeaderLength = 0;
  protected closed = false;
  /** Of a frame that can be changed. */
  #checksums: ChunkChecksums | undefined;
  /** Of one that can't, once they are asked for. */
  #stored: StoredChecksums | undefined;

  constructor(context: FrameContext, parts: FrameParts) {
    this.origin = context.origin;
    this.environment = context.environment;
    this.load(parts);
  }

  abstract readonly sparse: boolean;
  abstract readonly position: number;
  abstract readonly cbytes: number;
  abstract readonly committedLength: number;
  abstract deadBytes(): number;
  abstract chunkSource(entry: number, chunkIndex: number): ChunkSource;
  abstract requireUnchanged(): void;
  abstract commit(): void;
  abstract refresh(): void;
  abstract compact(): void;
  abstract reopen(): void;
  abstract close(): void;
  abstract discard(): void;

  /** Stores a chunk and returns its entry. */
  protected abstract storeChunk(chunk: Uint8Array): number;
  /**
   * Says that no entry of the table stands for these stored chunks any longer. When this throws, and the frame takes changes still, none of
   * them has been given up.
   */
  protected abstract releaseChunks(entries: readonly number[]): void;

  get chunks(): ChunkTable {
    return this.table;
  }

  /** Takes over what was read, or nothing of it. */
  protected load(parts: FrameParts): void {
    const { index } = parts;
    const vlmetalayers = new MetalayerList(parts.vlmetalayers);
    let checksums: ChunkChecksums | undefined;
    if (this.origin.mode !== "r") {
      // Before anything is changed: an index that turned out to be bad halfway through a change would come too late, and decoding
      // takes the engine, which holds the chunk that is to be stored.
      index.entries();
      // While the index is as it was when the checksums were written; a reader's stays so.
      checksums = this.#readChecksums(vlmetalayers, index);
    }
    this.generation++;
    this.header = parts.header;
    this.table = new EditableChunkTable(this, index, parts.header);
    this.encodedHeader = parts.encodedHeader;
    this.metalayers = new MetalayerList(parts.metalayers);
    this.vlmetalayers = vlmetalayers;
    this.changedHeaderLength = 0;
    this.#checksums = checksums;
    this.#stored = undefined;
  }

  /** Takes the checksums from their vlmetalayer again, for an index whose entries are others now. */
  protected rereadChecksums(): void {
    this.#checksums = this.#readChecksums(this.vlmetalayers, this.table);
  }

  get checksums(): ChunkSums | undefined {
    if (this.origin.mode !== "r") return this.#kept();
    this.#stored ??= readChecksums(this.vlmetalayers, this.origin.path, this.environment);
    return this.#stored;
  }

  get checked(): boolean {
    return this.environment.checksum;
  }

  sumOf(entry: number, chunkIndex: number): ChunkChecksum | undefined {
    const sums = this.checked ? this.checksums : undefined;
    return sums === undefined ? undefined : requireSumOf(sums, this, entry, chunkIndex);
  }

  #kept(): ChunkChecksums | undefined {
    if (this.vlmetalayers.get(CHECKSUMS_NAME) === undefined) return undefined;
    this.#checksums ??= this.#readChecksums(this.vlmetalayers, this.table);
    return this.#checksums;
  }

  #readChecksums(vlmetalayers: MetalayerList, entries: ChunkEntries): ChunkChecksums | undefined {
    const stored = readChecksums(vlmetalayers, this.origin.path, this.environment);
    return stored === undefined ? undefined : new ChunkChecksums(stored, entries);
  }

  /** Notes the sum of a chunk that was stored, where sums are kept. */
  protected noteChunk(entry: number, chunk: Uint8Array): void {
    this.#kept()?.note(entry, checksumOf(chunk, this.environment.engine));
  }

  /** Puts the sum over the description into the trailer, where sums are kept. `tail` is index and trailer. */
  protected seal(tail: Uint8Array): void {
    if (this.vlmetalayers.get(CHECKSUMS_NAME) !== undefined)
      sealFrame(this.encodedHeader, tail, this.environment.engine);
  }

  keepChecksums(): void {
    this.requireWritable("keep checksums");
    if (this.vlmetalayers.get(CHECKSUMS_NAME) === undefined && this.vlmetalayers.count >= MAX_VLMETALAYERS_WRITTEN) {
      throw new ArgumentError(
        "BLOSC2_LIMIT_EXCEEDED",
        `checksums need a vlmetalayer, and the frame has ${MAX_VLMETALAYERS_WRITTEN}, the most that C-Blosc2 writes`,
        { parameter: "checksum", expected: MAX_VLMETALAYERS_WRITTEN, found: MAX_VLMETALAYERS_WRITTEN + 1 },
      );
    }
    const known = this.#kept();
    const kept = known ?? new ChunkChecksums(new StoredChecksums(), this.table);
    let added = known === undefined;
    for (let i = 0; i < this.table.length; i++) {
      const entry = this.table.at(i);
      if (entry < 0 || kept.of(entry) !== undefined) continue;
      kept.note(entry, checksumOf(readStoredChunk(this.chunkSource(entry, i)), this.environment.engine));
      added = true;
    }
    if (!added) return;
    this.#checksums = kept;
    this.vlmetalayers.set(CHECKSUMS_NAME, encodeChecksums(kept, this.table, this.environment));
    this.touch();
  }

  syncChecksums(): void {
    const checksums = this.dirty ? this.#kept() : undefined;
    if (checksums === undefined) return;
    this.vlmetalayers.set(CHECKSUMS_NAME, encodeChecksums(checksums, this.table, this.environment));
  }

  /** Does what may fail, and leaves the frame as it is then, before chunks are given up for others. */
  protected beginChange(): void {
    this.requireWritable("store chunk");
  }

  /** Notes a change. */
  protected touch(): void {
    this.dirty = true;
  }

  insertChunk(chunkIndex: number, chunk: ReadyChunk, chunksize: number): void {
    const { table } = this;
    const { nbytes, vlBlocks } = chunk.header;
    table.begin(vlBlocks, chunksize);
    if (!table.variable && !table.fitsInserted(chunkIndex, nbytes)) this.#becomeVariable();
    table.insert(chunkIndex, this.#store(chunk), nbytes);
    this.touch();
  }

  replaceChunk(chunkIndex: number, chunk: ReadyChunk): void {
    const { table } = this;
    const { nbytes, vlBlocks } = chunk.header;
    this.beginChange();
    if (!table.variable && !table.fitsReplaced(chunkIndex, nbytes)) this.#becomeVariable();
    // The size is looked up in the old chunk's header, and the old bytes go first: a chunk that is replaced again and again before a
    // commit takes its room only once.
    const oldNbytes = table.nbytesOf(chunkIndex);
    this.#release([chunkIndex]);
    table.replace(chunkIndex, this.#store(chunk), oldNbytes, nbytes);
    if (table.length === 1) table.restart(vlBlocks);
    this.touch();
  }

  removeChunk(chunkIndex: number): void {
    const { table } = this;
    const nbytes = table.nbytesOf(chunkIndex);
    this.#release([chunkIndex]);
    table.remove(chunkIndex, nbytes);
    this.touch();
  }

  reorder(order: ArrayLike<number>): void {
    const { table } = this;
    if (!table.variable && !table.fitsReordered(order)) this.#becomeVariable();
    table.reorder(order);
    this.touch();
  }

  remap(sources: ArrayLike<number>, chunksize: number): void {
    const { table } = this;
    table.begin(table.vlBlocks, chunksize);
    const used = new Uint8Array(table.length);
    const entries = new Float64Array(sources.length);
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i] as number;
      if (source >= 0) used[source] = 1;
      entries[i] = source < 0 ? specialEntry("zeros") : table.at(source);
    }
    const unused: number[] = [];
    for (let i = 0; i < used.length; i++) if (used[i] === 0) unused.push(i);
    this.#release(unused);
    table.replaceAll(entries);
    this.touch();
  }

  fillSpecial(kind: IndexedSpecial, chunksize: number, nbytes: number): void {
    this.table.fill(specialEntry(kind), chunksize, nbytes);
    this.touch();
  }

  takeChunk(chunk: Uint8Array | number): void {
    this.table.append(typeof chunk === "number" ? chunk : this.storeChunk(chunk));
  }

  takeOver({ chunks, facts, vlmetalayers }: FrameContent): void {
    for (const chunk of chunks) this.takeChunk(chunk);
    this.table.state(facts);
    for (const { name, content } of vlmetalayers) this.vlmetalayers.set(name, content);
    this.touch();
    // Known from here on: later the engine, which decoding them takes, may hold a chunk that is to be stored.
    this.syncChecksums();
  }

  #storing(): StoringFrame {
    return { typesize: this.header.typesize, variable: this.table.variable, environment: this.environment };
  }

  #store(chunk: ReadyChunk): number {
    const { special, nbytes } = chunk.header;
    // Nearly all: nothing is made for them.
    if (special === undefined || nbytes === 0) return this.storeChunk(chunk.bytes);
    const form = storedForm(chunk, this.#storing());
    return typeof form === "number" ? form : this.storeChunk(form);
  }

  /** Lets chunks differ in size. Bare special entries become stored chunks, which have their size in them. */
  #becomeVariable(): void {
    const { table } = this;
    const { typesize } = this.header;
    for (let i = 0; i < table.length; i++) {
      const special = entrySpecial(table.at(i));
      if (special === undefined) continue;
      table.move(i, this.storeChunk(specialAsBytes(special, table.nbytesOf(i), typesize, this.#storing())));
    }
    table.becomeVariable();
  }

  /** Gives the bytes of chunks up; in a sparse frame not while another entry names the same file. */
  #release(chunkIndexes: readonly number[]): void {
    const { table } = this;
    const released: number[] = [];
    for (const chunkIndex of chunkIndexes) {
      const entry = table.at(chunkIndex);
      if (entry >= 0 && !(this.sparse && namedTwice(table.entries(), entry))) released.push(entry);
    }
    if (released.length > 0) this.releaseChunks(released);
  }

  setTypesize(typesize: number): void {
    this.header = { ...this.header, typesize };
  }

  /** The whole header, for a commit. */
  protected wholeHeader(place: { readonly cbytes: number; readonly frameLength: number }): FrameHeader {
    const { nbytes, chunksize, variableChunks, vlBlocks } = this.table;
    const hasVlmeta = this.vlmetalayers.count > 0;
    return { ...this.header, sparse: this.sparse, nbytes, chunksize, variableChunks, vlBlocks, hasVlmeta, ...place };
  }

  setVlMetalayer(name: string, content: Uint8Array): void {
    this.vlmetalayers.set(name, content);
    this.touch();
  }

  deleteVlMetalayer(name: string): boolean {
    const deleted = this.vlmetalayers.delete(name);
    if (deleted) this.touch();
    return deleted;
  }

  requireWritable(operation: string): void {
    const { path, mode } = this.origin;
    if (mode === "r") {
      throw new IoError("BLOSC2_IO_READ_ONLY", `${path ?? "frame"}: ${operation}: opened for reading only (mode "r")`, {
        operation,
        path,
        mode,
      });
    }
  }

  setMetalayer(name: string, content: Uint8Array): void {
    this.requireWritable("set metalayer");
    requireMetalayerName(name);
    const old = this.metalayers.get(name);
    if (old !== undefined) {
      if (content.byteLength > old.byteLength) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `metalayer "${name}" has ${old.byteLength} bytes and can't grow to ${content.byteLength}; use a vlmetalayer`,
          { parameter: "content", expected: old.byteLength, found: content.byteLength },
        );
      }
      old.set(content);
      const end = old.byteOffset - this.encodedHeader.byteOffset + old.byteLength;
      this.changedHeaderLength = Math.max(this.changedHeaderLength, end);
    } else {
      this.#addMetalayer(name, content);
    }
    this.touch();
  }

  #addMetalayer(name: string, content: Uint8Array): void {
    if (this.table.length > 0) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `metalayer "${name}" can't be added: the frame has chunks already; use a vlmetalayer`,
        { parameter: "name", found: name },
      );
    }
    if (this.metalayers.count >= MAX_METALAYERS) {
      throw new ArgumentError("BLOSC2_LIMIT_EXCEEDED", `metalayer "${name}": a frame holds at most ${MAX_METALAYERS}`, {
        parameter: "name",
        expected: MAX_METALAYERS,
        found: this.metalayers.count + 1,
      });
    }
    const header = this.wholeHeader({ cbytes: 0, frameLength: 0 });
    this.encodedHeader = encodeFrameHeader(header, [...this.metalayers.layers, { name, content }]);
    this.header = { ...this.header, headerLength: header.headerLength };
    this.metalayers = new MetalayerList(metalayerViews(this.encodedHeader));
    this.changedHeaderLength = this.encodedHeader.byteLength;
  }

  /** @throws ArgumentError while there are uncommitted changes */
  protected requireCommitted(operation: string): void {
    if (this.dirty && !this.origin.volatile) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `${operation}: there are uncommitted changes; commit() first`,
        {
          parameter: "frame",
        },
      );
    }
  }
}
