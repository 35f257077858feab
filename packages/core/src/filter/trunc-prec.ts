/**
 * Precision truncation of floating-point numbers, filter 4: clears the lowest mantissa bits, without rounding. Not undone.
 * (*Blosc2 format documents*, filters.)
 *
 * @module
 */
import type { Filter } from "./filter.js";
import { filterFailure } from "./filter-failure.js";
import { maskLowBits } from "./mask-low-bits.js";

/**
 * Precision truncation for typesizes 4 and 8. `meta` is signed: p >= 0 keeps p bits of the 23 (52) of the mantissa, p < 0
 * clears -p of them; at least one bit must stay.
 *
 * @throws CodecError `BLOSC2_FILTER_FAILED` for other typesizes or when no mantissa bit would stay.
 */
export const truncPrec: Filter = {
  id: 4,
  name: "trunc_prec",
  needsReference: false,
  forward(source, target, context): void {
    const typesize = context.superChunkTypesize;
    if (typesize !== 4 && typesize !== 8) throw filterFailure("trunc_prec", "forward", "typesize", "4 or 8", typesize);
    const mantissaBits = typesize === 4 ? 23 : 52;
    const precision = (context.meta << 24) >> 24;
    const zeroedBits = precision >= 0 ? mantissaBits - precision : -precision;
    if (zeroedBits < 0 || zeroedBits >= mantissaBits) {
      const expected = `1..${mantissaBits} bits to keep or -1..${1 - mantissaBits} bits to clear`;
      throw filterFailure("trunc_prec", "forward", "meta", expected, precision);
    }
    maskLowBits(source, target, typesize, zeroedBits);
  },
};
