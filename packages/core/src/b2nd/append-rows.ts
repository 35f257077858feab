/** Appending rows that come as a stream: bytes that are cut anywhere, or rows of values. @module */
import { checkOptionNames, type OptionNames } from "../checks/option-names.js";
import { ArgumentError } from "../errors.js";
import { type BytePiece, endedInside } from "../streams/byte-pieces.js";
import { eachPiece } from "../streams/each-piece.js";
import type { PieceSource, StreamOptions } from "../streams/web-streams.js";
import { checkAllocation } from "../super-chunk/check-allocation.js";
import { NDBuffer } from "../values/nd-buffer.js";
import { product } from "../values/shape.js";
import type { ArrayInput } from "./array-input.js";
import type { NDArray } from "./nd-array.js";
import { RowWriter, type RowWriterOptions } from "./row-writer.js";

/** How rows are taken off a stream. */
export interface AppendFromOptions extends StreamOptions, RowWriterOptions {}

const APPEND_FROM_NAMES: OptionNames<AppendFromOptions> = { signal: true, bufferBytes: true };
const OPERATION = "appendFrom";

/** Makes rows of bytes. */
class RowsOfBytes {
  readonly #array: NDArray;
  readonly #writer: RowWriter;
  readonly #rowBytes: number;
  /** The beginning of a row that goes on in the next piece. */
  readonly #begun: Uint8Array;
  #filled = 0;

  constructor(array: NDArray, writer: RowWriter) {
    this.#array = array;
    this.#writer = writer;
    this.#rowBytes = product(array.shape.slice(1)) * array.dtype.itemsize;
    checkAllocation(array.schunk, this.#rowBytes, "row");
    this.#begun = new Uint8Array(this.#rowBytes);
  }

  add(bytes: Uint8Array): void {
    const rowBytes = this.#rowBytes;
    if (rowBytes === 0 && bytes.byteLength > 0) {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${OPERATION}: rows of this array have no bytes`, {
        parameter: "source",
        shape: this.#array.shape.join(","),
      });
    }
    let done = 0;
    if (this.#filled > 0) {
      done = Math.min(bytes.byteLength, rowBytes - this.#filled);
      this.#begun.set(bytes.subarray(0, done), this.#filled);
      this.#filled += done;
      if (this.#filled < rowBytes) return;
      this.#write(this.#begun, 1);
      this.#filled = 0;
    }
    const whole = Math.floor((bytes.byteLength - done) / rowBytes);
    if (whole > 0) this.#write(bytes.subarray(done, done + whole * rowBytes), whole);
    const rest = bytes.subarray(done + whole * rowBytes);
    this.#begun.set(rest);
    this.#filled = rest.byteLength;
  }

  #write(bytes: Uint8Array, count: number): void {
    const { dtype, shape } = this.#array;
    this.#writer.write(new NDBuffer(dtype, [count, ...shape.slice(1)], bytes));
  }

  /** @throws IoError `BLOSC2_IO_SHORT_READ` inside a row */
  end(): void {
    if (this.#filled > 0) throw endedInside(OPERATION, "row", this.#writer.written, this.#filled, this.#rowBytes);
  }
}

function isBytes(piece: unknown): piece is BytePiece {
  return piece instanceof Uint8Array || piece instanceof ArrayBuffer;
}

/** What `NDArray.appendFrom` does. @returns the number of rows */
export async function appendRowsFrom(
  array: NDArray,
  source: PieceSource<BytePiece | ArrayInput>,
  { signal, ...options }: AppendFromOptions,
): Promise<number> {
  checkOptionNames(APPEND_FROM_NAMES, options);
  const writer = new RowWriter(array, options);
  const bytes = new RowsOfBytes(array, writer);
  try {
    await eachPiece(source, OPERATION, { signal }, (piece) => {
      if (isBytes(piece)) {
        bytes.add(piece instanceof ArrayBuffer ? new Uint8Array(piece) : piece);
      } else {
        // Values in the middle of a row of bytes would end that row.
        bytes.end();
        writer.write(piece);
      }
    });
    bytes.end();
    writer.close();
  } catch (error) {
    writer.discard();
    throw error;
  }
  return writer.written;
}
