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
import { bufferView } from "./buffer-view.js";
import type { Filter } from "./filter.js";
import { shuffleElements, unshuffleElements } from "./shuffle.js";

/** 64 elements of the largest typesize. */
const TILE_BYTES = 16384;
const scratch: Uint8Array = new Uint8Array(TILE_BYTES);
const scratchView: DataView = new DataView(scratch.buffer);

/** Elements per tile: a multiple of 32, so that only the last tile has a rest of fewer than four groups. */
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

/** Bytes 0 of two words, then bytes 2. */
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
  const rows = bufferView(target);
  let group = 0;
  let to = target.byteOffset + out;
  for (; group + 4 <= groups; group += 4, to += 4) {
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
    rows.setInt32(to, (ab & 0xffff) | (cd << 16), true);
    rows.setInt32(to + 2 * rowBytes, (ab >>> 16) | (cd & 0xffff0000), true);
    const abOdd = odd(a, b);
    const cdOdd = odd(c, d);
    rows.setInt32(to + rowBytes, (abOdd & 0xffff) | (cdOdd << 16), true);
    rows.setInt32(to + 3 * rowBytes, (abOdd >>> 16) | (cdOdd & 0xffff0000), true);
    const ef = even(e, f);
    const gh = even(g, h);
    rows.setInt32(to + 4 * rowBytes, (ef & 0xffff) | (gh << 16), true);
    rows.setInt32(to + 6 * rowBytes, (ef >>> 16) | (gh & 0xffff0000), true);
    const efOdd = odd(e, f);
    const ghOdd = odd(g, h);
    rows.setInt32(to + 5 * rowBytes, (efOdd & 0xffff) | (ghOdd << 16), true);
    rows.setInt32(to + 7 * rowBytes, (efOdd >>> 16) | (ghOdd & 0xffff0000), true);
  }
  for (; group < groups; group++) {
    let low = transposeHalf(scratchView.getInt32(at + group * 8, true));
    let high = transposeHalf(scratchView.getInt32(at + group * 8 + 4, true));
    const mask = swapMask(low, high);
    low ^= mask;
    high ^= mask >>> 4;
    for (let k = 0, byte = out + group; k < 32; k += 8, byte += rowBytes) {
      target[byte] = low >>> k;
      target[byte + 4 * rowBytes] = high >>> k;
    }
  }
}

/** Undoes {@link runToRows}: 8 rows, the first at `source[from]`, into `itemCount` scratch bytes at `at`. */
function rowsToRun(source: Uint8Array, from: number, rowBytes: number, at: number, itemCount: number): void {
  const groups = itemCount >> 3;
  const rows = bufferView(source);
  let group = 0;
  let row = source.byteOffset + from;
  for (; group + 4 <= groups; group += 4, row += 4) {
    const r0 = rows.getInt32(row, true);
    const r1 = rows.getInt32(row + rowBytes, true);
    const r2 = rows.getInt32(row + 2 * rowBytes, true);
    const r3 = rows.getInt32(row + 3 * rowBytes, true);
    const r4 = rows.getInt32(row + 4 * rowBytes, true);
    const r5 = rows.getInt32(row + 5 * rowBytes, true);
    const r6 = rows.getInt32(row + 6 * rowBytes, true);
    const r7 = rows.getInt32(row + 7 * rowBytes, true);
    const ab = even(r0, r1);
    const cd = even(r2, r3);
    const abOdd = odd(r0, r1);
    const cdOdd = odd(r2, r3);
    const ef = even(r4, r5);
    const gh = even(r6, r7);
    const efOdd = odd(r4, r5);
    const ghOdd = odd(r6, r7);
    const to = at + group * 8;
    putGroup(to, (ab & 0xffff) | (cd << 16), (ef & 0xffff) | (gh << 16));
    putGroup(to + 8, (abOdd & 0xffff) | (cdOdd << 16), (efOdd & 0xffff) | (ghOdd << 16));
    putGroup(to + 16, (ab >>> 16) | (cd & 0xffff0000), (ef >>> 16) | (gh & 0xffff0000));
    putGroup(to + 24, (abOdd >>> 16) | (cdOdd & 0xffff0000), (efOdd >>> 16) | (ghOdd & 0xffff0000));
  }
  for (; group < groups; group++) {
    let low = 0;
    let high = 0;
    for (let k = 0, byte = from + group; k < 32; k += 8, byte += rowBytes) {
      low |= source[byte] << k;
      high |= source[byte + 4 * rowBytes] << k;
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
