/** Appending rows to an array a few at a time: they are kept until they fill a chunk, so that each chunk is compressed once. @module */
import { checkOptionNames, type OptionNames } from "../checks/option-names.js";
import { ArgumentError, IoError } from "../errors.js";
import { checkAllocation } from "../super-chunk/check-allocation.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { product } from "../values/shape.js";
import type { ArrayInput } from "./array-input.js";
import type { NDArray } from "./nd-array.js";
import { rowsOf } from "./resize-array.js";

/** How to write rows. */
export interface RowWriterOptions {
  /** Memory for rows that wait, in bytes; one row at least. Default: 16 MiB, or what a chunk's rows take if that is less. */
  readonly bufferBytes?: number | undefined;
}

const ROW_WRITER_NAMES: OptionNames<RowWriterOptions> = { bufferBytes: true };
const DEFAULT_BUFFER_BYTES = 16 * 1024 * 1024;

/**
 * Collects rows, items of the first dimension, and appends them to an array by whole chunks. Made by {@link NDArray.rowWriter}. What was written
 * is in the array after `flush()` or `close()`, in the file after those too; until then it is lost with the program.
 */
export class RowWriter {
  readonly #array: NDArray;
  readonly #rowBytes: number;
  readonly #buffer: Uint8Array;
  #rows = 0;
  #written = 0;
  #closed = false;

  /** Made by {@link NDArray.rowWriter}. */
  constructor(array: NDArray, options: RowWriterOptions) {
    checkOptionNames(ROW_WRITER_NAMES, options);
    const { bufferBytes = DEFAULT_BUFFER_BYTES } = options;
    if (array.ndim === 0) {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "an array without dimensions has no rows", {
        parameter: "array",
      });
    }
    if (!Number.isSafeInteger(bufferBytes) || bufferBytes < 0) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_OUT_OF_RANGE",
        `bufferBytes is ${bufferBytes}; expected an integer from 0`,
        { parameter: "bufferBytes", value: bufferBytes },
      );
    }
    this.#array = array;
    this.#rowBytes = product(array.shape.slice(1)) * array.dtype.itemsize;
    const fitting = Math.floor(bufferBytes / Math.max(1, this.#rowBytes));
    const rows = Math.max(1, Math.min(fitting, array.chunks[0] as number));
    checkAllocation(array.schunk, rows * this.#rowBytes, "rows that wait");
    this.#buffer = new Uint8Array(rows * this.#rowBytes);
  }

  /** Rows that were taken so far, those that wait among them. */
  get written(): number {
    return this.#written;
  }

  /** Rows that wait. */
  get waiting(): number {
    return this.#rows;
  }

  /**
   * Adds one row, or several that state a first dimension. They are taken in whole or refused in whole.
   *
   * @throws ArgumentError for rows of another shape and values that the dtype does not take; IoError `BLOSC2_IO_CLOSED`; what writing
   * throws, when the rows stay with the writer.
   */
  write(rows: ArrayInput): void {
    this.#requireOpen("write");
    const { buffer } = rowsOf(this.#array, rows, 0);
    const count = buffer.shape[0] as number;
    for (let done = 0; done < count; ) {
      const taken = Math.min(count - done, this.#room());
      const from = done * this.#rowBytes;
      this.#buffer.set(buffer.bytes.subarray(from, from + taken * this.#rowBytes), this.#rows * this.#rowBytes);
      this.#rows += taken;
      this.#written += taken;
      done += taken;
      if (this.#room() === 0) this.#store();
    }
  }

  /** Rows that still fit: to the end of the chunk that the array is in, or of the memory. */
  #room(): number {
    const { shape, chunks } = this.#array;
    const chunk = chunks[0] as number;
    const toChunkEnd = chunk - ((shape[0] as number) % chunk);
    const inMemory = this.#rowBytes === 0 ? chunk : this.#buffer.byteLength / this.#rowBytes;
    return Math.min(toChunkEnd, inMemory) - this.#rows;
  }

  #store(): void {
    if (this.#rows === 0) return;
    const { dtype, shape } = this.#array;
    const bytes = this.#buffer.subarray(0, this.#rows * this.#rowBytes);
    this.#array.append(new NDBuffer(dtype, [this.#rows, ...shape.slice(1)], bytes));
    this.#rows = 0;
  }

  /** Appends the rows that wait, and commits. @throws what writing throws */
  flush(): void {
    this.#requireOpen("flush");
    this.#store();
    this.#array.commit();
  }

  /** Flushes; the array stays open. Idempotent. @throws as {@link flush} */
  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
  }

  /** Forgets the rows that wait and closes. */
  discard(): void {
    this.#rows = 0;
    this.#closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #requireOpen(operation: string): void {
    if (this.#closed) throw new IoError("BLOSC2_IO_CLOSED", `row writer: ${operation} after close`, { operation });
  }
}
