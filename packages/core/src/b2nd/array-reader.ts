/** Reading a B2ND array. @module */
import { showInConsole } from "../checks/showing.js";
import { ArgumentError, FormatError, IoError, UnsupportedError } from "../errors.js";
import { type ReadTarget, targetBytes } from "../super-chunk/read-target.js";
import type { SuperChunkReader } from "../super-chunk/super-chunk-reader.js";
import type { DType } from "../values/dtype.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { parseDType } from "../values/parse-dtype.js";
import { ArraySelection } from "./array-selection.js";
import { type B2ndMetalayer, decodeB2ndMetalayer } from "./b2nd-metalayer.js";
import { ChunkGrid } from "./chunk-grid.js";
import { describeArray } from "./describe-array.js";
import { type DimIndex, normaliseIndex, type SliceBounds, slicesOf } from "./dim-index.js";
import { type ArrayChunk, iterateChunks } from "./iterate-array.js";
import { type ReadingRange, SelectionReader } from "./read-selection.js";

/** The metalayer's name, and the one that its predecessor used. */
export const B2ND_METALAYER = "b2nd";
export const CATERVA_METALAYER = "caterva";

/** Whether a super-chunk holds an array. */
export function holdsArray(schunk: SuperChunkReader): boolean {
  return schunk.meta.has(B2ND_METALAYER) || schunk.meta.has(CATERVA_METALAYER);
}

/** An array that is read: what `NDArray` has without changes. Everything that is read is in C order. */
export class ArrayReader {
  static {
    showInConsole(ArrayReader.prototype);
  }

  /** The super-chunk that holds the chunks; closing the array closes it. */
  readonly schunk: SuperChunkReader;
  /**
   * The item type. Where the metalayer's contradicts the frame's typesize, which decides how items lie in the chunks, this is `|V<typesize>`;
   * see {@link declaredDType}.
   */
  readonly dtype: DType;
  /** Name under which the metalayer stands. @internal */
  protected readonly metalayerName: string;
  /** @internal */
  protected metalayer: B2ndMetalayer;
  #grid: ChunkGrid;
  #generation: number;
  #selectionReader: SelectionReader | undefined;

  /**
   * The array that a super-chunk holds.
   *
   * @throws FormatError when there is no `b2nd` metalayer, or it contradicts the super-chunk; UnsupportedError for a dtype in a notation
   * other than NumPy's.
   */
  constructor(schunk: SuperChunkReader) {
    const name = schunk.meta.has(B2ND_METALAYER) ? B2ND_METALAYER : CATERVA_METALAYER;
    const location = { path: schunk.urlpath, structure: `${name} metalayer`, position: 0 };
    if (!schunk.meta.has(name)) {
      throw new FormatError("BLOSC2_FORMAT_INVALID", {
        ...location,
        field: "metalayers",
        expected: '"b2nd" (the frame holds an array)',
        found: schunk.meta.names.join(", ") || "none",
      });
    }
    const metalayer = decodeB2ndMetalayer(schunk.meta.get(name), location);
    if (metalayer.dtypeFormat !== 0) {
      throw new UnsupportedError(
        "BLOSC2_UNSUPPORTED",
        `${location.path ?? "array"}: dtype format ${metalayer.dtypeFormat}; only 0, NumPy's, is known`,
        { feature: "dtype format" },
      );
    }
    this.dtype = dtypeOf(metalayer, schunk, location);
    this.schunk = schunk;
    this.metalayerName = name;
    this.metalayer = metalayer;
    this.#grid = new ChunkGrid(metalayer.shape, metalayer.chunks, metalayer.blocks);
    this.#generation = schunk.generation;
    schunk.setGeometry(metalayer);
    this.#checkAgainstSChunk(location);
  }

  /** Takes another description of the same array. @internal */
  protected describe(metalayer: B2ndMetalayer): void {
    this.metalayer = metalayer;
    this.#grid = new ChunkGrid(metalayer.shape, metalayer.chunks, metalayer.blocks);
    this.#selectionReader = undefined;
    this.schunk.setGeometry(metalayer);
  }

  #checkAgainstSChunk(location: { path: string | undefined; structure: string; position: number }): void {
    const { schunk, dtype } = this;
    const grid = this.#grid;
    const fail = (field: string, expected: number, found: number): FormatError =>
      new FormatError("BLOSC2_FORMAT_BAD_LENGTH", { ...location, field, expected, found });
    if (dtype.itemsize !== schunk.typesize)
      throw fail("dtype itemsize against typesize", schunk.typesize, dtype.itemsize);
    if (grid.nchunks !== schunk.nchunks) throw fail("number of chunks", grid.nchunks, schunk.nchunks);
    const chunkBytes = grid.chunkItemCount * dtype.itemsize;
    if (grid.nchunks > 0 && schunk.chunksize !== chunkBytes) throw fail("chunksize", chunkBytes, schunk.chunksize);
  }

  /** The dtype as the metalayer spells it; `undefined` where it has none. */
  get declaredDType(): string | undefined {
    return this.metalayer.dtype;
  }

  /** Items along each dimension. */
  get shape(): readonly number[] {
    return this.#grid.shape;
  }

  get chunks(): readonly number[] {
    return this.#grid.chunks;
  }

  get blocks(): readonly number[] {
    return this.#grid.blocks;
  }

  get ndim(): number {
    return this.#grid.ndim;
  }

  /** Items in the array. */
  get itemCount(): number {
    return this.#grid.itemCount;
  }

  /** Chunk and block geometry. */
  get grid(): ChunkGrid {
    return this.#grid;
  }

  /** Bytes of the items, without the padding of edge chunks. */
  get nbytes(): number {
    return this.itemCount * this.dtype.itemsize;
  }

  /**
   * Items from `start` to `stop` (excluded) at `step`, as NumPy slices them: negative bounds count from the end, `null` is the default,
   * steps may be negative. Missing dimensions are taken whole; no dimension is dropped. Only the blocks that the slice touches are read.
   *
   * @param options as in {@link get}.
   * @throws ArgumentError for a bad index; FormatError, CodecError, IoError when a chunk can't be read.
   */
  getSlice(
    start: SliceBounds = [],
    stop: SliceBounds = [],
    step: SliceBounds = [],
    options: ReadTarget = {},
  ): NDBuffer {
    return this.get(slicesOf(this.ndim, start, stop, step), options);
  }

  /**
   * Reads by a NumPy-like index, one entry per dimension: an integer (drops the dimension), a slice object, positions (a list or a
   * typed array of integers; orthogonal: each selects along its own dimension), a mask of booleans, or `null` for all.
   *
   * @param options `target` receives the items, if given, and is what the result shows; it must have exactly the selection's bytes.
   * @throws ArgumentError for a target of another size; else as {@link getSlice}.
   */
  get(index: readonly DimIndex[] = [], options: ReadTarget = {}): NDBuffer {
    const target = targetBytes(options);
    return this.reading("get", () => {
      const selection = this.select(index);
      const bytes = target ?? this.#allocate(selection.byteLength);
      this.#readInto(selection, bytes, { zeroed: target === undefined });
      return new NDBuffer(this.dtype, selection.shape, bytes);
    });
  }

  /** The chunks in C order, each decoded once. Every one owns its memory. */
  iterChunks(): Generator<ArrayChunk> {
    return iterateChunks(this);
  }

  /**
   * What an index selects, without reading it: shape and bytes of the result, and the chunks and blocks that hold it.
   *
   * @throws ArgumentError for a bad index.
   */
  select(index: readonly DimIndex[] = []): ArraySelection {
    return new ArraySelection(this.#grid, this.dtype.itemsize, normaliseIndex(index, this.shape));
  }

  /**
   * Reads a range of the blocks that an index selects, so that several threads can share a selection; see {@link get}.
   *
   * @internal
   */
  getBlocksInto(index: readonly DimIndex[], target: Uint8Array, range: ReadingRange): void {
    this.reading("get", () => this.#readInto(this.select(index), target, range));
  }

  #readInto(selection: ArraySelection, target: Uint8Array, range: ReadingRange): void {
    const { byteLength } = selection;
    if (target.byteLength !== byteLength) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `target has ${target.byteLength} bytes; the selection has ${byteLength}`,
        { parameter: "target", expected: byteLength, found: target.byteLength },
      );
    }
    this.#reader().read(selection, target, range);
  }

  #reader(): SelectionReader {
    const { itemsize } = this.dtype;
    this.#selectionReader ??= new SelectionReader(
      this.schunk,
      itemsize,
      this.#allocate(this.#grid.blockItemCount * itemsize),
    );
    return this.#selectionReader;
  }

  #allocate(byteLength: number): Uint8Array {
    this.schunk.checkAllocation(byteLength, "array selection");
    return new Uint8Array(byteLength);
  }

  /** Takes over what another handle or process has committed since: chunks and shape. */
  refresh(): void {
    this.schunk.refresh();
    this.follow();
  }

  /** Does what reads the array, in the shape that it has by then. @internal */
  reading<T>(operation: string, read: () => T): T {
    return this.schunk.reading(operation, () => {
      this.follow();
      return read();
    });
  }

  /** Takes over the shape of a frame that has been read anew. @internal */
  protected follow(): void {
    const { schunk, metalayerName } = this;
    if (schunk.generation === this.#generation) return;
    const location = { path: schunk.urlpath, structure: `${metalayerName} metalayer`, position: 0 };
    const metalayer = decodeB2ndMetalayer(schunk.meta.get(metalayerName), location);
    if (metalayer.dtype !== this.metalayer.dtype) {
      throw new IoError(
        "BLOSC2_IO_STALE",
        `${location.path ?? "array"}: is another array now, of dtype ${metalayer.dtype} rather than ${this.metalayer.dtype}: open it anew`,
        { operation: "read", path: location.path, expected: this.metalayer.dtype, found: metalayer.dtype },
      );
    }
    this.describe(metalayer);
    this.#checkAgainstSChunk(location);
    this.#generation = schunk.generation;
  }

  /** Shape, dtype, layout and compression in one line. Reads nothing. */
  toString(): string {
    return describeArray("ArrayReader", this);
  }

  /** Closes the super-chunk. Idempotent. */
  close(): void {
    this.schunk.close();
  }

  [Symbol.dispose](): void {
    this.schunk[Symbol.dispose]();
  }
}

function dtypeOf(
  metalayer: B2ndMetalayer,
  schunk: SuperChunkReader,
  location: { path: string | undefined; structure: string; position: number },
): DType {
  // What C-Blosc2 assumes where none is given.
  const text = metalayer.dtype ?? `|S${schunk.typesize}`;
  try {
    const dtype = parseDType(text);
    return dtype.itemsize === schunk.typesize ? dtype : parseDType(`|V${schunk.typesize}`);
  } catch (error) {
    throw new FormatError(
      "BLOSC2_FORMAT_INVALID",
      { ...location, field: "dtype", expected: "a dtype in NumPy notation", found: text.slice(0, 80) },
      error,
    );
  }
}
