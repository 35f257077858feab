/** An n-dimensional array in memory: what reading a slice gives. @module */
import { ArgumentError } from "../errors.js";
import type { DType, DTypeArray } from "./dtype.js";
import { valuesFromBytes } from "./dtype-values.js";
import { cOrderStrides, product } from "./shape.js";

/** Nested JavaScript arrays of item values. */
export type NestedArray = (number | bigint | boolean | string | Uint8Array | NestedArray)[];

/** One item as a JavaScript value; see {@link NDBuffer.get}. */
export type ItemValue = number | bigint | boolean | string | Uint8Array | readonly [number, number];

/** Items in C order, with their shape and type. Owns its memory. */
export class NDBuffer {
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
   * One item: a number, bigint or boolean; a string for `S` and `U` (trailing NULs cut, as NumPy does); `[re, im]` for complex; bytes
   * for everything else.
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
    return this.#item(at);
  }

  #item(at: number): ItemValue {
    const { kind, itemsize } = this.dtype;
    if (kind === "S") return trimmedText(this.bytes.subarray(at * itemsize, (at + 1) * itemsize));
    if (kind === "U") return this.#unicode(at);
    const data = this.data;
    if (data === this.bytes && itemsize !== 1) return this.bytes.slice(at * itemsize, (at + 1) * itemsize);
    if (kind === "V") return this.bytes.slice(at * itemsize, (at + 1) * itemsize);
    if (kind === "c") return [data[2 * at] as number, data[2 * at + 1] as number];
    if (kind === "b") return data[at] !== 0;
    return data[at] as number | bigint;
  }

  #unicode(at: number): string {
    const { itemsize, byteOrder } = this.dtype;
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + at * itemsize, itemsize);
    let text = "";
    for (let i = 0; i < itemsize; i += 4) {
      const point = view.getUint32(i, byteOrder !== "big");
      if (point > 0x10ffff) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `item ${at} holds ${point}, which is no Unicode code point`,
          { parameter: "index" },
        );
      }
      text += String.fromCodePoint(point);
    }
    return text.replace(/\0+$/, "");
  }

  /** The items as nested arrays, one level per dimension. A 0-dimensional buffer gives an array of its one item. */
  toNestedArray(): NestedArray {
    let at = 0;
    const level = (dim: number): NestedArray => {
      const out: NestedArray = [];
      const size = this.shape[dim] ?? 1;
      for (let i = 0; i < size; i++) {
        if (dim >= this.shape.length - 1) out.push(this.#item(at++) as NestedArray[number]);
        else out.push(level(dim + 1));
      }
      return out;
    };
    return level(0);
  }
}

function trimmedText(bytes: Uint8Array): string {
  let end = bytes.byteLength;
  while (end > 0 && bytes[end - 1] === 0) end--;
  // NumPy's S holds bytes; latin1 keeps each of them as one character.
  let text = "";
  for (let i = 0; i < end; i++) text += String.fromCharCode(bytes[i] as number);
  return text;
}
