/** Values of a slice as numbers that can be drawn. @module */
import { ArgumentError, type NDBuffer } from "@b2frame/core/read";
import type { ComplexPart, Numbers } from "./protocol.js";

const MAX_FLOAT = 8;
const MAX_COMPLEX = 16;
const HALF_COMPLEX = 4;
/** What NumPy has for a time that is none. */
const NOT_A_TIME = -(2n ** 63n);

/** Whether values of a type are numbers, or times, that can be drawn. */
export function isNumeric({ kind, itemsize }: { readonly kind: string; readonly itemsize: number }): boolean {
  if ("biuMm".includes(kind)) return true;
  if (kind === "f") return itemsize <= MAX_FLOAT;
  return kind === "c" && itemsize <= MAX_COMPLEX && itemsize > HALF_COMPLEX;
}

/** What can be drawn, and the values themselves where that is not the same. */
export interface DrawnNumbers {
  readonly values: Numbers;
  readonly exact: BigInt64Array | BigUint64Array | undefined;
}

function ofComplex(pairs: ArrayLike<number>, part: ComplexPart): Float64Array {
  const out = new Float64Array(pairs.length / 2);
  for (let i = 0; i < out.length; i++) {
    const re = pairs[2 * i] as number;
    const im = pairs[2 * i + 1] as number;
    if (part === "magnitude") out[i] = Math.hypot(re, im);
    else if (part === "phase") out[i] = Math.atan2(im, re);
    else out[i] = part === "real" ? re : im;
  }
  return out;
}

/** The numbers of a slice. @throws ArgumentError if its items are none */
export function numbersOf(buffer: NDBuffer, part: ComplexPart): DrawnNumbers {
  const { dtype, data } = buffer;
  if (!isNumeric(dtype)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `items of type ${dtype.str} are no numbers to be drawn`, {
      parameter: "dtype",
    });
  }
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const values = new Float64Array(data.length);
    const isTime = "Mm".includes(dtype.kind);
    for (let i = 0; i < values.length; i++) {
      const value = data[i] as bigint;
      values[i] = isTime && value === NOT_A_TIME ? Number.NaN : Number(value);
    }
    return { values, exact: data };
  }
  return { values: dtype.kind === "c" ? ofComplex(data, part) : data, exact: undefined };
}
