/** Values of a dtype to and from bytes as stored. @module */
import { getFloat16, setFloat16 } from "@petamoriken/float16";
import { ArgumentError } from "../errors.js";
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

const INTEGER_LIMITS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  i1: [-128n, 127n],
  u1: [0n, 255n],
  i2: [-32768n, 32767n],
  u2: [0n, 65535n],
  i4: [-2147483648n, 2147483647n],
  u4: [0n, 4294967295n],
  i8: [-(2n ** 63n), 2n ** 63n - 1n],
  u8: [0n, 2n ** 64n - 1n],
  M8: [-(2n ** 63n), 2n ** 63n - 1n],
  m8: [-(2n ** 63n), 2n ** 63n - 1n],
};

function refuse(dtype: DType, value: unknown, why: string): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `value ${String(value)} can't be stored as ${dtype.str}: ${why}`,
    {
      parameter: "data",
      dtype: dtype.str,
    },
  );
}

type Scalar = number | bigint | boolean;

/** Stores values one by one; the slow path of {@link bytesFromValues}. */
function storeScalars(dtype: DType, values: ArrayLike<Scalar>): Uint8Array {
  const unit = unitWidth(dtype);
  const out = new Uint8Array(values.length * unit);
  const view = new DataView(out.buffer);
  const little = dtype.byteOrder !== "big";
  const limits = INTEGER_LIMITS[`${dtype.kind}${dtype.itemsize}`];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as Scalar;
    const at = i * unit;
    if (dtype.kind === "b") {
      view.setUint8(at, value ? 1 : 0);
    } else if (limits !== undefined) {
      if (typeof value === "number" && !Number.isInteger(value)) throw refuse(dtype, value, "not an integer");
      const integer = BigInt(value);
      if (integer < limits[0] || integer > limits[1]) throw refuse(dtype, value, "out of range");
      if (unit === 8) view.setBigUint64(at, BigInt.asUintN(64, integer), little);
      else if (unit === 4) view.setUint32(at, Number(BigInt.asUintN(32, integer)), little);
      else if (unit === 2) view.setUint16(at, Number(BigInt.asUintN(16, integer)), little);
      else view.setUint8(at, Number(BigInt.asUintN(8, integer)));
    } else {
      const float = Number(value);
      if (unit === 8) view.setFloat64(at, float, little);
      else if (unit === 4) view.setFloat32(at, float, little);
      else setFloat16(view, at, float, little);
    }
  }
  return out;
}

/**
 * The bytes to store for `values`: a typed array or list of numbers, bigints or booleans, converted to the dtype.
 * Integers must be in range and whole; floats are rounded to the dtype's precision. For dtypes without a typed array
 * (strings, void, structured) `values` must be a `Uint8Array` of whole items.
 *
 * May return a view of `values` where no conversion is needed.
 *
 * @throws ArgumentError `BLOSC2_ARGUMENT_INVALID` when a value does not fit the dtype.
 */
export function bytesFromValues(dtype: DType, values: DTypeArray | ArrayLike<Scalar>): Uint8Array {
  const storage = storageArray(dtype);
  if (storage === undefined) {
    if (!(values instanceof Uint8Array)) throw refuse(dtype, "(list)", "give a Uint8Array of whole items");
    if (values.byteLength % dtype.itemsize !== 0)
      throw refuse(dtype, `of ${values.byteLength} bytes`, "not whole items");
    return values;
  }
  const isFloat16 = dtype.kind === "f" && dtype.itemsize === 2;
  const sameStorage = !isFloat16 && dtype.kind !== "b" && ArrayBuffer.isView(values) && values.constructor === storage;
  if (sameStorage && !needsSwap(dtype)) {
    const view = values as DTypeArray;
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  }
  return storeScalars(dtype, values as ArrayLike<Scalar>);
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
