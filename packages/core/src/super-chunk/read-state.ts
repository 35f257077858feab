/** What reading needs to know of an open super-chunk. @module */
import type { BoxMemory, TargetBoxes } from "../block/box-memory.js";
import { Chunk, expectSum, settleSum } from "../chunk/chunk.js";
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import { chunkFromBytes } from "../chunk/chunk-source.js";
import { encodeSpecialChunk } from "../chunk/special-chunk.js";
import type { BlockGeometry } from "../codec/codec.js";
import { ArgumentError, FormatError, IoError } from "../errors.js";
import type { FrameReader } from "../frame/frame.js";
import { requireAllocation } from "../frame/frame-parts.js";
import { entrySpecial, type IndexedSpecial } from "../frame/offsets-index.js";
import { ChunkCache } from "./chunk-cache.js";
import { FetchedChunks, type Recipe, recipeError, recipeOf } from "./recipe.js";

/** What a super-chunk is told when it is opened for reading. */
export interface ReadSettings {
  readonly environment: ChunkEnvironment;
  /** Whether chunks are given out although they are not the frame's content, as those of a recipe. */
  readonly anyContent?: boolean | undefined;
}

/** The state of a super-chunk that is read. */
export class ReadState {
  readonly frame: FrameReader;
  readonly cache: ChunkCache;
  readonly settings: ReadSettings;
  environment: ChunkEnvironment;
  closed = false;
  #generation: number;
  /** What the frame is, if its chunks are not, or not all, its content. */
  #recipe: Recipe | undefined;
  #fetched: FetchedChunks | undefined;

  constructor(frame: FrameReader, settings: ReadSettings) {
    this.frame = frame;
    this.settings = settings;
    this.cache = new ChunkCache(settings.environment.blockCacheBytes);
    this.#generation = frame.generation;
    this.environment = { ...settings.environment, superChunkTypesize: frame.header.typesize };
    this.#recipe = this.#recipeOf();
  }

  #recipeOf(): Recipe | undefined {
    return this.settings.anyContent === true ? undefined : recipeOf(this.frame);
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

  /** Does what reads the frame. @throws IoError `BLOSC2_IO_CLOSED` */
  reading<T>(operation: string, read: () => T): T {
    this.requireOpen(operation);
    return read();
  }

  /** Reads the frame's description again. */
  refresh(): void {
    this.frame.refresh();
    this.forget();
  }

  /** Forgets what was known of a frame that has been read again. */
  forget(): void {
    this.#recipe = this.#recipeOf();
    this.#fetched = undefined;
    const { typesize } = this.frame.header;
    if (this.environment.superChunkTypesize !== typesize) {
      this.environment = { ...this.environment, superChunkTypesize: typesize };
    }
  }

  /** Releases the frame. Idempotent. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.cache.clear();
    this.closeFrame();
  }

  protected closeFrame(): void {
    this.frame.close();
  }

  /** @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` */
  requireChunk(chunkIndex: number, end: number = this.frame.chunks.length): void {
    if (Number.isInteger(chunkIndex) && chunkIndex >= 0 && chunkIndex < end) return;
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_OUT_OF_RANGE",
      `chunk index: expected an integer in 0..${end - 1} (there are ${this.frame.chunks.length} chunks), found ${chunkIndex}`,
      { parameter: "chunkIndex", expected: `0..${end - 1}`, found: chunkIndex },
    );
  }

  /** Where boxes of decoded items can be copied, unless code of the user's runs between blocks. */
  get boxes(): BoxMemory | undefined {
    const { engine, postfilter } = this.environment;
    return postfilter === undefined ? engine.boxes : undefined;
  }

  /** Where boxes of decoded items can be copied right into `target`, unless code of the user's runs between blocks. */
  boxesFor(target: Uint8Array, blockByteLength: number): TargetBoxes | undefined {
    const { engine, postfilter } = this.environment;
    return postfilter === undefined ? engine.boxesFor?.(target, blockByteLength) : undefined;
  }

  /** @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED` if the limits forbid an array of that many bytes */
  requireAllocation(byteLength: number, structure: string): void {
    requireAllocation(this.environment, structure, byteLength);
  }

  /** Sets the place of blocks in an array, which some codecs and filters need. */
  setGeometry(geometry: BlockGeometry | undefined): void {
    this.environment = { ...this.environment, geometry };
    this.cache.clear();
  }

  /** @throws UnsupportedError for a chunk of a recipe, and for one that a proxy has not fetched into its cache */
  requireContent(chunkIndex: number): void {
    const recipe = this.#recipe;
    if (recipe === undefined) return;
    if (recipe.kind === "computed-array") throw recipeError(this.frame.origin.path, recipe);
    this.#fetched ??= new FetchedChunks(this.frame, this.environment);
    this.#fetched.require(chunkIndex);
  }

  /** What all items of a chunk are, where the index says it and nothing but the index decides what is read. */
  specialAt(chunkIndex: number): IndexedSpecial | undefined {
    this.requireChunk(chunkIndex);
    this.requireContent(chunkIndex);
    return this.environment.postfilter === undefined ? entrySpecial(this.frame.chunks.at(chunkIndex)) : undefined;
  }

  /**
   * An open chunk, checked against what the frame says about it, and against its checksum if there is one.
   *
   * @param whole all of it is going to be read: nothing is gained by keeping it, and other chunks would have to go. It is held against
   * its checksum when it is read.
   */
  openChunk(chunkIndex: number, whole = false): Chunk {
    this.requireChunk(chunkIndex);
    this.requireContent(chunkIndex);
    if (this.frame.generation !== this.#generation) {
      this.cache.clear();
      this.#generation = this.frame.generation;
    }
    const entry = this.frame.chunks.at(chunkIndex);
    const special = entrySpecial(entry);
    if (special !== undefined) {
      return Chunk.open(chunkFromBytes(this.specialChunk(chunkIndex, special)), this.environment);
    }
    let chunk = this.cache.get(entry);
    if (chunk === undefined) {
      const source = this.frame.chunkSource(entry, chunkIndex);
      chunk = Chunk.open(source, this.environment);
      const sum = this.cache.isSound(entry) ? undefined : this.frame.sumOf(entry, chunkIndex);
      if (sum !== undefined) expectSum(chunk, sum);
      if (whole && !chunk.header.vlBlocks) this.cache.setLast(entry, chunk);
      else this.cache.set(entry, chunk);
    }
    if (!whole && settleSum(chunk)) this.cache.noteSound(entry);
    if (!this.frame.chunks.variable) {
      const expected = this.frame.chunks.nbytesOf(chunkIndex);
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
    const nbytes = this.frame.chunks.nbytesOf(chunkIndex);
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
}
