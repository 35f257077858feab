/** Reading a B2ND array. @module */
import { showInConsole } from "../checks/showing.js";
import { ArgumentError } from "../errors.js";
import { type ByteStream, streamOf } from "../streams/web-streams.js";
import { checkAllocation } from "../super-chunk/check-allocation.js";
import { type ReadTarget, targetBytes } from "../super-chunk/read-target.js";
import type { SuperChunkReader } from "../super-chunk/super-chunk-reader.js";
import type { DType } from "../values/dtype.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { ArrayDescription, B2ND_METALAYER, CATERVA_METALAYER } from "./array-description.js";
import { ArraySelection } from "./array-selection.js";
import type { ChunkGrid } from "./chunk-grid.js";
import { describeArray } from "./describe-array.js";
import { type DimIndex, normaliseIndex, type SliceBounds, slicesOf } from "./dim-index.js";
import { type ArrayChunk, iterateChunks } from "./iterate-array.js";
import { type ReadingRange, SelectionReader } from "./read-selection.js";
import { piecesOfRows, type RowStreamRange, rowBands } from "./row-bands.js";

/** What an array's metalayer says, for the other files of this package. */
export let descriptionOf: (array: ArrayReader) => ArrayDescription;

/**
 * Reads a range of the blocks that an index selects, so that several threads can share a selection: what {@link ArrayReader.get} reads, but
 * for the blocks outside the range, whose items in `target` are left alone.
 *
 * @param target bytes for the whole selection.
 * @throws as {@link ArrayReader.get}
 */
export let readBlocks: (
  array: ArrayReader,
  index: readonly DimIndex[],
  target: Uint8Array,
  range: ReadingRange,
) => void;

/** Whether a super-chunk holds an array. */
export function holdsArray(schunk: SuperChunkReader): boolean {
  return schunk.meta.has(B2ND_METALAYER) || schunk.meta.has(CATERVA_METALAYER);
}

/** An array that is read: what `NDArray` has without changes. Everything that is read is in C order. */
export class ArrayReader {
  static {
    showInConsole(ArrayReader.prototype);
    descriptionOf = (array) => array.#description;
    readBlocks = (array, index, target, range) => {
      array.#description.reading("get", () => {
        const selection = array.select(index);
        array.#readerInto(target, selection).read(selection, target, range);
      });
    };
  }

  /** The super-chunk that holds the chunks; closing the array closes it. */
  readonly schunk: SuperChunkReader;
  /**
   * The item type. Where the metalayer's contradicts the frame's typesize, which decides how items lie in the chunks, this is `|V<typesize>`;
   * see {@link declaredDType}.
   */
  readonly dtype: DType;
  readonly #description: ArrayDescription;
  #selectionReader: SelectionReader | undefined;

  /**
   * The array that a super-chunk holds.
   *
   * @throws FormatError when there is no `b2nd` metalayer, or it contradicts the super-chunk; UnsupportedError for a dtype in a notation
   * other than NumPy's.
   */
  constructor(schunk: SuperChunkReader) {
    this.#description = new ArrayDescription(schunk);
    this.dtype = this.#description.dtype;
    this.schunk = schunk;
  }

  /** The dtype as the metalayer spells it; `undefined` where it has none. */
  get declaredDType(): string | undefined {
    return this.#description.metalayer.dtype;
  }

  /** Items along each dimension. */
  get shape(): readonly number[] {
    return this.#description.grid.shape;
  }

  get chunks(): readonly number[] {
    return this.#description.grid.chunks;
  }

  get blocks(): readonly number[] {
    return this.#description.grid.blocks;
  }

  get ndim(): number {
    return this.#description.grid.ndim;
  }

  /** Items in the array. */
  get itemCount(): number {
    return this.#description.grid.itemCount;
  }

  /** Chunk and block geometry. */
  get grid(): ChunkGrid {
    return this.#description.grid;
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
    return this.#description.reading("get", () => {
      const selection = this.select(index);
      const bytes = target ?? this.#allocate(selection.byteLength);
      this.#readerInto(bytes, selection).read(selection, bytes, { zeroed: target === undefined });
      return new NDBuffer(this.dtype, selection.shape, bytes);
    });
  }

  /** The chunks in C order, each decoded once. Every one owns its memory. */
  iterChunks(): Generator<ArrayChunk> {
    return iterateChunks(this);
  }

  /**
   * The bytes of the rows, items of the first dimension, in C order as a web stream. Pieces end where blocks do and are decoded when they are
   * asked for, so that none waits but that one.
   *
   * @param options `start` and `stop` (excluded) in rows; `pieceBytes`, what a piece has at most; `signal` ends the stream.
   * @throws ArgumentError for bad options. The stream fails as {@link get}, and with `BLOSC2_IO_CHANGED` if the array is cut meanwhile.
   * @example
   * ```ts
   * await array.toReadable({ start: -1000 }).pipeTo(socket);
   * ```
   */
  toReadable(options: RowStreamRange = {}): ByteStream {
    return streamOf(piecesOfRows(this, rowBands(this, options)), options);
  }

  /**
   * What an index selects, without reading it: shape and bytes of the result, and the chunks and blocks that hold it.
   *
   * @throws ArgumentError for a bad index.
   */
  select(index: readonly DimIndex[] = []): ArraySelection {
    return new ArraySelection(this.#description.grid, this.dtype.itemsize, normaliseIndex(index, this.shape));
  }

  /** What reads, for a target that it fits. @throws ArgumentError for one of another size */
  #readerInto(target: Uint8Array, { byteLength }: ArraySelection): SelectionReader {
    if (target.byteLength !== byteLength) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `target has ${target.byteLength} bytes; the selection has ${byteLength}`,
        { parameter: "target", expected: byteLength, found: target.byteLength },
      );
    }
    const { grid, dtype } = this.#description;
    if (this.#selectionReader?.grid !== grid) {
      this.#selectionReader = new SelectionReader(
        this.schunk,
        grid,
        this.#allocate(grid.blockItemCount * dtype.itemsize),
      );
    }
    return this.#selectionReader;
  }

  #allocate(byteLength: number): Uint8Array {
    checkAllocation(this.schunk, byteLength, "array selection");
    return new Uint8Array(byteLength);
  }

  /** Takes over what another handle or process has committed since: chunks and shape. */
  refresh(): void {
    this.schunk.refresh();
    this.#description.follow();
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
