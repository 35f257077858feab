// The bitshuffle filter. Bit k (from the lowest) of byte j of every element goes to row 8j + k. Done in tiles: the elements'
// bytes are first brought into planes, then the bits of each plane into rows; and the other way round.
import { copyExact } from "./copy-bytes";
import { STREAMS, TILE, TILE_ITEMS } from "./memory-map";
import { setPlanes } from "./shuffle";
import { shuffleStreams } from "./shuffle-streams";
import { interleaveHigh, interleaveLow } from "./transpose";
import { unshuffleStreams } from "./unshuffle-streams";

/** Transposes both 8x8 bit matrices of `x` (a matrix row a byte): three exchanges across the diagonal, block sizes 1, 2, 4. @inline */
function transposeBits(x: v128): v128 {
  let t = v128.and(v128.xor(x, i64x2.shr_u(x, 7)), i32x4.splat(0x00aa00aa));
  x = v128.xor(x, v128.xor(t, i64x2.shl(t, 7)));
  t = v128.and(v128.xor(x, i64x2.shr_u(x, 14)), i32x4.splat(0x0000cccc));
  x = v128.xor(x, v128.xor(t, i64x2.shl(t, 14)));
  t = v128.and(v128.xor(x, i64x2.shr_u(x, 28)), i64x2.splat(0xf0f0f0f0));
  return v128.xor(x, v128.xor(t, i64x2.shl(t, 28)));
}

/** Elements that take part; the rest of the block is copied. @inline */
function shuffledItems(typesize: usize, length: usize): usize {
  return (length / typesize) & ~7;
}

/** Spreads the bits of `items` plane bytes over eight rows; `items` is a multiple of 8. @inline */
function planeToRows(plane: usize, items: usize, row: usize, rowLength: usize): void {
  let i: usize = 0;
  for (; i + 16 <= items; i += 16) {
    let v = v128.load(plane + i);
    let at = row + rowLength * 7 + (i >> 3);
    for (let k = 0; k < 8; k++) {
      store<u16>(at, <u16>i8x16.bitmask(v));
      v = i8x16.add(v, v);
      at -= rowLength;
    }
  }
  if (i < items) {
    let v = v128.load64_zero(plane + i);
    let at = row + rowLength * 7 + (i >> 3);
    for (let k = 0; k < 8; k++) {
      store<u8>(at, <u8>i8x16.bitmask(v));
      v = i8x16.add(v, v);
      at -= rowLength;
    }
  }
}

/** Gathers the bits of eight rows into `items` plane bytes; `items` is a multiple of 8, at most `TILE_ITEMS`. @inline */
function rowsToPlane(row: usize, rowLength: usize, items: usize, plane: usize): void {
  if (items == TILE_ITEMS) {
    const a0 = v128.load(row);
    const a1 = v128.load(row + rowLength);
    const a2 = v128.load(row + rowLength * 2);
    const a3 = v128.load(row + rowLength * 3);
    const a4 = v128.load(row + rowLength * 4);
    const a5 = v128.load(row + rowLength * 5);
    const a6 = v128.load(row + rowLength * 6);
    const a7 = v128.load(row + rowLength * 7);
    const b0 = interleaveLow(a0, a4);
    const b1 = interleaveHigh(a0, a4);
    const b2 = interleaveLow(a1, a5);
    const b3 = interleaveHigh(a1, a5);
    const b4 = interleaveLow(a2, a6);
    const b5 = interleaveHigh(a2, a6);
    const b6 = interleaveLow(a3, a7);
    const b7 = interleaveHigh(a3, a7);
    const c0 = interleaveLow(b0, b4);
    const c1 = interleaveHigh(b0, b4);
    const c2 = interleaveLow(b1, b5);
    const c3 = interleaveHigh(b1, b5);
    const c4 = interleaveLow(b2, b6);
    const c5 = interleaveHigh(b2, b6);
    const c6 = interleaveLow(b3, b7);
    const c7 = interleaveHigh(b3, b7);
    v128.store(plane, transposeBits(interleaveLow(c0, c4)));
    v128.store(plane, transposeBits(interleaveHigh(c0, c4)), 16);
    v128.store(plane, transposeBits(interleaveLow(c1, c5)), 32);
    v128.store(plane, transposeBits(interleaveHigh(c1, c5)), 48);
    v128.store(plane, transposeBits(interleaveLow(c2, c6)), 64);
    v128.store(plane, transposeBits(interleaveHigh(c2, c6)), 80);
    v128.store(plane, transposeBits(interleaveLow(c3, c7)), 96);
    v128.store(plane, transposeBits(interleaveHigh(c3, c7)), 112);
    return;
  }
  for (let i: usize = 0; i < items; i += 8) {
    let rows: u64 = 0;
    let at = row + rowLength * 7 + (i >> 3);
    for (let k = 0; k < 8; k++) {
      rows = (rows << 8) | load<u8>(at);
      at -= rowLength;
    }
    v128.store64_lane(plane + i, transposeBits(i64x2.splat(rows)), 0);
  }
}

/** Forward bitshuffle of `length` bytes as elements of 1..255 bytes. */
export function bitshuffle(typesize: usize, length: usize, source: usize, target: usize): void {
  const count = shuffledItems(typesize, length);
  const rowLength = count >> 3;
  setPlanes(TILE, typesize, TILE_ITEMS);
  for (let i: usize = 0; i < count; i += TILE_ITEMS) {
    const items = min(TILE_ITEMS, count - i);
    shuffleStreams(source + i * typesize, typesize, items, STREAMS);
    for (let j: usize = 0; j < typesize; j++) {
      planeToRows(TILE + j * TILE_ITEMS, items, target + j * count + (i >> 3), rowLength);
    }
  }
  const whole = count * typesize;
  copyExact(target + whole, source + whole, length - whole);
}

/** Backward bitshuffle of `length` bytes as elements of 1..255 bytes. */
export function unbitshuffle(typesize: usize, length: usize, source: usize, target: usize): void {
  const count = shuffledItems(typesize, length);
  const rowLength = count >> 3;
  setPlanes(TILE, typesize, TILE_ITEMS);
  for (let i: usize = 0; i < count; i += TILE_ITEMS) {
    const items = min(TILE_ITEMS, count - i);
    for (let j: usize = 0; j < typesize; j++) {
      rowsToPlane(source + j * count + (i >> 3), rowLength, items, TILE + j * TILE_ITEMS);
    }
    unshuffleStreams(STREAMS, typesize, 0, items, target + i * typesize);
  }
  const whole = count * typesize;
  copyExact(target + whole, source + whole, length - whole);
}
