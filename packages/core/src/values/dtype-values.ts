/** Values of a dtype to and from bytes as stored. @module */
import { getFloat16 } from "@petamoriken/float16";
import type { DType, DTypeArray } from "./dtype.js";

type DTypeArrayConstructor = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => DTypeArray;

/** The typed array whose elements are stored exactly as the dtype's items (or halves of complex items) are, in little-endian order. */
function storageArray(dtype: DType): DTypeArrayConstructor | undefined {
  switch (`${dtype.kind}${dtype.itemsize}`) {
    case "b1":
    case "u1":
      return Uint8Array;
    case "i1":
      return Int8Array;
    case "u2":
    case "f2":
      return Uint16Array;
    case "i2":
      return Int16Array;
    case "u4":
      return Uint32Array;
    case "i4":
      return Int32Array;
    case "f4":
    case "c8":
      return Float32Array;
    case "f8":
    case "c16":
      return Float64Array;
    case "u8":
      return BigUint64Array;
    case "i8":
    case "M8":
    case "m8":
      return BigInt64Array;
    default:
      return undefined;
  }
}

const MACHINE_IS_LITTLE_ENDIAN: boolean = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Reverses the bytes of each `width`-byte unit in place. */
function swapBytes(bytes: Uint8Array, width: number): void {
  for (let start = 0; start + width <= bytes.byteLength; start += width) {
    for (let i = start, j = start + width - 1; i < j; i++, j--) {
      const byte = bytes[i] as number;
      bytes[i] = bytes[j] as number;
      bytes[j] = byte;
    }
  }
}

function unitWidth(dtype: DType): number {
  if (dtype.kind === "c") return dtype.itemsize / 2;
  return dtype.kind === "U" ? 4 : dtype.itemsize;
}

function needsSwap(dtype: DType): boolean {
  return dtype.byteOrder !== "none" && (dtype.byteOrder === "little") !== MACHINE_IS_LITTLE_ENDIAN;
}

/**
 * The values in `bytes` (items as stored). A view where the machine's byte order and alignment allow it, a copy otherwise.
 *
 * bool → `Uint8Array` of 0 and 1; int64, uint64, datetimes → BigInt arrays; float16 → `Float32Array` (exact); complex →
 * interleaved real and imaginary parts; fixed strings, void, structured and extended-precision types → the bytes.
 */
export function valuesFromBytes(dtype: DType, bytes: Uint8Array): DTypeArray {
  const storage = storageArray(dtype);
  if (storage === undefined) return bytes;
  const unit = unitWidth(dtype);
  let aligned = bytes;
  if (needsSwap(dtype) || bytes.byteOffset % unit !== 0) {
    aligned = bytes.slice();
    if (needsSwap(dtype)) swapBytes(aligned, unit);
  }
  if (dtype.kind === "f" && dtype.itemsize === 2) {
    const view = new DataView(aligned.buffer, aligned.byteOffset, aligned.byteLength);
    const floats = new Float32Array(aligned.byteLength / 2);
    for (let i = 0; i < floats.length; i++) floats[i] = getFloat16(view, i * 2, MACHINE_IS_LITTLE_ENDIAN);
    return floats;
  }
  return new storage(aligned.buffer, aligned.byteOffset, aligned.byteLength / unit);
}

/**
 * The bytes of a typed array whose elements are stored as the dtype's items are; `undefined` where they would have to be converted.
 * Halves of complex items count as elements.
 */
export function bytesInPlace(dtype: DType, values: ArrayBufferView): Uint8Array | undefined {
  const isStored =
    dtype.kind !== "b" && !(dtype.kind === "f" && dtype.itemsize === 2) && values.constructor === storageArray(dtype);
  if (!isStored || needsSwap(dtype)) return undefined;
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** The dtype that a typed array holds; `undefined` for a `DataView`. */
export function dtypeOfArray(values: ArrayBufferView): string | undefined {
  const names: Readonly<Record<string, string>> = {
    Int8Array: "|i1",
    Uint8Array: "|u1",
    Uint8ClampedArray: "|u1",
    Int16Array: "<i2",
    Uint16Array: "<u2",
    Int32Array: "<i4",
    Uint32Array: "<u4",
    BigInt64Array: "<i8",
    BigUint64Array: "<u8",
    Float16Array: "<f2",
    Float32Array: "<f4",
    Float64Array: "<f8",
  };
  return names[Object.prototype.toString.call(values).slice(8, -1)];
}
