/** An n-dimensional array in memory: what reading a slice gives. @module */
import { plainLine, showInConsole, tupleText } from "../checks/showing.js";
import { ArgumentError } from "../errors.js";
import type { DType, DTypeArray } from "./dtype.js";
import { valuesFromBytes } from "./dtype-values.js";
import { type ItemValue, itemValue, type NestedArray, nestedItems } from "./item-value.js";
import { cOrderStrides, product } from "./shape.js";

/** What shows the values, where there is something that does: small bundles do without it. */
let shownBy: ((buffer: NDBuffer) => string) | undefined;

/** Lets buffers show their values. */
export function showBuffersBy(show: (buffer: NDBuffer) => string): void {
  shownBy = show;
}

/** Items in C order, with their shape and type. Owns its memory. */
export class NDBuffer {
  static {
    showInConsole(NDBuffer.prototype);
  }

  readonly dtype: DType;
  readonly shape: readonly number[];
  /** C-order strides, in items. */
  readonly strides: readonly number[];
  /** The items as stored: `product(shape) * dtype.itemsize` bytes. */
  readonly bytes: Uint8Array;
  #data: DTypeArray | undefined;

  constructor(dtype: DType, shape: readonly number[], bytes: Uint8Array) {
    if (bytes.byteLength !== product(shape) * dtype.itemsize) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `${bytes.byteLength} bytes for shape (${shape.join(", ")}) of ${dtype.str}; expected ${product(shape) * dtype.itemsize}`,
        { parameter: "bytes" },
      );
    }
    this.dtype = dtype;
    this.shape = shape;
    this.strides = cOrderStrides(shape);
    this.bytes = bytes;
  }

  /** Items in the buffer. */
  get itemCount(): number {
    return product(this.shape);
  }

  /**
   * The values as a typed array, in C order: BigInt arrays for 64-bit integers, `Uint8Array` of 0 and 1 for bool, `Float32Array` for
   * float16, interleaved real and imaginary parts for complex, plain bytes for strings, void and structured types.
   */
  get data(): DTypeArray {
    this.#data ??= valuesFromBytes(this.dtype, this.bytes);
    return this.#data;
  }

  /**
   * One item: a number, bigint or boolean; a string for `S` and `U` (trailing NULs cut, as NumPy does); `[re, im]` for complex; an
   * object with the fields for structured types; the count of units as a bigint for datetimes; bytes for everything else.
   *
   * @throws ArgumentError unless there is one index per dimension, each in range (negative from the end).
   */
  get(...index: readonly number[]): ItemValue {
    if (index.length !== this.shape.length) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `${index.length} indices for ${this.shape.length} dimensions`,
        { parameter: "index" },
      );
    }
    let at = 0;
    for (let i = 0; i < index.length; i++) {
      const size = this.shape[i] as number;
      const given = index[i] as number;
      const n = given < 0 ? given + size : given;
      if (!Number.isInteger(n) || n < 0 || n >= size) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_OUT_OF_RANGE",
          `index ${given} is out of range for dimension ${i} of size ${size}`,
          {
            parameter: `index[${i}]`,
            value: given,
          },
        );
      }
      at += n * (this.strides[i] as number);
    }
    return itemValue(this.dtype, this.#view, at * this.dtype.itemsize);
  }

  /** Shape and dtype, below them the values as NumPy prints them; in programs that only read, without the values. */
  toString(): string {
    return shownBy?.(this) ?? `NDBuffer ${tupleText(this.shape)} ${plainLine(this.dtype.str)}`;
  }

  get #view(): DataView {
    return new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  /** The items as nested arrays, one level per dimension. A 0-dimensional buffer gives an array of its one item. */
  toNestedArray(): NestedArray {
    return nestedItems(this.dtype, this.#view, 0, this.shape);
  }
}
