/**
 * Reading the cells of a zfp stream. A cell is 4 values a side. Its bits, least significant first in each byte: one bit
 * whether any value is not 0; if so the common exponent, then the coefficients bit plane by bit plane from the top, each
 * plane as the bits of the coefficients that are known not to be 0 and a unary run-length code for the rest. The
 * coefficients are negabinary integers ordered by frequency.
 *
 * @module
 */
import { unlift32, unlift64 } from "./plugin-zfp-lift.js";
import { malformedStream } from "./stream-error.js";

/** What a compression mode says about its cells. */
export interface ZfpCellFormat {
  /** 1..4 */
  readonly ndim: number;
  /** 64-bit floating-point numbers rather than 32-bit ones. */
  readonly double: boolean;
  /** Exact number of bits of a cell when the rate is fixed, else `undefined`. */
  readonly cellBits: number | undefined;
  /** Most bit planes of a cell, 1..64. */
  readonly maxPrecision: number;
  /** Exponent of the lowest bit plane. */
  readonly minExponent: number;
}

const MAX_CELL_ITEMS = 256;

/** Position in the cell (x fastest, base 4) of each coefficient, two hexadecimal digits each, by dimensions. */
const COEFFICIENT_ORDER: readonly Uint8Array[] = [
  "00010203",
  "0001040502080609030c0a070d0b0e0f",
  "0001041014110502082015061218092124030c3016192528220a07131c0d313429261a171d350b232c0e32382a1b272d" +
    "1e36393c330f2b2e3a3d371f3e3b2f3f",
  "00010410400550114441140208208054514515061242184809602124818490030c30c055524616491958256461949185" +
    "0aa0228882280713431c4c0d703134c1c4d056596595a189298626a41a989268624a5347174d1d5c357471d4d1c50b23" +
    "832c8c0eb03238c2c8e05aa566999669a8a28a2a575d75d51b4b632787936c2d8d9c1e4eb1b436727839c6d2d8c9e1e4" +
    "0ff033ccc33ca9a69a6a5b67976d9d5eb57679d6d9e5a38b2b8e2eac3ab8b2e8e2caf1cd3dc737f41fdcd37c734faaa7" +
    "9b6b9e6ead7ab9b6e9e6da5ff577ddd77df2ce3ecb3bf82fece3bcb38fabaebaeaf6de7edb7bf96fede7bdb79ffcf3cf" +
    "3faffabbeeebbefdf7df7ffefbefbfff",
].map((digits) =>
  Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16)),
);

/** Every other bit: a number in base -2 and its two's complement form differ by `(x ^ mask) - mask`. */
const NEGABINARY_MASK = 0xaaaaaaaa | 0;
/** More than any cell without a fixed rate has. */
const NO_LIMIT = 0x7fffffff;

const powerBits: DataView = new DataView(new ArrayBuffer(8));

/** 2^exponent, exactly, for -1022..1023. */
function normalPowerOfTwo(exponent: number): number {
  powerBits.setUint32(0, (exponent + 1023) << 20);
  return powerBits.getFloat64(0);
}

/** 2^exponent for -1222..1023; 0 or a subnormal where a float64 has no more. */
function powerOfTwo(exponent: number): number {
  return exponent >= -1022 ? normalPowerOfTwo(exponent) : normalPowerOfTwo(exponent + 200) * normalPowerOfTwo(-200);
}

/** Decodes the cells of a stream one after the other. One stream at a time; reused so that a stream creates no object. */
export class ZfpCellReader {
  /** The values of the last cell, x fastest; float32 ones are not rounded to float32 yet. */
  readonly values: Float64Array = new Float64Array(MAX_CELL_ITEMS);

  /** Coefficients in the order of the stream, then the cell's integers in place; in halves for 64-bit numbers. */
  readonly #orderedLow: Int32Array = new Int32Array(MAX_CELL_ITEMS);
  readonly #orderedHigh: Int32Array = new Int32Array(MAX_CELL_ITEMS);
  readonly #low: Int32Array = new Int32Array(MAX_CELL_ITEMS);
  readonly #high: Int32Array = new Int32Array(MAX_CELL_ITEMS);
  #bytes: Uint8Array = new Uint8Array(0);
  #codec = "";
  #format: ZfpCellFormat = { ndim: 1, double: false, cellBits: undefined, maxPrecision: 64, minExponent: 0 };
  /** The next bit: byte and, counted from there, bit. Bits past the end read as 0 until the cell's end is checked. */
  #byte = 0;
  #bit = 0;

  /** Starts at the first cell of `bytes`. */
  start(bytes: Uint8Array, format: ZfpCellFormat, codec: string): void {
    this.#bytes = bytes;
    this.#format = format;
    this.#codec = codec;
    this.#byte = 0;
    this.#bit = 0;
  }

  /** Releases the stream. */
  finish(): void {
    this.#bytes = this.#bytes.subarray(0, 0);
  }

  /**
   * Decodes the next cell into {@link values}.
   *
   * @throws CodecError when the stream ends inside the cell.
   */
  next(): void {
    const { ndim, double, cellBits, maxPrecision, minExponent } = this.#format;
    this.#byte += this.#bit >> 3;
    this.#bit &= 7;
    const first = this.#bit;
    const size = 4 ** ndim;
    if (this.#take(1) === 0) {
      this.values.fill(0, 0, size);
    } else {
      const exponentBits = double ? 11 : 8;
      const exponent = this.#take(exponentBits) - (double ? 1023 : 127);
      const precision = Math.min(maxPrecision, Math.max(0, exponent - minExponent + 2 * ndim + 2));
      this.#readPlanes(size, double ? 64 : 32, precision, (cellBits ?? NO_LIMIT) - 1 - exponentBits);
      if (double) this.#toDoubles(ndim, exponent);
      else this.#toFloats(ndim, exponent);
    }
    if (cellBits !== undefined) this.#bit = first + cellBits;
    if (this.#byte * 8 + this.#bit > this.#bytes.byteLength * 8) {
      throw malformedStream(this.#codec, "the stream ends inside a cell", this.#byte);
    }
  }

  #take(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.#bit++) {
      value |= ((this.#bytes[this.#byte + (this.#bit >> 3)] >> (this.#bit & 7)) & 1) << i;
    }
    return value;
  }

  /** Fills the ordered coefficients from at most `budget` bits. */
  #readPlanes(size: number, width: number, precision: number, budget: number): void {
    const bytes = this.#bytes;
    const base = this.#byte;
    let bit = this.#bit;
    let rest = budget;
    this.#orderedLow.fill(0, 0, size);
    this.#orderedHigh.fill(0, 0, size);
    // Coefficients before this one have had a bit set.
    let known = 0;
    for (let plane = width - 1; plane >= Math.max(0, width - precision) && rest > 0; plane--) {
      const coefficients = plane >= 32 ? this.#orderedHigh : this.#orderedLow;
      const mask = 1 << (plane & 31);
      const literal = Math.min(known, rest);
      rest -= literal;
      for (let i = 0; i < literal; i++, bit++) {
        if (((bytes[base + (bit >> 3)] >> (bit & 7)) & 1) === 1) coefficients[i] |= mask;
      }
      while (rest > 0 && known < size) {
        rest--;
        const more = (bytes[base + (bit >> 3)] >> (bit & 7)) & 1;
        bit++;
        if (more === 0) break;
        // The next set bit; if it can only be the last coefficient's, it is not written.
        while (rest > 0 && known < size - 1) {
          rest--;
          const set = (bytes[base + (bit >> 3)] >> (bit & 7)) & 1;
          bit++;
          if (set === 1) break;
          known++;
        }
        coefficients[known++] |= mask;
      }
    }
    this.#bit = bit;
  }

  #toFloats(ndim: number, exponent: number): void {
    const order = COEFFICIENT_ORDER[ndim - 1];
    const cell = this.#low;
    for (let i = 0; i < order.length; i++) {
      cell[order[i]] = (this.#orderedLow[i] ^ NEGABINARY_MASK) - NEGABINARY_MASK;
    }
    unlift32(cell, ndim);
    const scale = Math.fround(powerOfTwo(exponent - 30));
    // The product of two float32 numbers is exact here, so storing it rounds once, as a float32 product does.
    for (let i = 0; i < order.length; i++) this.values[i] = scale * Math.fround(cell[i]);
  }

  #toDoubles(ndim: number, exponent: number): void {
    const order = COEFFICIENT_ORDER[ndim - 1];
    const low = this.#low;
    const high = this.#high;
    for (let i = 0; i < order.length; i++) {
      const at = order[i];
      const flippedLow = this.#orderedLow[i] ^ NEGABINARY_MASK;
      const flippedHigh = this.#orderedHigh[i] ^ NEGABINARY_MASK;
      low[at] = flippedLow - NEGABINARY_MASK;
      high[at] = flippedHigh - NEGABINARY_MASK - (flippedLow >>> 0 < NEGABINARY_MASK >>> 0 ? 1 : 0);
    }
    unlift64(low, high, ndim);
    const scale = powerOfTwo(exponent - 62);
    for (let i = 0; i < order.length; i++) this.values[i] = scale * (high[i] * 2 ** 32 + (low[i] >>> 0));
  }
}
