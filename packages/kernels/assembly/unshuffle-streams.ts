// Unshuffle: byte planes to items. The planes are given by a table of addresses, so that a plane may lie where it was decoded,
// or in the compressed bytes themselves if it was stored raw. Typesizes without code of their own are done as overlapping
// tiles of 16, 8, 4 or 2 planes: bytes in two tiles are written twice, with the same value.
import { copyExact } from "./copy-bytes";
import { interleaveHigh, interleaveLow, scatter2, scatter4, streamAt } from "./transpose";
import { unshuffleTight2, unshuffleTight4, unshuffleTight8 } from "./unshuffle-tight";

/** 4 planes into items of `stride` bytes; returns the items done, a multiple of 16. */
function unshuffleTile4(streams: usize, first: usize, count: usize, target: usize, stride: usize): usize {
  const p0 = streamAt(streams, 0) + first;
  const p1 = streamAt(streams, 1) + first;
  const p2 = streamAt(streams, 2) + first;
  const p3 = streamAt(streams, 3) + first;
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const a0 = v128.load(p0 + i);
    const a1 = v128.load(p1 + i);
    const a2 = v128.load(p2 + i);
    const a3 = v128.load(p3 + i);
    const b0 = interleaveLow(a0, a2);
    const b1 = interleaveHigh(a0, a2);
    const b2 = interleaveLow(a1, a3);
    const b3 = interleaveHigh(a1, a3);
    const c0 = interleaveLow(b0, b2);
    const c1 = interleaveHigh(b0, b2);
    const c2 = interleaveLow(b1, b3);
    const c3 = interleaveHigh(b1, b3);
    const at = target + i * stride;
    scatter4(at, stride, c0);
    scatter4(at + stride * 4, stride, c1);
    scatter4(at + stride * 8, stride, c2);
    scatter4(at + stride * 12, stride, c3);
  }
  return i;
}

/** 8 planes into items of `stride` bytes; returns the items done, a multiple of 16. */
function unshuffleTile8(streams: usize, first: usize, count: usize, target: usize, stride: usize): usize {
  const p0 = streamAt(streams, 0) + first;
  const p1 = streamAt(streams, 1) + first;
  const p2 = streamAt(streams, 2) + first;
  const p3 = streamAt(streams, 3) + first;
  const p4 = streamAt(streams, 4) + first;
  const p5 = streamAt(streams, 5) + first;
  const p6 = streamAt(streams, 6) + first;
  const p7 = streamAt(streams, 7) + first;
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const a0 = v128.load(p0 + i);
    const a1 = v128.load(p1 + i);
    const a2 = v128.load(p2 + i);
    const a3 = v128.load(p3 + i);
    const a4 = v128.load(p4 + i);
    const a5 = v128.load(p5 + i);
    const a6 = v128.load(p6 + i);
    const a7 = v128.load(p7 + i);
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
    const d0 = interleaveLow(c0, c4);
    const d1 = interleaveHigh(c0, c4);
    const d2 = interleaveLow(c1, c5);
    const d3 = interleaveHigh(c1, c5);
    const d4 = interleaveLow(c2, c6);
    const d5 = interleaveHigh(c2, c6);
    const d6 = interleaveLow(c3, c7);
    const d7 = interleaveHigh(c3, c7);
    const at = target + i * stride;
    scatter2(at, stride, d0);
    scatter2(at + stride * 2, stride, d1);
    scatter2(at + stride * 4, stride, d2);
    scatter2(at + stride * 6, stride, d3);
    scatter2(at + stride * 8, stride, d4);
    scatter2(at + stride * 10, stride, d5);
    scatter2(at + stride * 12, stride, d6);
    scatter2(at + stride * 14, stride, d7);
  }
  return i;
}

/** 16 planes into items of `stride` bytes; returns the items done, a multiple of 16. */
function unshuffleTile16(streams: usize, first: usize, count: usize, target: usize, stride: usize): usize {
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const from = first + i;
    const a0 = v128.load(streamAt(streams, 0) + from);
    const a1 = v128.load(streamAt(streams, 1) + from);
    const a2 = v128.load(streamAt(streams, 2) + from);
    const a3 = v128.load(streamAt(streams, 3) + from);
    const a4 = v128.load(streamAt(streams, 4) + from);
    const a5 = v128.load(streamAt(streams, 5) + from);
    const a6 = v128.load(streamAt(streams, 6) + from);
    const a7 = v128.load(streamAt(streams, 7) + from);
    const a8 = v128.load(streamAt(streams, 8) + from);
    const a9 = v128.load(streamAt(streams, 9) + from);
    const a10 = v128.load(streamAt(streams, 10) + from);
    const a11 = v128.load(streamAt(streams, 11) + from);
    const a12 = v128.load(streamAt(streams, 12) + from);
    const a13 = v128.load(streamAt(streams, 13) + from);
    const a14 = v128.load(streamAt(streams, 14) + from);
    const a15 = v128.load(streamAt(streams, 15) + from);
    const b0 = interleaveLow(a0, a8);
    const b1 = interleaveHigh(a0, a8);
    const b2 = interleaveLow(a1, a9);
    const b3 = interleaveHigh(a1, a9);
    const b4 = interleaveLow(a2, a10);
    const b5 = interleaveHigh(a2, a10);
    const b6 = interleaveLow(a3, a11);
    const b7 = interleaveHigh(a3, a11);
    const b8 = interleaveLow(a4, a12);
    const b9 = interleaveHigh(a4, a12);
    const b10 = interleaveLow(a5, a13);
    const b11 = interleaveHigh(a5, a13);
    const b12 = interleaveLow(a6, a14);
    const b13 = interleaveHigh(a6, a14);
    const b14 = interleaveLow(a7, a15);
    const b15 = interleaveHigh(a7, a15);
    const c0 = interleaveLow(b0, b8);
    const c1 = interleaveHigh(b0, b8);
    const c2 = interleaveLow(b1, b9);
    const c3 = interleaveHigh(b1, b9);
    const c4 = interleaveLow(b2, b10);
    const c5 = interleaveHigh(b2, b10);
    const c6 = interleaveLow(b3, b11);
    const c7 = interleaveHigh(b3, b11);
    const c8 = interleaveLow(b4, b12);
    const c9 = interleaveHigh(b4, b12);
    const c10 = interleaveLow(b5, b13);
    const c11 = interleaveHigh(b5, b13);
    const c12 = interleaveLow(b6, b14);
    const c13 = interleaveHigh(b6, b14);
    const c14 = interleaveLow(b7, b15);
    const c15 = interleaveHigh(b7, b15);
    const d0 = interleaveLow(c0, c8);
    const d1 = interleaveHigh(c0, c8);
    const d2 = interleaveLow(c1, c9);
    const d3 = interleaveHigh(c1, c9);
    const d4 = interleaveLow(c2, c10);
    const d5 = interleaveHigh(c2, c10);
    const d6 = interleaveLow(c3, c11);
    const d7 = interleaveHigh(c3, c11);
    const d8 = interleaveLow(c4, c12);
    const d9 = interleaveHigh(c4, c12);
    const d10 = interleaveLow(c5, c13);
    const d11 = interleaveHigh(c5, c13);
    const d12 = interleaveLow(c6, c14);
    const d13 = interleaveHigh(c6, c14);
    const d14 = interleaveLow(c7, c15);
    const d15 = interleaveHigh(c7, c15);
    const e0 = interleaveLow(d0, d8);
    const e1 = interleaveHigh(d0, d8);
    const e2 = interleaveLow(d1, d9);
    const e3 = interleaveHigh(d1, d9);
    const e4 = interleaveLow(d2, d10);
    const e5 = interleaveHigh(d2, d10);
    const e6 = interleaveLow(d3, d11);
    const e7 = interleaveHigh(d3, d11);
    const e8 = interleaveLow(d4, d12);
    const e9 = interleaveHigh(d4, d12);
    const e10 = interleaveLow(d5, d13);
    const e11 = interleaveHigh(d5, d13);
    const e12 = interleaveLow(d6, d14);
    const e13 = interleaveHigh(d6, d14);
    const e14 = interleaveLow(d7, d15);
    const e15 = interleaveHigh(d7, d15);
    let at = target + i * stride;
    v128.store(at, e0);
    at += stride;
    v128.store(at, e1);
    at += stride;
    v128.store(at, e2);
    at += stride;
    v128.store(at, e3);
    at += stride;
    v128.store(at, e4);
    at += stride;
    v128.store(at, e5);
    at += stride;
    v128.store(at, e6);
    at += stride;
    v128.store(at, e7);
    at += stride;
    v128.store(at, e8);
    at += stride;
    v128.store(at, e9);
    at += stride;
    v128.store(at, e10);
    at += stride;
    v128.store(at, e11);
    at += stride;
    v128.store(at, e12);
    at += stride;
    v128.store(at, e13);
    at += stride;
    v128.store(at, e14);
    at += stride;
    v128.store(at, e15);
  }
  return i;
}

/**
 * Writes items `first..first+count` of `typesize` byte planes to `target`. Plane j's bytes `first..first+count` must be
 * readable at the j-th address of the table.
 */
export function unshuffleStreams(streams: usize, typesize: usize, first: usize, count: usize, target: usize): void {
  let done: usize = 0;
  if (typesize == 1) {
    copyExact(target, streamAt(streams, 0) + first, count);
    return;
  }
  if (typesize == 2) done = unshuffleTight2(streams, first, count, target);
  else if (typesize == 4) done = unshuffleTight4(streams, first, count, target);
  else if (typesize == 8) done = unshuffleTight8(streams, first, count, target);
  else if (typesize >= 16) {
    for (let j: usize = 0; j < typesize; j += 16) {
      const plane = min(j, typesize - 16);
      done = unshuffleTile16(streams + (plane << 2), first, count, target + plane, typesize);
    }
  } else if (typesize > 8) {
    done = unshuffleTile8(streams, first, count, target, typesize);
    const plane = typesize - 8;
    unshuffleTile8(streams + (plane << 2), first, count, target + plane, typesize);
  } else if (typesize > 4) {
    done = unshuffleTile4(streams, first, count, target, typesize);
    const plane = typesize - 4;
    unshuffleTile4(streams + (plane << 2), first, count, target + plane, typesize);
  }
  if (done == count) return;
  for (let j: usize = 0; j < typesize; j++) {
    const plane = streamAt(streams, j) + first;
    let at = target + done * typesize + j;
    for (let i = done; i < count; i++) {
      store<u8>(at, load<u8>(plane + i));
      at += typesize;
    }
  }
}
