/** A frame in one file, for programs that only read: nothing of what writes comes along with it. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ChunkSource } from "../chunk/chunk-source.js";
import type { ChunkChecksum } from "../chunk/chunk-sum.js";
import type { IoHandle } from "../io/backend.js";
import { checkHandle } from "../io/checked-handle.js";
import { readChecksums, requireSumOf, type StoredChecksums } from "./chunk-checksums.js";
import { ChunkTable } from "./chunk-table.js";
import type { FrameOrigin, FrameReader } from "./frame.js";
import { FrameFile } from "./frame-file.js";
import type { FrameTraits } from "./frame-header.js";
import { type FrameParts, readFrameParts } from "./frame-parts.js";
import { FrameChunkSource } from "./frame-source.js";
import { MetalayerList } from "./metalayers.js";
import { openSteadily, readSteadily, requireOffset } from "./open-steadily.js";

/** How {@link ReadOnlyFrame.open} reads. */
export interface ReadOnlyFrameOptions {
  /** Absolute position of the frame's first byte in the file. */
  readonly offset: number;
  /** For messages. */
  readonly path: string | undefined;
  readonly environment: ChunkEnvironment;
}

/** See the module's description. */
export class ReadOnlyFrame implements FrameReader {
  readonly sparse = false;
  readonly origin: FrameOrigin;
  header!: FrameTraits;
  chunks!: ChunkTable;
  metalayers!: MetalayerList;
  vlmetalayers!: MetalayerList;
  generation = 0;
  readonly #file: FrameFile;
  readonly #environment: ChunkEnvironment;
  #cbytes = 0;
  #checksums: StoredChecksums | undefined;

  private constructor(file: FrameFile, options: ReadOnlyFrameOptions) {
    this.#file = file;
    this.#environment = options.environment;
    this.origin = { path: options.path, backend: undefined, mode: "r", volatile: false };
    this.#load(this.#read());
  }

  /**
   * Opens the contiguous frame at `offset` of an open file. The frame closes the handle, also when opening fails.
   *
   * @throws FormatError; IoError; ArgumentError
   */
  static open(handle: IoHandle, options: ReadOnlyFrameOptions): ReadOnlyFrame {
    requireOffset(options.offset);
    const checked = checkHandle(handle, { path: options.path ?? "frame", mode: "r" });
    return openSteadily(
      checked,
      options.offset,
      () => new ReadOnlyFrame(new FrameFile(checked, options.offset), options),
    );
  }

  #read(): FrameParts {
    const { path } = this.origin;
    return readFrameParts(this.#file, { path, environment: this.#environment, sparse: false });
  }

  #load(parts: FrameParts): void {
    this.generation++;
    this.header = parts.header;
    this.metalayers = new MetalayerList(parts.metalayers);
    this.vlmetalayers = new MetalayerList(parts.vlmetalayers);
    this.chunks = new ChunkTable(this, parts.index, parts.header);
    this.#cbytes = parts.header.cbytes;
    this.#checksums = undefined;
  }

  get position(): number {
    return this.#file.position;
  }

  get cbytes(): number {
    return this.chunks.length === 0 ? 0 : this.#cbytes;
  }

  get checksums(): StoredChecksums | undefined {
    this.#checksums ??= readChecksums(this.vlmetalayers, this.origin.path, this.#environment);
    return this.#checksums;
  }

  get checked(): boolean {
    return this.#environment.checksum;
  }

  sumOf(entry: number, chunkIndex: number): ChunkChecksum | undefined {
    const sums = this.checked ? this.checksums : undefined;
    return sums === undefined ? undefined : requireSumOf(sums, this, entry, chunkIndex);
  }

  chunkSource(entry: number, chunkIndex: number): ChunkSource {
    const offset = this.header.headerLength + entry;
    return new FrameChunkSource(this.#file, offset, this.cbytes - entry, this.origin.path, chunkIndex);
  }

  refresh(): void {
    this.#load(readSteadily(this.#file.handle, this.position, () => this.#read()));
  }

  close(): void {
    this.#file.close();
  }

  discard(): void {
    this.#file.close();
  }
}
