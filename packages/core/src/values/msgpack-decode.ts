/** Reading msgpack with the values that python-blosc2 puts in it (specification of msgpack, `msgpack_utils.py` of python-blosc2). @module */
import { decodeUtf8 } from "../bytes/utf8.js";
import { FormatError, isBlosc2Error } from "../errors.js";
import {
  Complex,
  EmbeddedFrame,
  EXTENSION,
  MAX_NESTING,
  MsgpackExtension,
  ObjectBuffer,
  TUPLE_MARK,
  Tuple,
} from "./msgpack-types.js";
import { NDBuffer } from "./nd-buffer.js";
import { dtypeFromLiteral } from "./parse-dtype.js";
import { product } from "./shape.js";

class MsgpackDecoder {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #depth: number;

  constructor(bytes: Uint8Array, depth: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#depth = depth;
  }

  fail(field: string, expected: string, found: string | number): FormatError {
    const location = { structure: "msgpack", position: this.#at };
    return new FormatError("BLOSC2_FORMAT_INVALID", { ...location, field, expected, found });
  }

  /** Steps over `length` bytes and gives where they began. */
  #take(length: number): number {
    const at = this.#at;
    const left = this.#bytes.byteLength - at;
    if (length > left) throw this.fail("value", `${length} bytes`, left);
    this.#at = at + length;
    return at;
  }

  #uint(width: number): number {
    const at = this.#take(width);
    return width === 1 ? this.#view.getUint8(at) : width === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #int(width: number): number | bigint {
    const at = this.#take(width);
    if (width === 8) return exact(this.#view.getBigInt64(at));
    return width === 1 ? this.#view.getInt8(at) : width === 2 ? this.#view.getInt16(at) : this.#view.getInt32(at);
  }

  #raw(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#bytes.slice(at, at + length);
  }

  #text(length: number): string {
    const text = decodeUtf8(this.#raw(length));
    if (text === undefined) throw this.fail("string", "UTF-8", "other bytes");
    return text;
  }

  end(): void {
    const left = this.#bytes.byteLength - this.#at;
    if (left > 0) throw this.fail("value", "the end", `${left} more bytes`);
  }

  value(): unknown {
    const mark = this.#uint(1);
    if (mark < 0x80) return mark;
    if (mark >= 0xe0) return mark - 0x100;
    if (mark < 0x90) return this.#map(mark & 15);
    if (mark < 0xa0) return this.#list(mark & 15);
    if (mark < 0xc0) return this.#text(mark & 31);
    // 1, 2 or 4 for the three widths of a length; 1, 2, 4 or 8 for those of a number or a short extension.
    if (mark >= 0xd9 && mark <= 0xdb) return this.#text(this.#uint(1 << (mark - 0xd9)));
    if (mark >= 0xc4 && mark <= 0xc6) return this.#raw(this.#uint(1 << (mark - 0xc4)));
    if (mark >= 0xcc && mark <= 0xce) return this.#uint(1 << (mark - 0xcc));
    if (mark >= 0xd0 && mark <= 0xd3) return this.#int(1 << (mark - 0xd0));
    if (mark >= 0xd4 && mark <= 0xd8) return this.#extension(1 << (mark - 0xd4));
    if (mark >= 0xc7 && mark <= 0xc9) return this.#extension(this.#uint(1 << (mark - 0xc7)));
    if (mark === 0xdc || mark === 0xdd) return this.#list(this.#uint(mark === 0xdc ? 2 : 4));
    if (mark === 0xde || mark === 0xdf) return this.#map(this.#uint(mark === 0xde ? 2 : 4));
    if (mark === 0xc0) return null;
    if (mark === 0xc2 || mark === 0xc3) return mark === 0xc3;
    if (mark === 0xca) return this.#view.getFloat32(this.#take(4));
    if (mark === 0xcb) return this.#view.getFloat64(this.#take(8));
    if (mark === 0xcf) return exact(this.#view.getBigUint64(this.#take(8)));
    throw this.fail("marker", "one of msgpack", mark);
  }

  /** Decodes `count` values one level deeper. Each takes a byte at least, so that a length alone can't ask for memory. */
  #values(count: number): unknown[] {
    if (count > this.#bytes.byteLength - this.#at) throw this.fail("length", "as many as there are bytes", count);
    if (++this.#depth > MAX_NESTING) throw this.fail("nesting", `at most ${MAX_NESTING}`, this.#depth);
    const values: unknown[] = [];
    for (let i = 0; i < count; i++) values.push(this.value());
    this.#depth--;
    return values;
  }

  #list(length: number): unknown[] {
    const values = this.#values(length);
    return values[0] === TUPLE_MARK ? Tuple.from(values.slice(1)) : values;
  }

  /** An object if all keys are strings, else a Map. */
  #map(size: number): unknown {
    const values = this.#values(2 * size);
    const entries: [unknown, unknown][] = [];
    for (let i = 0; i < values.length; i += 2) entries.push([values[i], values[i + 1]]);
    return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : new Map(entries);
  }

  #extension(length: number): unknown {
    const type = Number(this.#int(1));
    const data = this.#raw(length);
    const view = new DataView(data.buffer);
    if (type === EXTENSION.time) return timeOf(view) ?? new MsgpackExtension(type, data);
    if (type === EXTENSION.cframe) return new EmbeddedFrame(data);
    if (type === EXTENSION.complex && length === 16) return new Complex(view.getFloat64(0), view.getFloat64(8));
    if (type !== EXTENSION.set && type !== EXTENSION.ndarray) return new MsgpackExtension(type, data);
    const inner = new MsgpackDecoder(data, this.#depth + 1);
    const content = inner.value();
    inner.end();
    if (type === EXTENSION.ndarray) return this.#ndarray(content);
    if (!Array.isArray(content)) throw this.fail("set", "a list", typeof content);
    return new Set(content);
  }

  #ndarray(content: unknown): NDBuffer | ObjectBuffer {
    const { shape, values, dtype, data } = (content ?? {}) as Record<string, unknown>;
    const isShape = Array.isArray(shape) && shape.every((n) => Number.isSafeInteger(n) && n >= 0);
    if (!isShape) throw this.fail("shape of an array", "a list of integers from 0", typeof shape);
    if (Array.isArray(values)) {
      if (values.length !== product(shape))
        throw this.fail("values of an array", String(product(shape)), values.length);
      return new ObjectBuffer(shape, values);
    }
    const { str, descr } = (dtype ?? {}) as { str?: string; descr?: unknown[] };
    if (!(data instanceof Uint8Array)) throw this.fail("data of an array", "bytes", typeof data);
    try {
      return new NDBuffer(dtypeFromLiteral(str ?? (descr as never)), shape, data);
    } catch (error) {
      if (!isBlosc2Error(error)) throw error;
      throw this.fail("array", "items of a dtype", error.message);
    }
  }
}

/** An integer as a number where a number holds it exactly. */
function exact(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** The time in msgpack's extension -1; `undefined` if a Date does not hold all of it. */
function timeOf(view: DataView): Date | undefined {
  let seconds: number;
  let nanoseconds = 0;
  if (view.byteLength === 4) seconds = view.getUint32(0);
  else if (view.byteLength === 8) {
    nanoseconds = view.getUint32(0) >>> 2;
    seconds = (view.getUint32(0) & 3) * 2 ** 32 + view.getUint32(4);
  } else if (view.byteLength === 12) {
    nanoseconds = view.getUint32(0);
    seconds = Number(view.getBigInt64(4));
  } else return undefined;
  const date = new Date(seconds * 1000 + nanoseconds / 1e6);
  return nanoseconds % 1e6 === 0 && !Number.isNaN(date.getTime()) ? date : undefined;
}

/**
 * The value that msgpack bytes stand for: integers as numbers, beyond 2^53 as bigints; maps as objects, or as `Map` where a key is no
 * string; byte strings as `Uint8Array`; python-blosc2's tuples, complex numbers, sets, NumPy arrays and frames as {@link Tuple},
 * {@link Complex}, `Set`, {@link NDBuffer} (or {@link ObjectBuffer}) and {@link EmbeddedFrame}; times as `Date`; other extensions as
 * {@link MsgpackExtension}.
 *
 * @throws FormatError naming the position where it stops being msgpack.
 */
export function decodeMsgpack(bytes: Uint8Array): unknown {
  const decoder = new MsgpackDecoder(bytes, 0);
  const value = decoder.value();
  decoder.end();
  return value;
}
