// Shuffle: items to byte planes, each plane written where a table of addresses says. Typesizes without code of their own are
// done as overlapping tiles of 16, 8 or 4 bytes of each item.
import { copyExact } from "./copy-bytes";
import { gather2, gather4, interleaveHigh, interleaveLow, streamAt } from "./transpose";

/** Items of 2 bytes; returns the items done, a multiple of 16. */
function shuffleTight2(source: usize, count: usize, streams: usize): usize {
  const p0 = streamAt(streams, 0);
  const p1 = streamAt(streams, 1);
  const lowBytes = i16x8.splat(0xff);
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const a0 = v128.load(source + i * 2);
    const a1 = v128.load(source + i * 2, 16);
    v128.store(p0 + i, i8x16.narrow_i16x8_u(v128.and(a0, lowBytes), v128.and(a1, lowBytes)));
    v128.store(p1 + i, i8x16.narrow_i16x8_u(i16x8.shr_u(a0, 8), i16x8.shr_u(a1, 8)));
  }
  return i;
}

/** Items of 4 bytes; returns the items done, a multiple of 16. */
function shuffleTight4(source: usize, count: usize, streams: usize): usize {
  const p0 = streamAt(streams, 0);
  const p1 = streamAt(streams, 1);
  const p2 = streamAt(streams, 2);
  const p3 = streamAt(streams, 3);
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const from = source + i * 4;
    const a0 = v128.load(from);
    const a1 = v128.load(from, 16);
    const a2 = v128.load(from, 32);
    const a3 = v128.load(from, 48);
    const b0 = interleaveLow(a0, a2);
    const b1 = interleaveHigh(a0, a2);
    const b2 = interleaveLow(a1, a3);
    const b3 = interleaveHigh(a1, a3);
    const c0 = interleaveLow(b0, b2);
    const c1 = interleaveHigh(b0, b2);
    const c2 = interleaveLow(b1, b3);
    const c3 = interleaveHigh(b1, b3);
    const d0 = interleaveLow(c0, c2);
    const d1 = interleaveHigh(c0, c2);
    const d2 = interleaveLow(c1, c3);
    const d3 = interleaveHigh(c1, c3);
    const e0 = interleaveLow(d0, d2);
    const e1 = interleaveHigh(d0, d2);
    const e2 = interleaveLow(d1, d3);
    const e3 = interleaveHigh(d1, d3);
    v128.store(p0 + i, e0);
    v128.store(p1 + i, e1);
    v128.store(p2 + i, e2);
    v128.store(p3 + i, e3);
  }
  return i;
}

/** Items of 8 bytes; returns the items done, a multiple of 16. */
function shuffleTight8(source: usize, count: usize, streams: usize): usize {
  const p0 = streamAt(streams, 0);
  const p1 = streamAt(streams, 1);
  const p2 = streamAt(streams, 2);
  const p3 = streamAt(streams, 3);
  const p4 = streamAt(streams, 4);
  const p5 = streamAt(streams, 5);
  const p6 = streamAt(streams, 6);
  const p7 = streamAt(streams, 7);
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const from = source + i * 8;
    const a0 = v128.load(from);
    const a1 = v128.load(from, 16);
    const a2 = v128.load(from, 32);
    const a3 = v128.load(from, 48);
    const a4 = v128.load(from, 64);
    const a5 = v128.load(from, 80);
    const a6 = v128.load(from, 96);
    const a7 = v128.load(from, 112);
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
    const e0 = interleaveLow(d0, d4);
    const e1 = interleaveHigh(d0, d4);
    const e2 = interleaveLow(d1, d5);
    const e3 = interleaveHigh(d1, d5);
    const e4 = interleaveLow(d2, d6);
    const e5 = interleaveHigh(d2, d6);
    const e6 = interleaveLow(d3, d7);
    const e7 = interleaveHigh(d3, d7);
    v128.store(p0 + i, e0);
    v128.store(p1 + i, e1);
    v128.store(p2 + i, e2);
    v128.store(p3 + i, e3);
    v128.store(p4 + i, e4);
    v128.store(p5 + i, e5);
    v128.store(p6 + i, e6);
    v128.store(p7 + i, e7);
  }
  return i;
}

/** 4 bytes of items of `stride` bytes; returns the items done, a multiple of 16. */
function shuffleTile4(source: usize, stride: usize, count: usize, streams: usize): usize {
  const p0 = streamAt(streams, 0);
  const p1 = streamAt(streams, 1);
  const p2 = streamAt(streams, 2);
  const p3 = streamAt(streams, 3);
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const from = source + i * stride;
    const a0 = gather4(from, stride);
    const a1 = gather4(from + stride * 4, stride);
    const a2 = gather4(from + stride * 8, stride);
    const a3 = gather4(from + stride * 12, stride);
    const b0 = interleaveLow(a0, a2);
    const b1 = interleaveHigh(a0, a2);
    const b2 = interleaveLow(a1, a3);
    const b3 = interleaveHigh(a1, a3);
    const c0 = interleaveLow(b0, b2);
    const c1 = interleaveHigh(b0, b2);
    const c2 = interleaveLow(b1, b3);
    const c3 = interleaveHigh(b1, b3);
    const d0 = interleaveLow(c0, c2);
    const d1 = interleaveHigh(c0, c2);
    const d2 = interleaveLow(c1, c3);
    const d3 = interleaveHigh(c1, c3);
    const e0 = interleaveLow(d0, d2);
    const e1 = interleaveHigh(d0, d2);
    const e2 = interleaveLow(d1, d3);
    const e3 = interleaveHigh(d1, d3);
    v128.store(p0 + i, e0);
    v128.store(p1 + i, e1);
    v128.store(p2 + i, e2);
    v128.store(p3 + i, e3);
  }
  return i;
}

/** 8 bytes of items of `stride` bytes; returns the items done, a multiple of 16. */
function shuffleTile8(source: usize, stride: usize, count: usize, streams: usize): usize {
  const p0 = streamAt(streams, 0);
  const p1 = streamAt(streams, 1);
  const p2 = streamAt(streams, 2);
  const p3 = streamAt(streams, 3);
  const p4 = streamAt(streams, 4);
  const p5 = streamAt(streams, 5);
  const p6 = streamAt(streams, 6);
  const p7 = streamAt(streams, 7);
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    const from = source + i * stride;
    const a0 = gather2(from, stride);
    const a1 = gather2(from + stride * 2, stride);
    const a2 = gather2(from + stride * 4, stride);
    const a3 = gather2(from + stride * 6, stride);
    const a4 = gather2(from + stride * 8, stride);
    const a5 = gather2(from + stride * 10, stride);
    const a6 = gather2(from + stride * 12, stride);
    const a7 = gather2(from + stride * 14, stride);
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
    const e0 = interleaveLow(d0, d4);
    const e1 = interleaveHigh(d0, d4);
    const e2 = interleaveLow(d1, d5);
    const e3 = interleaveHigh(d1, d5);
    const e4 = interleaveLow(d2, d6);
    const e5 = interleaveHigh(d2, d6);
    const e6 = interleaveLow(d3, d7);
    const e7 = interleaveHigh(d3, d7);
    v128.store(p0 + i, e0);
    v128.store(p1 + i, e1);
    v128.store(p2 + i, e2);
    v128.store(p3 + i, e3);
    v128.store(p4 + i, e4);
    v128.store(p5 + i, e5);
    v128.store(p6 + i, e6);
    v128.store(p7 + i, e7);
  }
  return i;
}

/** 16 bytes of items of `stride` bytes; returns the items done, a multiple of 16. */
function shuffleTile16(source: usize, stride: usize, count: usize, streams: usize): usize {
  let i: usize = 0;
  for (; i + 16 <= count; i += 16) {
    let from = source + i * stride;
    const a0 = v128.load(from);
    from += stride;
    const a1 = v128.load(from);
    from += stride;
    const a2 = v128.load(from);
    from += stride;
    const a3 = v128.load(from);
    from += stride;
    const a4 = v128.load(from);
    from += stride;
    const a5 = v128.load(from);
    from += stride;
    const a6 = v128.load(from);
    from += stride;
    const a7 = v128.load(from);
    from += stride;
    const a8 = v128.load(from);
    from += stride;
    const a9 = v128.load(from);
    from += stride;
    const a10 = v128.load(from);
    from += stride;
    const a11 = v128.load(from);
    from += stride;
    const a12 = v128.load(from);
    from += stride;
    const a13 = v128.load(from);
    from += stride;
    const a14 = v128.load(from);
    from += stride;
    const a15 = v128.load(from);
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
    v128.store(streamAt(streams, 0) + i, e0);
    v128.store(streamAt(streams, 1) + i, e1);
    v128.store(streamAt(streams, 2) + i, e2);
    v128.store(streamAt(streams, 3) + i, e3);
    v128.store(streamAt(streams, 4) + i, e4);
    v128.store(streamAt(streams, 5) + i, e5);
    v128.store(streamAt(streams, 6) + i, e6);
    v128.store(streamAt(streams, 7) + i, e7);
    v128.store(streamAt(streams, 8) + i, e8);
    v128.store(streamAt(streams, 9) + i, e9);
    v128.store(streamAt(streams, 10) + i, e10);
    v128.store(streamAt(streams, 11) + i, e11);
    v128.store(streamAt(streams, 12) + i, e12);
    v128.store(streamAt(streams, 13) + i, e13);
    v128.store(streamAt(streams, 14) + i, e14);
    v128.store(streamAt(streams, 15) + i, e15);
  }
  return i;
}

/** Writes byte j of each of `count` items of `typesize` bytes to the j-th address of the table. */
export function shuffleStreams(source: usize, typesize: usize, count: usize, streams: usize): void {
  let done: usize = 0;
  if (typesize == 1) {
    copyExact(streamAt(streams, 0), source, count);
    return;
  }
  if (typesize == 2) done = shuffleTight2(source, count, streams);
  else if (typesize == 4) done = shuffleTight4(source, count, streams);
  else if (typesize == 8) done = shuffleTight8(source, count, streams);
  else if (typesize >= 16) {
    for (let j: usize = 0; j < typesize; j += 16) {
      const plane = min(j, typesize - 16);
      done = shuffleTile16(source + plane, typesize, count, streams + (plane << 2));
    }
  } else if (typesize > 8) {
    done = shuffleTile8(source, typesize, count, streams);
    const plane = typesize - 8;
    shuffleTile8(source + plane, typesize, count, streams + (plane << 2));
  } else if (typesize > 4) {
    done = shuffleTile4(source, typesize, count, streams);
    const plane = typesize - 4;
    shuffleTile4(source + plane, typesize, count, streams + (plane << 2));
  }
  if (done == count) return;
  for (let j: usize = 0; j < typesize; j++) {
    const plane = streamAt(streams, j);
    let at = source + done * typesize + j;
    for (let i = done; i < count; i++) {
      store<u8>(plane + i, load<u8>(at));
      at += typesize;
    }
  }
}
