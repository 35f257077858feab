/** Values of msgpack, and of python-blosc2 within it, that JavaScript has no type for. @module */

/** A Python tuple; a list otherwise. Made by `Tuple.of(1, 2)` or `Tuple.from(list)`. */
export class Tuple<T = unknown> extends Array<T> {}

/** A complex number. */
export class Complex {
  readonly re: number;
  readonly im: number;

  constructor(re: number, im: number) {
    this.re = re;
    this.im = im;
  }
}

/** A frame inside a value: an array or super-chunk that python-blosc2 stored there. Open its bytes as those of any frame. */
export class EmbeddedFrame {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The frame's bytes. */
  toCframe(): Uint8Array {
    return this.bytes;
  }
}

/** A NumPy array of Python objects: values in C order. */
export class ObjectBuffer {
  readonly shape: readonly number[];
  readonly values: readonly unknown[];

  constructor(shape: readonly number[], values: readonly unknown[]) {
    this.shape = shape;
    this.values = values;
  }
}

/** An extension that is not known here, or a time that a `Date` can't hold: its number, -128 to 127, and its bytes. */
export class MsgpackExtension {
  readonly type: number;
  readonly data: Uint8Array;

  constructor(type: number, data: Uint8Array) {
    this.type = type;
    this.data = data;
  }
}

/** Extensions of msgpack (times) and of python-blosc2. */
export const EXTENSION = { time: -1, cframe: 42, complex: 44, set: 45, ndarray: 46 } as const;

/** The first item of the list that stands for a tuple. */
export const TUPLE_MARK = "__tuple__";

/** Lists, maps and extensions within each other; Python's own limit is 1,024. */
export const MAX_NESTING = 500;
