/** Reading boxes of items out of a `.npy` file. @module */
import { type DType, decodeNpyHeader, type IoBackend, type IoHandle, NDBuffer } from "@b2frame/core";
import { shortRead } from "@b2frame/core/backend";

/** More than any header has that describes a dtype of sane size. */
const MAX_HEADER_BYTES = 1 << 20;

function product(dims: readonly number[]): number {
  return dims.reduce((result, n) => result * n, 1);
}

/** Strides in items, first dimension slowest (C) or fastest (Fortran). */
function strides(shape: readonly number[], fortranOrder: boolean): number[] {
  const result = new Array<number>(shape.length);
  const order = fortranOrder ? shape.map((_, i) => i) : shape.map((_, i) => shape.length - 1 - i);
  let step = 1;
  for (const dim of order) {
    result[dim] = step;
    step *= shape[dim] as number;
  }
  return result;
}

/** An open `.npy` file whose items are read box by box, in C order whatever the order in the file. */
export class NpyReader {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly #handle: IoHandle;
  readonly #dataPosition: number;
  /** The dimensions, the one that varies fastest in the file first. */
  readonly #dims: readonly number[];
  readonly #fileStrides: readonly number[];

  /** @throws IoError; FormatError if it is no `.npy` file, or shorter than its header says */
  constructor(path: string, backend: IoBackend) {
    this.#handle = backend.open(path, "r");
    try {
      const size = this.#handle.size();
      const head = this.#handle.read(0, Math.min(size, MAX_HEADER_BYTES));
      const { dtype, shape, fortranOrder, dataPosition } = decodeNpyHeader(head, path);
      const length = product(shape) * dtype.itemsize;
      const available = size - dataPosition;
      if (available < length) throw shortRead({ operation: "read", path, position: dataPosition, length }, available);
      this.dtype = dtype;
      this.shape = shape;
      this.#dataPosition = dataPosition;
      this.#fileStrides = strides(shape, fortranOrder);
      const dims = shape.map((_, i) => i);
      this.#dims = fortranOrder ? dims : dims.reverse();
    } catch (error) {
      this.#handle.close();
      throw error;
    }
  }

  /** The items from `start` to `stop`, in C order. */
  read(start: readonly number[], stop: readonly number[]): NDBuffer {
    const counts = stop.map((end, i) => end - (start[i] as number));
    const { itemsize } = this.dtype;
    const bytes = new Uint8Array(product(counts) * itemsize);
    const boxStrides = strides(counts, false);
    const [fastest = -1, ...others] = this.#dims;
    const runLength = fastest === -1 ? 1 : (counts[fastest] as number);
    const runStride = fastest === -1 ? 1 : (boxStrides[fastest] as number);
    const run = new Uint8Array(runLength * itemsize);
    const at = new Array<number>(counts.length).fill(0);
    for (let left = bytes.byteLength === 0 ? 0 : product(counts) / runLength; left > 0; left--) {
      let inFile = 0;
      let inBox = 0;
      for (let dim = 0; dim < at.length; dim++) {
        inFile += ((start[dim] as number) + (at[dim] as number)) * (this.#fileStrides[dim] as number);
        inBox += (at[dim] as number) * (boxStrides[dim] as number);
      }
      const position = this.#dataPosition + inFile * itemsize;
      if (runStride === 1) {
        this.#handle.readInto(position, bytes.subarray(inBox * itemsize, (inBox + runLength) * itemsize));
      } else {
        this.#handle.readInto(position, run);
        scatter(run, bytes, inBox * itemsize, runStride * itemsize, itemsize);
      }
      for (const dim of others) {
        at[dim] = (at[dim] as number) + 1;
        if ((at[dim] as number) < (counts[dim] as number)) break;
        at[dim] = 0;
      }
    }
    return new NDBuffer(this.dtype, counts, bytes);
  }

  close(): void {
    this.#handle.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Puts the items of a run `step` bytes apart. */
function scatter(run: Uint8Array, target: Uint8Array, offset: number, step: number, itemsize: number): void {
  for (let i = 0, to = offset; i < run.byteLength; i += itemsize, to += step) {
    for (let byte = 0; byte < itemsize; byte++) target[to + byte] = run[i + byte] as number;
  }
}
