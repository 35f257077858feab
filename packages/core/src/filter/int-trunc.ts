/**
 * Precision truncation of integers, filter 36: clears the lowest bits, without rounding. Not undone. (*Blosc2 format
 * documents*, filters.)
 *
 * @module
 */
import type { Filter } from "./filter.js";
import { filterFailure } from "./filter-failure.js";
import { maskLowBits } from "./mask-low-bits.js";

/**
 * Integer truncation for typesizes 1, 2, 4 and 8. `meta` is signed: p >= 0 keeps the highest p bits of an element, p < 0
 * clears the lowest -p; at least one bit must stay.
 *
 * @throws CodecError `BLOSC2_FILTER_FAILED` for other typesizes or when no bit would stay.
 */
export const intTrunc: Filter = {
  id: 36,
  name: "int_trunc",
  needsReference: false,
  forward(source, target, context): void {
    const typesize = context.superChunkTypesize;
    if (typesize !== 1 && typesize !== 2 && typesize !== 4 && typesize !== 8) {
      throw filterFailure("int_trunc", "forward", "typesize", "1, 2, 4 or 8", typesize);
    }
    const bits = typesize * 8;
    const precision = (context.meta << 24) >> 24;
    const zeroedBits = precision >= 0 ? bits - precision : -precision;
    if (zeroedBits < 0 || zeroedBits >= bits) {
      const expected = `1..${bits} bits to keep or -1..${1 - bits} bits to clear`;
      throw filterFailure("int_trunc", "forward", "meta", expected, precision);
    }
    maskLowBits(source, target, typesize, zeroedBits);
  },
};
