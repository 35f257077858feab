/** The B2ND array. @module */
import { ArgumentError } from "../errors.js";
import type { LockKind } from "../io/backend.js";
import type { BytePiece } from "../streams/byte-pieces.js";
import type { PieceSource } from "../streams/web-streams.js";
import type { HeldLock } from "../super-chunk/held-lock.js";
import type { SChunk } from "../super-chunk/super-chunk.js";
import { stateOf } from "../super-chunk/super-chunk-reader.js";
import { cOrderStrides, product } from "../values/shape.js";
import { type AppendFromOptions, appendRowsFrom } from "./append-rows.js";
import { type ArrayInput, inputItems } from "./array-input.js";
import { ArrayReader, descriptionOf } from "./array-reader.js";
import { changing } from "./change-array.js";
import { type ArrayCopyOptions, copyArray, expandDims, squeeze } from "./copy-array.js";
import { type DimIndex, type SliceBounds, slicesOf } from "./dim-index.js";
import { printArray } from "./print-array.js";
import { append, deleteItems, insert, resize } from "./resize-array.js";
import { RowWriter, type RowWriterOptions } from "./row-writer.js";
import { writeSelection } from "./write-selection.js";

/**
 * An n-dimensional array over a super-chunk (format document README_B2ND_METALAYER). Everything that is read is in C order.
 *
 * @example
 * ```ts
 * using a = openArray("scan.b2nd", { io: stdio() });
 * const crop = a.getSlice([10, 0, 0], [42, 32, 32]); // crop.data, crop.shape
 * const lastRow = a.get([-1]);                        // the dimension is dropped, as in NumPy
 * const everyOther = a.get([{ step: 2 }]);
 * ```
 */
export class NDArray extends ArrayReader {
  /** The super-chunk that holds the chunks; closing the array closes it. */
  declare readonly schunk: SChunk;

  private constructor(schunk: SChunk) {
    super(schunk);
  }

  /**
   * The array that a super-chunk holds.
   *
   * @throws FormatError when there is no `b2nd` metalayer, or it contradicts the super-chunk; UnsupportedError for a dtype in a notation
   * other than NumPy's.
   */
  static fromSChunk(schunk: SChunk): NDArray {
    return stateOf(schunk).reading("open", () => new NDArray(schunk));
  }

  /**
   * The array as NumPy prints one, below a line with shape, dtype, layout and compression: all values of up to 1000, of more those at the
   * edges, for which only their blocks are read. What `console.log` shows in Node. Says why where it can't be read, and never throws.
   */
  override toString(): string {
    return printArray(this);
  }

  /** Writes items from `start` to `stop` at `step`; see {@link set}. */
  setSlice(start: SliceBounds, stop: SliceBounds, data: ArrayInput, step: SliceBounds = []): void {
    this.set(slicesOf(this.ndim, start, stop, step), data);
  }

  /**
   * Stores values at an index (see {@link get}). `data` is broadcast as NumPy does when it states its own shape; flat typed arrays and
   * buffers must hold exactly the selection's items. Values are converted to the array's dtype, or refused.
   *
   * @throws ArgumentError for a bad index or data that does not fit.
   */
  set(index: readonly DimIndex[], data: ArrayInput): void {
    changing(this, "set", () => this.#set(index, data));
  }

  #set(index: readonly DimIndex[], data: ArrayInput): void {
    const selection = this.select(index);
    const { bytes, shape, shapeOfReals } = inputItems(data, this.dtype);
    const { counts, dropped } = selection;
    const itemCount = bytes.byteLength / this.dtype.itemsize;
    let strides: number[];
    if (shape === undefined) {
      if (itemCount !== product(counts)) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `data has ${itemCount} items; the selection (${selection.shape.join(", ")}) has ${product(counts)}`,
          { parameter: "data", expected: product(counts), found: itemCount },
        );
      }
      strides = cOrderStrides(counts);
    } else {
      if (
        shapeOfReals !== undefined &&
        broadcasts(shapeOfReals, selection.shape) &&
        broadcasts(shape, selection.shape)
      ) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `lists of shape (${shapeOfReals.join(", ")}) may be pairs or real numbers for a selection of shape (${selection.shape.join(", ")}): give { re, im }`,
          { parameter: "data" },
        );
      }
      const broadcast = broadcastStrides(shape, selection.shape);
      let next = 0;
      strides = dropped.map((isDropped) => (isDropped ? 0 : (broadcast[next++] as number)));
    }
    writeSelection(this.schunk, selection, bytes, strides);
  }

  /**
   * Puts `data` after the last item along `axis`.
   *
   * @throws ArgumentError for an axis that is none, and for data whose shape does not fit.
   * @example
   * ```ts
   * series.append(new Float64Array(12)); // four rows of three
   * ```
   */
  append(data: ArrayInput, axis: number = 0): void {
    append(this, data, axis);
  }

  /**
   * A writer of rows, items of the first dimension, to the end of the array: a few at a time, stored by whole chunks.
   *
   * @throws ArgumentError for an array without dimensions
   * @example
   * ```ts
   * using table = zeros([0, 3], { urlpath: "log.b2nd", io: stdio() });
   * using rows = table.rowWriter();
   * for (const { time, x, y } of samples) rows.write([time, x, y]);
   * ```
   */
  rowWriter(options: RowWriterOptions = {}): RowWriter {
    return new RowWriter(this, options);
  }

  /**
   * Appends the rows of a stream, and commits at its end: bytes that are cut anywhere, items as stored in C order, or pieces of values, one row
   * or several, as {@link append} takes them. The next piece is asked for when the last one is dealt with, so that a fast source waits, and no
   * more than a chunk's rows (`bufferBytes`, 16 MiB at most by default) and a piece are kept.
   *
   * After a failure nothing is committed: of what came before it, rows that filled a chunk have been appended, and `commit()` keeps them,
   * `reopen()` drops them.
   *
   * @param source a web or Node stream, or what gives pieces by `for await` or `for`. It is cancelled or destroyed after a failure.
   * @returns the number of rows.
   * @throws IoError `BLOSC2_IO_SHORT_READ` for bytes that end inside a row, `BLOSC2_IO_FAILED` for a stream that fails; the signal's reason;
   * ArgumentError for pieces that do not fit; else as {@link append}
   * @example
   * ```ts
   * const rows = await series.appendFrom(createReadStream("samples.raw"), { signal });
   * ```
   */
  async appendFrom(source: PieceSource<BytePiece | ArrayInput>, options: AppendFromOptions = {}): Promise<number> {
    return await appendRowsFrom(this, source, options);
  }

  /**
   * Puts `data` before item `start` along `axis`. Where `start` and the length are whole chunks only the index changes; otherwise the
   * items behind it are moved.
   *
   * @throws ArgumentError as {@link append}, and for a `start` outside the array.
   */
  insert(start: number, data: ArrayInput, axis: number = 0): void {
    insert(this, start, data, axis);
  }

  /**
   * Removes `length` items from `start` along `axis`. Whole chunks only leave the index; otherwise the items behind move up.
   *
   * @throws ArgumentError for items outside the array.
   */
  delete(start: number, length: number, axis: number = 0): void {
    deleteItems(this, start, length, axis);
  }

  /**
   * Gives the array a new shape of as many dimensions. Growing adds zeros; shrinking drops whole chunks. Items that a shrink cuts off
   * inside a chunk that stays are not erased, and come back when the array grows over them again, as with C-Blosc2.
   *
   * Takes effect in the file with the next commit, in one write together with the chunks.
   *
   * @throws ArgumentError for another number of dimensions or a bad length.
   */
  resize(shape: readonly number[]): void {
    resize(this, shape);
  }

  /**
   * Copies the array, chunk by chunk of the new one. Metalayers and vlmetalayers come along; where there are checksums, the copy has its
   * own. With `dtype`, items are converted as {@link set} converts them.
   *
   * @throws ArgumentError for items that the new dtype does not take
   * @example
   * ```ts
   * using dense = array.copy({ urlpath: "out.b2nd", io: stdio(), cparams: { codec: "zstd", clevel: 9 } });
   * ```
   */
  copy(options: ArrayCopyOptions = {}): NDArray {
    return descriptionOf(this).reading("copy", () => copyArray(this, options, arrayOwning));
  }

  /** Copies the array without its dimensions of length 1, or without those in `axes`. @throws ArgumentError */
  squeeze(axes?: readonly number[], options: ArrayCopyOptions = {}): NDArray {
    return descriptionOf(this).reading("squeeze", () => squeeze(this, axes, options, arrayOwning));
  }

  /** Copies the array with a new dimension of length 1 before dimension `axis`. @throws ArgumentError */
  expandDims(axis: number, options: ArrayCopyOptions = {}): NDArray {
    return descriptionOf(this).reading("expandDims", () => expandDims(this, axis, options, arrayOwning));
  }

  /** Holds the frame's lock for several operations, and takes over the shape that the array has by then; see {@link SChunk.lock}. */
  lock(kind: LockKind = "exclusive"): HeldLock {
    const held = this.schunk.lock(kind);
    try {
      descriptionOf(this).follow();
      return held;
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /** Commits; see {@link SChunk.commit}. */
  commit(): void {
    this.schunk.commit();
  }

  /** The same as {@link commit}. */
  flush(): void {
    this.schunk.flush();
  }

  /** Drops what has not been committed, and starts from the last commit; see {@link SChunk.reopen}. */
  reopen(): void {
    this.schunk.reopen();
    descriptionOf(this).follow();
  }

  /** The frame's bytes; see {@link SChunk.toCframe}. */
  toCframe(): Uint8Array {
    return this.schunk.toCframe();
  }
}

/** The array in a super-chunk, which is closed if it holds none. @throws as {@link NDArray.fromSChunk} */
export function arrayOwning(schunk: SChunk): NDArray {
  try {
    return NDArray.fromSChunk(schunk);
  } catch (error) {
    schunk.close();
    throw error;
  }
}

/** Whether an array of shape `from` can be repeated to fill `to`. */
function broadcasts(from: readonly number[], to: readonly number[]): boolean {
  const extra = from.length - to.length;
  return from.every((n, i) => n === 1 || (i >= extra && n === to[i - extra]));
}

/** Strides that repeat an array of shape `from` to fill `to`, by NumPy's broadcasting rules. */
function broadcastStrides(from: readonly number[], to: readonly number[]): number[] {
  const extra = from.length - to.length;
  const strides = cOrderStrides(from);
  if (!broadcasts(from, to)) {
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
