/** Writing msgpack with the values that python-blosc2 puts in it; see `msgpack-decode.ts`. @module */
import { FixedMsgpackWriter } from "../bytes/fixed-msgpack.js";
import { encodeUtf8 } from "../bytes/utf8.js";
import { describeValue } from "../checks/describe-value.js";
import { ArgumentError } from "../errors.js";
import { dtypeOfArray } from "./dtype-values.js";
import { Complex, EXTENSION, MAX_NESTING, MsgpackExtension, ObjectBuffer, TUPLE_MARK, Tuple } from "./msgpack-types.js";
import { NDBuffer } from "./nd-buffer.js";
import { parseDType } from "./parse-dtype.js";
import { parsePythonLiteral } from "./python-literal.js";
import { spellAsList } from "./spell-dtype.js";

/** Markers of a kind by the width of its length; 0 where there is none. */
const BYTES_MARKS = [0xc4, 0xc5, 0xc6] as const;
const TEXT_MARKS = [0xd9, 0xda, 0xdb] as const;
const EXTENSION_MARKS = [0xc7, 0xc8, 0xc9] as const;
const LIST_MARKS = [0, 0xdc, 0xdd] as const;
const MAP_MARKS = [0, 0xde, 0xdf] as const;

class MsgpackEncoder {
  readonly #writer = new FixedMsgpackWriter();
  /** What is being written, from the outermost on, and how each is reached from the one before. */
  readonly #around: object[] = [];
  readonly #path: string[];

  constructor(path: readonly string[]) {
    this.#path = [...path];
  }

  finish(): Uint8Array {
    return this.#writer.finish();
  }

  #refuse(why: string): ArgumentError {
    const path = this.#path.join("");
    return new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${path} can't be stored as msgpack: ${why}`, {
      parameter: "value",
      position: path,
    });
  }

  #length(length: number, [one, two, four]: readonly [number, number, number]): void {
    if (one !== 0 && length < 0x100) this.#writer.byte(one).byte(length);
    else if (length < 0x10000) this.#writer.byte(two).rawUint16(length);
    else if (length <= 0xffffffff) {
      const width = new Uint8Array(4);
      new DataView(width.buffer).setUint32(0, length);
      this.#writer.byte(four).raw(width);
    } else throw this.#refuse(`it has ${length} bytes or items; at most 2^32 - 1`);
  }

  #integer(value: number | bigint): void {
    const writer = this.#writer;
    if (value < -(2n ** 63n) || value >= 2n ** 64n) throw this.#refuse(`${describeValue(value)} is beyond 64 bits`);
    if (value < -0x80000000) writer.int64(value as number);
    else if (value > 0xffffffff) writer.uint64(value as number);
    else {
      const n = Number(value);
      if (n >= -32 && n < 0x80) writer.byte(n & 0xff);
      else if (n >= 0) {
        if (n < 0x100) writer.byte(0xcc).byte(n);
        else if (n < 0x10000) writer.uint16(n);
        else writer.uint32(n);
      } else if (n >= -0x80) writer.byte(0xd0).byte(n & 0xff);
      else if (n >= -0x8000) writer.int16(n);
      else writer.int32(n);
    }
  }

  #float(value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    this.#writer.byte(0xcb).raw(bytes);
  }

  #text(value: string): void {
    if (/\p{Surrogate}/u.test(value)) throw this.#refuse("half a surrogate pair is no Unicode");
    const bytes = encodeUtf8(value);
    if (bytes.byteLength < 32) this.#writer.byte(0xa0 | bytes.byteLength);
    else this.#length(bytes.byteLength, TEXT_MARKS);
    this.#writer.raw(bytes);
  }

  #binary(bytes: Uint8Array): void {
    this.#length(bytes.byteLength, BYTES_MARKS);
    this.#writer.raw(bytes);
  }

  #extension(type: number, data: Uint8Array): void {
    if (!Number.isInteger(type) || type < -128 || type > 127) throw this.#refuse(`extension ${type}; -128 to 127`);
    // 1, 2, 4, 8 and 16 bytes have markers of their own.
    const short = [1, 2, 4, 8, 16].indexOf(data.byteLength);
    if (short >= 0) this.#writer.byte(0xd4 + short);
    else this.#length(data.byteLength, EXTENSION_MARKS);
    this.#writer.byte(type & 0xff).raw(data);
  }

  #nested(value: unknown): Uint8Array {
    const encoder = new MsgpackEncoder(this.#path);
    encoder.#around.push(...this.#around);
    encoder.value(value);
    return encoder.finish();
  }

  #child(value: unknown, step: string): void {
    this.#path.push(step);
    this.value(value);
    this.#path.pop();
  }

  #list(values: readonly unknown[], mark?: string): void {
    const length = values.length + (mark === undefined ? 0 : 1);
    if (length < 16) this.#writer.byte(0x90 | length);
    else this.#length(length, LIST_MARKS);
    if (mark !== undefined) this.#text(mark);
    for (let i = 0; i < values.length; i++) this.#child(values[i], `[${i}]`);
  }

  #map(entries: readonly (readonly [unknown, unknown])[], step: (key: unknown) => string): void {
    if (entries.length < 16) this.#writer.byte(0x80 | entries.length);
    else this.#length(entries.length, MAP_MARKS);
    for (const [key, content] of entries) {
      this.#child(key, ` (key ${describeValue(key)})`);
      this.#child(content, step(key));
    }
  }

  #time(value: Date): void {
    const time = value.getTime();
    if (Number.isNaN(time)) throw this.#refuse("an invalid Date");
    const seconds = Math.floor(time / 1000);
    const nanoseconds = (time - seconds * 1000) * 1e6;
    const is64 = seconds >= 0 && seconds < 2 ** 34;
    const isShort = is64 && nanoseconds === 0 && seconds < 2 ** 32;
    const data = new Uint8Array(isShort ? 4 : is64 ? 8 : 12);
    const view = new DataView(data.buffer);
    if (isShort) view.setUint32(0, seconds);
    else if (is64) view.setBigUint64(0, (BigInt(nanoseconds) << 34n) | BigInt(seconds));
    else {
      view.setUint32(0, nanoseconds);
      view.setBigInt64(4, BigInt(seconds));
    }
    this.#extension(EXTENSION.time, data);
  }

  #ndarray({ dtype, shape, bytes }: NDBuffer): void {
    const descr = dtype.fields === undefined ? undefined : spellAsList(dtype.fields, dtype.itemsize);
    if (dtype.fields !== undefined && descr === undefined)
      throw this.#refuse("fields that overlap or are out of order");
    const type = descr === undefined ? { str: dtype.str } : { descr: parsePythonLiteral(descr) };
    this.#extension(EXTENSION.ndarray, this.#nested({ dtype: type, shape, data: bytes }));
  }

  #view(value: ArrayBufferView): void {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    const dtype = dtypeOfArray(value);
    if (dtype === undefined || value instanceof Uint8Array) this.#binary(bytes);
    else {
      const items = parseDType(dtype);
      this.#ndarray(new NDBuffer(items, [bytes.byteLength / items.itemsize], bytes));
    }
  }

  #object(value: object): void {
    if (Array.isArray(value)) this.#list(value, value instanceof Tuple ? TUPLE_MARK : undefined);
    else if (value instanceof Map) this.#map([...value], (key) => `.get(${describeValue(key)})`);
    else if (value instanceof Set) this.#extension(EXTENSION.set, this.#nested([...value]));
    else if (ArrayBuffer.isView(value)) this.#view(value);
    else if (/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value)))
      this.#binary(new Uint8Array(value as ArrayBuffer));
    else if (value instanceof Date) this.#time(value);
    else if (value instanceof NDBuffer) this.#ndarray(value);
    else if (value instanceof ObjectBuffer)
      this.#extension(EXTENSION.ndarray, this.#nested({ values: value.values, shape: value.shape }));
    else if (value instanceof Complex) {
      const parts = new DataView(new ArrayBuffer(16));
      parts.setFloat64(0, value.re);
      parts.setFloat64(8, value.im);
      this.#extension(EXTENSION.complex, new Uint8Array(parts.buffer));
    } else if (value instanceof MsgpackExtension) this.#extension(value.type, value.data);
    else if ("toCframe" in value && typeof value.toCframe === "function")
      this.#extension(EXTENSION.cframe, value.toCframe());
    else if (isPlain(value)) this.#map(Object.entries(value), (key) => `.${String(key)}`);
    else throw this.#refuse(`it is ${describeValue(value)}`);
  }

  value(value: unknown): void {
    if (value === null) this.#writer.byte(0xc0);
    else if (typeof value === "boolean") this.#writer.byte(value ? 0xc3 : 0xc2);
    else if (typeof value === "bigint") this.#integer(value);
    else if (typeof value === "number") {
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) this.#integer(value);
      else this.#float(value);
    } else if (typeof value === "string") this.#text(value);
    else if (typeof value !== "object") throw this.#refuse(`it is ${describeValue(value)}`);
    else {
      if (this.#around.includes(value)) throw this.#refuse("it holds itself");
      if (this.#around.length >= MAX_NESTING) throw this.#refuse(`nested deeper than ${MAX_NESTING}`);
      this.#around.push(value);
      this.#object(value);
      this.#around.pop();
    }
  }
}

/** Whether an object is one of fields alone, from this realm or another. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * The msgpack bytes of a value, in the shortest form. Whole numbers up to 2^53 and all bigints are integers; `Uint8Array`,
 * `ArrayBuffer` and `DataView` are byte strings; other typed arrays and {@link NDBuffer} NumPy arrays; `Set`, {@link Tuple} and
 * {@link Complex} python-blosc2's; arrays and super-chunks the frames that they are.
 *
 * @throws ArgumentError naming the path to what msgpack does not hold: functions, symbols, `undefined`, what holds itself, bigints beyond
 * 64 bits, objects of other classes.
 */
export function encodeMsgpack(value: unknown): Uint8Array {
  const encoder = new MsgpackEncoder(["value"]);
  encoder.value(value);
  return encoder.finish();
}
