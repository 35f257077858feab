/** The B2ND array. @module */
import { ArgumentError, FormatError, UnsupportedError } from "../errors.js";
import type { SChunk } from "../super-chunk/super-chunk.js";
import { type ArrayInput, inputItems } from "./array-input.js";
import { type B2ndMetalayer, decodeB2ndMetalayer, encodeB2ndMetalayer } from "./b2nd-metalayer.js";
import { ChunkGrid, cOrderStrides, product } from "./chunk-grid.js";
import { type DType, parseDType } from "./dtype.js";
import { NDBuffer } from "./nd-buffer.js";
import { type BlockClaim, readSelection } from "./read-selection.js";
import { type DimIndex, type DimSelection, normaliseIndex } from "./selection.js";
import { writeSelection } from "./write-selection.js";

/** The metalayer's name, and the one that its predecessor used. */
export const B2ND_METALAYER = "b2nd";
export const CATERVA_METALAYER = "caterva";

/** Whether a super-chunk holds an array. */
export function holdsArray(schunk: SChunk): boolean {
  return schunk.meta.has(B2ND_METALAYER) || schunk.meta.has(CATERVA_METALAYER);
}

/**
 * An n-dimensional array over a super-chunk (format document README_B2ND_METALAYER). Everything that is read is in C order.
 *
 * @example
 * ```ts
 * using a = openArray("scan.b2nd", stdio());
 * const crop = a.getSlice([10, 0, 0], [42, 32, 32]); // crop.data, crop.shape
 * const lastRow = a.get([-1]);                        // the dimension is dropped, as in NumPy
 * const everyOther = a.get([{ step: 2 }]);
 * ```
 */
export class NDArray {
  /** The super-chunk that holds the chunks; closing the array closes it. */
  readonly schunk: SChunk;
  /**
   * The item type. Where the metalayer's contradicts the frame's typesize, which decides how items lie in the chunks, this is `|V<typesize>`;
   * see {@link declaredDType}.
   */
  readonly dtype: DType;
  /** Name under which the metalayer stands. */
  readonly #metalayerName: string;
  #metalayer: B2ndMetalayer;
  #grid: ChunkGrid;
  #scratch: Uint8Array | undefined;

  private constructor(schunk: SChunk, name: string, metalayer: B2ndMetalayer, dtype: DType) {
    this.schunk = schunk;
    this.dtype = dtype;
    this.#metalayerName = name;
    this.#metalayer = metalayer;
    this.#grid = new ChunkGrid(metalayer.shape, metalayer.chunkShape, metalayer.blockShape);
    schunk.setGeometry(metalayer);
  }

  /**
   * The array that a super-chunk holds.
   *
   * @throws FormatError when there is no `b2nd` metalayer, or it contradicts the super-chunk; UnsupportedError for a dtype in a notation
   * other than NumPy's.
   */
  static fromSChunk(schunk: SChunk): NDArray {
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
    const dtype = dtypeOf(metalayer, schunk, location);
    const array = new NDArray(schunk, name, metalayer, dtype);
    array.#checkAgainstSChunk(location);
    return array;
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
    return this.#metalayer.dtype;
  }

  /** Items along each dimension. */
  get shape(): readonly number[] {
    return this.#grid.shape;
  }

  get chunkShape(): readonly number[] {
    return this.#grid.chunkShape;
  }

  get blockShape(): readonly number[] {
    return this.#grid.blockShape;
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
   * @throws ArgumentError for a bad index; FormatError, CodecError, IoError when a chunk can't be read.
   */
  getSlice(
    start: readonly (number | null)[] = [],
    stop: readonly (number | null)[] = [],
    step: readonly (number | null)[] = [],
  ): NDBuffer {
    return this.get(slicesOf(this.shape.length, start, stop, step));
  }

  /**
   * Reads by a NumPy-like index, one entry per dimension: an integer (drops the dimension), a slice object, a list of positions
   * (orthogonal: each list selects along its own dimension), or `null` for all.
   *
   * @throws as {@link getSlice}.
   */
  get(index: readonly DimIndex[] = []): NDBuffer {
    const selection = normaliseIndex(index, this.shape);
    const counts = selection.map((s) => s.count);
    const bytes = this.#allocate(product(counts) * this.dtype.itemsize);
    this.#read(selection, counts, bytes);
    return new NDBuffer(
      this.dtype,
      counts.filter((_, i) => !(selection[i] as DimSelection).dropped),
      bytes,
    );
  }

  /** The shape of what {@link get} gives for an index. @throws ArgumentError */
  shapeOf(index: readonly DimIndex[]): number[] {
    return normaliseIndex(index, this.shape)
      .filter((s) => !s.dropped)
      .map((s) => s.count);
  }

  /**
   * Reads like {@link get} into the caller's memory.
   *
   * @param target must hold exactly the selection's bytes.
   * @param claim decides block by block what is read, so that several threads can share a selection; all of it, if absent.
   * @throws ArgumentError for a target of another size; else as {@link getSlice}.
   */
  getInto(index: readonly DimIndex[], target: Uint8Array, claim?: BlockClaim): void {
    const selection = normaliseIndex(index, this.shape);
    const counts = selection.map((s) => s.count);
    const byteLength = product(counts) * this.dtype.itemsize;
    if (target.byteLength !== byteLength) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `target has ${target.byteLength} bytes; the selection has ${byteLength}`,
        {
          parameter: "target",
        },
      );
    }
    this.#read(selection, counts, target, claim);
  }

  #read(
    selection: readonly DimSelection[],
    counts: readonly number[],
    target: Uint8Array,
    claim: BlockClaim | undefined = undefined,
  ): void {
    this.#scratch ??= this.#allocate(this.#grid.blockItemCount * this.dtype.itemsize);
    readSelection(
      this.schunk,
      this.#grid,
      this.dtype.itemsize,
      selection,
      cOrderStrides(counts),
      target,
      this.#scratch,
      claim,
    );
  }

  #allocate(byteLength: number): Uint8Array {
    this.schunk.checkAllocation(byteLength, "array selection");
    return new Uint8Array(byteLength);
  }

  /** Writes items from `start` to `stop` at `step`; see {@link set}. */
  setSlice(
    start: readonly (number | null)[],
    stop: readonly (number | null)[],
    data: ArrayInput,
    step: readonly (number | null)[] = [],
  ): void {
    this.set(slicesOf(this.shape.length, start, stop, step), data);
  }

  /**
   * Stores values at an index (see {@link get}). `data` is broadcast as NumPy does when it states its own shape; flat typed arrays and
   * buffers must hold exactly the selection's items. Values are converted to the array's dtype, or refused.
   *
   * @throws ArgumentError for a bad index or data that does not fit.
   */
  set(index: readonly DimIndex[], data: ArrayInput): void {
    const selection = normaliseIndex(index, this.shape);
    const { bytes, shape } = inputItems(data, this.dtype);
    const counts = selection.map((s) => s.count);
    const kept = selection.filter((s) => !s.dropped).map((s) => s.count);
    const itemCount = bytes.byteLength / this.dtype.itemsize;
    let strides: number[];
    if (shape === undefined) {
      if (itemCount !== product(counts)) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `data has ${itemCount} items; the selection (${kept.join(", ")}) has ${product(counts)}`,
          {
            parameter: "data",
          },
        );
      }
      strides = cOrderStrides(counts);
    } else {
      const broadcast = broadcastStrides(shape, kept);
      let next = 0;
      strides = selection.map((s) => (s.dropped ? 0 : (broadcast[next++] as number)));
    }
    writeSelection(this.schunk, this.#grid, this.dtype.itemsize, selection, bytes, strides);
  }

  /** Replaces the shape in the metalayer; the chunks must match already. For `resize` and its like. */
  replaceShape(shape: readonly number[]): void {
    this.#metalayer = { ...this.#metalayer, shape: [...shape] };
    this.#grid = new ChunkGrid(shape, this.#metalayer.chunkShape, this.#metalayer.blockShape);
    this.schunk.meta.update(this.#metalayerName, encodeB2ndMetalayer(this.#metalayer));
    this.schunk.setGeometry(this.#metalayer);
  }

  /** Commits; see {@link SChunk.flush}. */
  flush(): void {
    this.schunk.flush();
  }

  /** The frame's bytes; see {@link SChunk.toCframe}. */
  toCframe(): Uint8Array {
    return this.schunk.toCframe();
  }

  /** Takes over what another handle or process has committed since: chunks and shape. */
  refresh(): void {
    this.schunk.refresh();
    const location = { path: this.schunk.urlpath, structure: `${this.#metalayerName} metalayer`, position: 0 };
    this.#metalayer = decodeB2ndMetalayer(this.schunk.meta.get(this.#metalayerName), location);
    this.#grid = new ChunkGrid(this.#metalayer.shape, this.#metalayer.chunkShape, this.#metalayer.blockShape);
    this.schunk.setGeometry(this.#metalayer);
    this.#checkAgainstSChunk(location);
  }

  /** Commits and closes. Idempotent. */
  close(): void {
    this.schunk.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function dtypeOf(
  metalayer: B2ndMetalayer,
  schunk: SChunk,
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

function slicesOf(
  ndim: number,
  start: readonly (number | null)[],
  stop: readonly (number | null)[],
  step: readonly (number | null)[],
): DimIndex[] {
  const dims = Math.max(start.length, stop.length, step.length);
  if (dims > ndim) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `the slice has ${dims} dimensions; the array has ${ndim}`, {
      parameter: "start",
    });
  }
  return Array.from({ length: dims }, (_, i) => ({ start: start[i], stop: stop[i], step: step[i] }));
}

/** Strides that repeat an array of shape `from` to fill `to`, by NumPy's broadcasting rules. */
function broadcastStrides(from: readonly number[], to: readonly number[]): number[] {
  const extra = from.length - to.length;
  const strides = cOrderStrides(from);
  const fits = from.every((n, i) => (i < extra ? n === 1 : n === 1 || n === to[i - extra]));
  if (!fits) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `data of shape (${from.join(", ")}) does not fit a selection of shape (${to.join(", ")})`,
      {
        parameter: "data",
      },
    );
  }
  return to.map((_, i) => {
    const dim = i + extra;
    return dim < 0 || from[dim] === 1 ? 0 : (strides[dim] as number);
  });
}
