/**
 * Bit shuffle, filter 2: bits of the same significance are put together. With n = floor(length / typesize) rounded down to
 * a multiple of 8, row `j * 8 + k` (n / 8 bytes) holds in bit m of its byte i the bit k of byte j of element 8 i + m, least
 * significant bit first. Everything after the n elements stays where it is. (*Blosc2 format documents*, filters.)
 *
 * A byte shuffle followed by an 8 x 8 bit transpose of each 8 bytes gives the same, so a tile of elements is byte-shuffled
 * into a small scratch that stays in the first-level cache, then transposed from there.
 *
 * @module
 */
import type { Filter } from "./filter.js";
import { shuffleElements, unshuffleElements } from "./shuffle.js";
import { wordView } from "./word-view.js";

/** 64 elements of the largest typesize. */
const TILE_BYTES = 16384;
const scratch: Uint8Array = new Uint8Array(TILE_BYTES);
const scratchView: DataView = new DataView(scratch.buffer);

/** Elements per tile: a multiple of 32, so that a tile advances each row by whole words. */
function itemsPerTile(typesize: number): number {
  return Math.floor(TILE_BYTES / typesize / 32) * 32;
}

/** The part of an 8 x 8 bit transpose that stays within one half (four bytes); {@link swapMask} does the rest. */
function transposeHalf(half: number): number {
  const near = (half ^ (half >>> 7)) & 0x00aa00aa;
  const x = half ^ near ^ (near << 7);
  const far = (x ^ (x >>> 14)) & 0x0000cccc;
  return x ^ far ^ (far << 14);
}

/** What to flip so that the high nibbles of `low` change places with the low nibbles of `high` (there shifted by 4). */
function swapMask(low: number, high: number): number {
  return (low ^ (high << 4)) & 0xf0f0f0f0;
}

/** Bytes 0 of four words, then bytes 2. */
function even(a: number, b: number): number {
  return (a & 0x00ff00ff) | ((b & 0x00ff00ff) << 8);
}

/** Bytes 1 of two words, then bytes 3. */
function odd(a: number, b: number): number {
  return ((a >>> 8) & 0x00ff00ff) | (b & 0xff00ff00);
}

/**
 * Bit-transposes `itemCount` (a multiple of 8) scratch bytes at `at` into 8 rows of `rowBytes`, the first at `target[out]`.
 */
function runToRows(at: number, itemCount: number, target: Uint8Array, out: number, rowBytes: number): void {
  const groups = itemCount >> 3;
  const words = ((rowBytes | out) & 3) === 0 ? wordView(target) : undefined;
  let group = 0;
  if (words !== undefined) {
    const step = rowBytes >> 2;
    let to = (target.byteOffset + out) / 4;
    for (; group + 4 <= groups; group += 4, to++) {
      const from = at + group * 8;
      let a = transposeHalf(scratchView.getInt32(from, true));
      let e = transposeHalf(scratchView.getInt32(from + 4, true));
      let b = transposeHalf(scratchView.getInt32(from + 8, true));
      let f = transposeHalf(scratchView.getInt32(from + 12, true));
      let c = transposeHalf(scratchView.getInt32(from + 16, true));
      let g = transposeHalf(scratchView.getInt32(from + 20, true));
      let d = transposeHalf(scratchView.getInt32(from + 24, true));
      let h = transposeHalf(scratchView.getInt32(from + 28, true));
      let mask = swapMask(a, e);
      a ^= mask;
      e ^= mask >>> 4;
      mask = swapMask(b, f);
      b ^= mask;
      f ^= mask >>> 4;
      mask = swapMask(c, g);
      c ^= mask;
      g ^= mask >>> 4;
      mask = swapMask(d, h);
      d ^= mask;
      h ^= mask >>> 4;
      // Byte k of a, b, c, d goes to row k; byte k of e, f, g, h to row 4 + k.
      const ab = even(a, b);
      const cd = even(c, d);
      words[to] = (ab & 0xffff) | (cd << 16);
      words[to + 2 * step] = (ab >>> 16) | (cd & 0xffff0000);
      const abOdd = odd(a, b);
      const cdOdd = odd(c, d);
      words[to + step] = (abOdd & 0xffff) | (cdOdd << 16);
      words[to + 3 * step] = (abOdd >>> 16) | (cdOdd & 0xffff0000);
      const ef = even(e, f);
      const gh = even(g, h);
      words[to + 4 * step] = (ef & 0xffff) | (gh << 16);
      words[to + 6 * step] = (ef >>> 16) | (gh & 0xffff0000);
      const efOdd = odd(e, f);
      const ghOdd = odd(g, h);
      words[to + 5 * step] = (efOdd & 0xffff) | (ghOdd << 16);
      words[to + 7 * step] = (efOdd >>> 16) | (ghOdd & 0xffff0000);
    }
  }
  for (; group < groups; group++) {
    let low = transposeHalf(scratchView.getInt32(at + group * 8, true));
    let high = transposeHalf(scratchView.getInt32(at + group * 8 + 4, true));
    const mask = swapMask(low, high);
    low ^= mask;
    high ^= mask >>> 4;
    for (let k = 0, to = out + group; k < 32; k += 8, to += rowBytes) {
      target[to] = low >>> k;
      target[to + 4 * rowBytes] = high >>> k;
    }
  }
}

/** Undoes {@link runToRows}: 8 rows, the first at `source[from]`, into `itemCount` scratch bytes at `at`. */
function rowsToRun(source: Uint8Array, from: number, rowBytes: number, at: number, itemCount: number): void {
  const groups = itemCount >> 3;
  const words = ((rowBytes | from) & 3) === 0 ? wordView(source) : undefined;
  let group = 0;
  if (words !== undefined) {
    const step = rowBytes >> 2;
    let row = (source.byteOffset + from) / 4;
    for (; group + 4 <= groups; group += 4, row++) {
      const ab = even(words[row], words[row + step]);
      const cd = even(words[row + 2 * step], words[row + 3 * step]);
      const abOdd = odd(words[row], words[row + step]);
      const cdOdd = odd(words[row + 2 * step], words[row + 3 * step]);
      const ef = even(words[row + 4 * step], words[row + 5 * step]);
      const gh = even(words[row + 6 * step], words[row + 7 * step]);
      const efOdd = odd(words[row + 4 * step], words[row + 5 * step]);
      const ghOdd = odd(words[row + 6 * step], words[row + 7 * step]);
      const to = at + group * 8;
      putGroup(to, (ab & 0xffff) | (cd << 16), (ef & 0xffff) | (gh << 16));
      putGroup(to + 8, (abOdd & 0xffff) | (cdOdd << 16), (efOdd & 0xffff) | (ghOdd << 16));
      putGroup(to + 16, (ab >>> 16) | (cd & 0xffff0000), (ef >>> 16) | (gh & 0xffff0000));
      putGroup(to + 24, (abOdd >>> 16) | (cdOdd & 0xffff0000), (efOdd >>> 16) | (ghOdd & 0xffff0000));
    }
  }
  for (; group < groups; group++) {
    let low = 0;
    let high = 0;
    for (let k = 0, row = from + group; k < 32; k += 8, row += rowBytes) {
      low |= source[row] << k;
      high |= source[row + 4 * rowBytes] << k;
    }
    putGroup(at + group * 8, low, high);
  }
}

/** Bit-transposes one byte of each of 8 rows into 8 scratch bytes. */
function putGroup(to: number, rowsLow: number, rowsHigh: number): void {
  const low = transposeHalf(rowsLow);
  const high = transposeHalf(rowsHigh);
  const mask = swapMask(low, high);
  scratchView.setInt32(to, low ^ mask, true);
  scratchView.setInt32(to + 4, high ^ (mask >>> 4), true);
}

/** Elements that take part, a multiple of 8. */
function wholeItems(byteLength: number, typesize: number): number {
  return Math.floor(byteLength / typesize / 8) * 8;
}

/** Bit shuffle; `meta` is ignored. */
export const bitshuffle: Filter = {
  id: 2,
  name: "bitshuffle",
  needsReference: false,
  forward(source, target, context): void {
    const size = context.typesize;
    const itemCount = wholeItems(source.byteLength, size);
    const rowBytes = itemCount / 8;
    const tile = itemsPerTile(size);
    for (let first = 0; first < itemCount; first += tile) {
      const count = Math.min(tile, itemCount - first);
      shuffleElements(source, first * size, scratch, 0, size, count);
      for (let j = 0; j < size; j++) runToRows(j * count, count, target, j * 8 * rowBytes + first / 8, rowBytes);
    }
    for (let i = itemCount * size; i < source.byteLength; i++) target[i] = source[i];
  },
  backward(source, target, context): void {
    const size = context.typesize;
    // Before chunk version 3 a block was left alone unless its number of elements was a multiple of 8.
    const untouched = context.chunkVersion === 2 && Math.floor(source.byteLength / size) % 8 !== 0;
    const itemCount = untouched ? 0 : wholeItems(source.byteLength, size);
    const rowBytes = itemCount / 8;
    const tile = itemsPerTile(size);
    for (let first = 0; first < itemCount; first += tile) {
      const count = Math.min(tile, itemCount - first);
      for (let j = 0; j < size; j++) rowsToRun(source, j * 8 * rowBytes + first / 8, rowBytes, j * count, count);
      unshuffleElements(scratch, 0, target, first * size, size, count);
    }
    for (let i = itemCount * size; i < source.byteLength; i++) target[i] = source[i];
  },
};
