/** What contiguous and sparse frames share: header, index and metalayers in memory. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import { ArgumentError, IoError } from "../errors.js";
import { CHECKSUMS_NAME, ChunkChecksums, encodeChecksums, readChecksums } from "./chunk-checksums.js";
import { readStoredChunk } from "./copy-frame.js";
import type { Frame, FrameContext, FrameOrigin } from "./frame.js";
import { encodeFrameHeader, type FrameHeader } from "./frame-header.js";
import { FIXED_HEADER_LENGTH, MAX_METALAYERS, MAX_VLMETALAYERS_WRITTEN } from "./frame-layout.js";
import type { FrameParts } from "./frame-parts.js";
import {
  decodeMetalayers,
  type Metalayer,
  MetalayerList,
  requireMetalayerName,
  structureReader,
} from "./metalayers.js";
import { OffsetsIndex } from "./offsets-index.js";

/** The parts of a frame that has no chunks yet. */
export function newFrameParts(header: FrameHeader, metalayers: readonly Metalayer[]): FrameParts {
  const encodedHeader = encodeFrameHeader(header, metalayers);
  return {
    header,
    encodedHeader,
    metalayers: metalayerViews(encodedHeader),
    vlmetalayers: [],
    index: new OffsetsIndex(),
  };
}

function metalayerViews(encodedHeader: Uint8Array): Metalayer[] {
  const reader = structureReader(encodedHeader, undefined, "frame header", 0);
  const end = encodedHeader.byteLength;
  return decodeMetalayers(reader, { start: FIXED_HEADER_LENGTH, end, maxCount: MAX_METALAYERS });
}

/** The in-memory side of {@link Frame}. */
export abstract class FrameBase implements Frame {
  readonly origin: FrameOrigin;
  protected readonly environment: ChunkEnvironment;
  header!: FrameHeader;
  index!: OffsetsIndex;
  metalayers!: MetalayerList;
  vlmetalayers!: MetalayerList;
  dirty = false;
  pendingBytes = 0;
  generation = 0;
  /** The header as it was read or last encoded; metalayer contents are views of it. */
  protected encodedHeader!: Uint8Array;
  /** Bytes of the header, from its start, that differ from what is committed; 0 if only the fixed part can. */
  protected changedHeaderLength = 0;
  protected closed = false;
  #checksums: ChunkChecksums | undefined;

  constructor(context: FrameContext, parts: FrameParts) {
    this.origin = context.origin;
    this.environment = context.environment;
    this.load(parts);
  }

  abstract readonly sparse: boolean;
  abstract readonly position: number;
  abstract readonly cbytes: number;
  abstract deadBytes(): number;
  abstract chunkSource(entry: number, chunkIndex: number): ChunkSource;
  abstract storeChunk(chunk: Uint8Array): number;
  abstract releaseChunk(entry: number): void;
  abstract commit(): void;
  abstract refresh(): void;
  abstract compact(): void;
  abstract close(): void;
  abstract discard(): void;

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
    this.encodedHeader = parts.encodedHeader;
    this.metalayers = new MetalayerList(parts.metalayers);
    this.vlmetalayers = vlmetalayers;
    this.index = index;
    this.changedHeaderLength = 0;
    this.#checksums = checksums;
  }

  /** Takes the checksums from their vlmetalayer again, for an index whose entries are others now. */
  protected rereadChecksums(): void {
    this.#checksums = this.#readChecksums(this.vlmetalayers, this.index);
  }

  get checksums(): ChunkChecksums | undefined {
    if (this.vlmetalayers.get(CHECKSUMS_NAME) === undefined) return undefined;
    this.#checksums ??= this.#readChecksums(this.vlmetalayers, this.index);
    return this.#checksums;
  }

  #readChecksums(vlmetalayers: MetalayerList, index: OffsetsIndex): ChunkChecksums | undefined {
    return readChecksums(vlmetalayers, index, this.origin.path, this.environment);
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
    const known = this.checksums;
    const kept = known ?? new ChunkChecksums([], this.index);
    let added = known === undefined;
    for (let i = 0; i < this.index.length; i++) {
      const entry = this.index.at(i);
      if (entry < 0 || kept.get(entry) !== undefined) continue;
      kept.note(entry, readStoredChunk(this.chunkSource(entry, i)));
      added = true;
    }
    if (!added) return;
    this.#checksums = kept;
    this.vlmetalayers.set(CHECKSUMS_NAME, encodeChecksums(kept, this.index, this.environment));
    this.touch();
  }

  syncChecksums(): void {
    const { checksums } = this;
    if (!this.dirty || checksums === undefined) return;
    this.vlmetalayers.set(CHECKSUMS_NAME, encodeChecksums(checksums, this.index, this.environment));
  }

  touch(): void {
    this.dirty = true;
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
    if (this.index.length > 0) {
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
    this.encodedHeader = encodeFrameHeader(this.header, [...this.metalayers.layers, { name, content }]);
    this.metalayers = new MetalayerList(metalayerViews(this.encodedHeader));
    this.changedHeaderLength = this.encodedHeader.byteLength;
  }

  /** @throws ArgumentError while there are uncommitted changes */
  protected requireCommitted(operation: string): void {
    if (this.dirty && !this.origin.volatile) {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${operation}: there are uncommitted changes; flush() first`, {
        parameter: "frame",
      });
    }
  }
}
