/** The state of an open super-chunk; `SChunk` is its public face, the other files of this folder work on it. @module */
import { Chunk } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { chunkFromBytes } from "../chunk/chunk-source.js";
import { type CParams, type ResolvedCParams, resolveCParams } from "../chunk/cparams.js";
import { encodeSpecialChunk } from "../chunk/special-chunk.js";
import type { BlockGeometry } from "../codec/codec.js";
import { ArgumentError, FormatError, IoError } from "../errors.js";
import { requireChecksum } from "../frame/copy-frame.js";
import type { Frame } from "../frame/frame.js";
import { requireAllocation } from "../frame/frame-parts.js";
import { entrySpecial, type IndexedSpecial } from "../frame/offsets-index.js";
import { ChunkCache } from "./chunk-cache.js";
import { ChunkSizes } from "./chunk-sizes.js";
import { cparamsOfHeader } from "./frame-cparams.js";

/** What a super-chunk is told at creation and no frame keeps. */
export interface SuperChunkSettings {
  readonly environment: ChunkEnvironment;
  /** `cparams` as given; what it lacks is taken from the header. */
  readonly cparams?: Partial<CParams> | undefined;
  /** Uncompressed bytes per chunk, for the first one; later the header says it. */
  readonly chunksize?: number | undefined;
  /** Whether the typesize was chosen; if not, the first typed array that is appended decides. */
  readonly typesizeChosen: boolean;
  /** Commit when this many bytes of chunks wait; undefined = only when asked to. */
  readonly commitEvery?: number | undefined;
  /** Whether chunks are held against their checksums when they are opened. */
  readonly checkChecksums?: boolean | undefined;
}

/** See the module's description. */
export class SuperChunkState {
  readonly frame: Frame;
  readonly sizes: ChunkSizes;
  readonly cache: ChunkCache = new ChunkCache();
  readonly settings: SuperChunkSettings;
  environment: ChunkEnvironment;
  closed = false;
  #cparams: ResolvedCParams | undefined;
  #generation: number;

  constructor(frame: Frame, settings: SuperChunkSettings) {
    this.frame = frame;
    this.settings = settings;
    this.sizes = new ChunkSizes(frame);
    this.#generation = frame.generation;
    this.environment = { ...settings.environment, superChunkTypesize: frame.header.typesize };
  }

  /** @throws IoError `BLOSC2_IO_CLOSED` */
  requireOpen(operation: string): void {
    if (!this.closed) return;
    const path = this.frame.origin.path;
    throw new IoError("BLOSC2_IO_CLOSED", `${path ?? "super-chunk"}: ${operation}: the super-chunk has been closed`, {
      operation,
      path,
    });
  }

  /** @throws IoError `BLOSC2_IO_CLOSED`, `BLOSC2_IO_READ_ONLY`, `BLOSC2_IO_HANDLE_FAILED` */
  requireWritable(operation: string): void {
    this.requireOpen(operation);
    this.frame.requireWritable(operation);
  }

  /** @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` */
  requireChunk(chunkIndex: number, end: number = this.frame.index.length): void {
    if (Number.isInteger(chunkIndex) && chunkIndex >= 0 && chunkIndex < end) return;
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_OUT_OF_RANGE",
      `chunk index: expected an integer in 0..${end - 1} (there are ${this.frame.index.length} chunks), found ${chunkIndex}`,
      { parameter: "chunkIndex", expected: `0..${end - 1}`, found: chunkIndex },
    );
  }

  requireAllocation(byteLength: number, structure: string): void {
    requireAllocation(this.environment, structure, byteLength);
  }

  /** The parameters to compress with. @throws UnsupportedError when codec or a filter is not registered or only reads */
  get cparams(): ResolvedCParams {
    if (this.#cparams === undefined) {
      const { codecs, filters } = this.environment;
      const wanted = { ...cparamsOfHeader(this.frame.header), prefilter: this.settings.cparams?.prefilter };
      this.#cparams = resolveCParams(wanted, codecs, filters);
    }
    return this.#cparams;
  }

  /** Takes the typesize of the first data, if none was chosen. */
  adoptTypesize(data: ArrayBufferView): void {
    const { header, index } = this.frame;
    if (this.settings.typesizeChosen || index.length > 0) return;
    const typesize = elementSize(data);
    if (typesize === header.typesize) return;
    header.typesize = typesize;
    this.#cparams = undefined;
    this.environment = { ...this.environment, superChunkTypesize: typesize };
  }

  /** Sets the place of blocks in an array, which some codecs and filters need. */
  setGeometry(geometry: BlockGeometry | undefined): void {
    this.environment = { ...this.environment, geometry };
    this.cache.clear();
  }

  /** An open chunk, checked against what the frame says about it. */
  openChunk(chunkIndex: number): Chunk {
    this.requireChunk(chunkIndex);
    if (this.frame.generation !== this.#generation) {
      this.cache.clear();
      this.#generation = this.frame.generation;
    }
    const entry = this.frame.index.at(chunkIndex);
    const special = entrySpecial(entry);
    if (special !== undefined) {
      return Chunk.open(chunkFromBytes(this.specialChunk(chunkIndex, special)), this.environment);
    }
    let chunk = this.cache.get(entry);
    if (chunk === undefined) {
      const source = this.frame.chunkSource(entry, chunkIndex);
      chunk = Chunk.open(source, this.environment);
      if (this.settings.checkChecksums === true) requireChecksum(source, this.frame.checksums?.get(entry));
      this.cache.set(entry, chunk);
    }
    if (!this.sizes.variable) {
      const expected = this.sizes.nbytes(chunkIndex);
      if (chunk.nbytes !== expected) {
        const { location } = this.frame.chunkSource(entry, chunkIndex);
        throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
          ...location,
          field: "nbytes",
          offset: 4,
          expected: `${expected}, from the frame header`,
          found: chunk.nbytes,
        });
      }
    }
    return chunk;
  }

  /** The bytes of a chunk that only an index entry stands for. @throws FormatError */
  specialChunk(chunkIndex: number, special: IndexedSpecial): Uint8Array {
    const nbytes = this.sizes.nbytes(chunkIndex);
    const { typesize } = this.frame.header;
    // Uninitialised content may be anything; zeros have no rule about the typesize.
    const kind = special === "uninit" && nbytes % typesize !== 0 ? "zeros" : special;
    if (kind === "nan" && ((typesize !== 4 && typesize !== 8) || nbytes % typesize !== 0)) {
      throw new FormatError("BLOSC2_FORMAT_INVALID", {
        path: this.frame.origin.path,
        structure: `chunk ${chunkIndex}`,
        position: this.frame.position,
        field: "typesize",
        expected: "4 or 8, dividing the chunk's size, for a chunk of NaN",
        found: typesize,
      });
    }
    return encodeSpecialChunk(kind, nbytes, typesize);
  }

  /** Commits if enough is waiting. */
  afterChange(): void {
    const { commitEvery } = this.settings;
    if (commitEvery !== undefined && this.frame.pendingBytes >= commitEvery) this.frame.commit();
  }
}

/** Bytes per element of a typed array; 1 for a DataView. */
export function elementSize(data: ArrayBufferView): number {
  return (data as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
}

/** The bytes under a view. @throws ArgumentError for anything else */
export function requireBytes(data: ArrayBufferView, parameter: string): Uint8Array {
  if (!ArrayBuffer.isView(data)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${parameter} must be a typed array or a DataView`, {
      parameter,
    });
  }
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
