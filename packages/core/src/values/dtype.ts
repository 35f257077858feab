/**
 * Item types in NumPy notation, as the b2nd metalayer stores them (`"<f8"`, `"|S5"`, `"[('a', '<i4'), ('b', '<f8')]"`).
 *
 * @module
 */

/** NumPy's kind letters: bool, signed, unsigned, float, complex, bytes, unicode, void (structured too), datetime, timedelta. */
export type DTypeKind = "b" | "i" | "u" | "f" | "c" | "S" | "U" | "V" | "M" | "m";

/** A field of a structured type. */
export interface DTypeField {
  readonly name: string;
  readonly dtype: DType;
  /** Bytes from the start of the item. */
  readonly offset: number;
  /** Shape of a subarray field; empty for a plain one. */
  readonly shape: readonly number[];
}

/** An item type. */
export interface DType {
  /** NumPy's spelling, with byte order: `"<i4"`, `"|u1"`. */
  readonly str: string;
  readonly kind: DTypeKind;
  /** Bytes per item. */
  readonly itemsize: number;
  readonly byteOrder: "little" | "big" | "none";
  /** Fields of a structured type, in order. */
  readonly fields: readonly DTypeField[] | undefined;
}

/** Whether items of two dtypes are the same bytes with the same meaning, however the types are spelt. */
export function sameLayout(a: DType, b: DType): boolean {
  if (a.itemsize !== b.itemsize || (a.fields === undefined) !== (b.fields === undefined)) return false;
  if (a.fields === undefined || b.fields === undefined) return a.str === b.str;
  const others = b.fields;
  return (
    a.fields.length === others.length &&
    a.fields.every((field, i) => {
      const other = others[i] as DTypeField;
      return (
        field.name === other.name &&
        field.offset === other.offset &&
        String(field.shape) === String(other.shape) &&
        sameLayout(field.dtype, other.dtype)
      );
    })
  );
}

/** Arrays in which values of a dtype are handed out; see `NDBuffer.data`. */
export type DTypeArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;
