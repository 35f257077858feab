// Unshuffle of items of exactly 2, 4 or 8 bytes, two vectors of each plane at a time.
import { interleaveHigh, interleaveLow, streamAt } from "./transpose";

/** 2 planes of items of exactly 2 bytes; returns the items done, a multiple of 32. */
export function unshuffleTight2(streams: usize, first: usize, count: usize, target: usize): usize {
  let p0 = streamAt(streams, 0) + first;
  let p1 = streamAt(streams, 1) + first;
  let at = target;
  const end = target + 2 * (count & ~31);
  while (at < end) {
    const a0 = v128.load(p0);
    const a1 = v128.load(p1);
    const b0 = interleaveLow(a0, a1);
    const b1 = interleaveHigh(a0, a1);
    v128.store(at, b0);
    v128.store(at, b1, 16);
    const t0 = v128.load(p0, 16);
    const t1 = v128.load(p1, 16);
    const u0 = interleaveLow(t0, t1);
    const u1 = interleaveHigh(t0, t1);
    v128.store(at, u0, 32);
    v128.store(at, u1, 48);
    p0 += 32;
    p1 += 32;
    at += 64;
  }
  return count & ~31;
}

/** 4 planes of items of exactly 4 bytes; returns the items done, a multiple of 32. */
export function unshuffleTight4(streams: usize, first: usize, count: usize, target: usize): usize {
  let p0 = streamAt(streams, 0) + first;
  let p1 = streamAt(streams, 1) + first;
  let p2 = streamAt(streams, 2) + first;
  let p3 = streamAt(streams, 3) + first;
  let at = target;
  const end = target + 4 * (count & ~31);
  while (at < end) {
    const a0 = v128.load(p0);
    const a1 = v128.load(p1);
    const a2 = v128.load(p2);
    const a3 = v128.load(p3);
    const b0 = interleaveLow(a0, a2);
    const b1 = interleaveHigh(a0, a2);
    const b2 = interleaveLow(a1, a3);
    const b3 = interleaveHigh(a1, a3);
    const c0 = interleaveLow(b0, b2);
    const c1 = interleaveHigh(b0, b2);
    const c2 = interleaveLow(b1, b3);
    const c3 = interleaveHigh(b1, b3);
    v128.store(at, c0);
    v128.store(at, c1, 16);
    v128.store(at, c2, 32);
    v128.store(at, c3, 48);
    const t0 = v128.load(p0, 16);
    const t1 = v128.load(p1, 16);
    const t2 = v128.load(p2, 16);
    const t3 = v128.load(p3, 16);
    const u0 = interleaveLow(t0, t2);
    const u1 = interleaveHigh(t0, t2);
    const u2 = interleaveLow(t1, t3);
    const u3 = interleaveHigh(t1, t3);
    const v0 = interleaveLow(u0, u2);
    const v1 = interleaveHigh(u0, u2);
    const v2 = interleaveLow(u1, u3);
    const v3 = interleaveHigh(u1, u3);
    v128.store(at, v0, 64);
    v128.store(at, v1, 80);
    v128.store(at, v2, 96);
    v128.store(at, v3, 112);
    p0 += 32;
    p1 += 32;
    p2 += 32;
    p3 += 32;
    at += 128;
  }
  return count & ~31;
}

/** 8 planes of items of exactly 8 bytes; returns the items done, a multiple of 32. */
export function unshuffleTight8(streams: usize, first: usize, count: usize, target: usize): usize {
  let p0 = streamAt(streams, 0) + first;
  let p1 = streamAt(streams, 1) + first;
  let p2 = streamAt(streams, 2) + first;
  let p3 = streamAt(streams, 3) + first;
  let p4 = streamAt(streams, 4) + first;
  let p5 = streamAt(streams, 5) + first;
  let p6 = streamAt(streams, 6) + first;
  let p7 = streamAt(streams, 7) + first;
  let at = target;
  const end = target + 8 * (count & ~31);
  while (at < end) {
    const a0 = v128.load(p0);
    const a1 = v128.load(p1);
    const a2 = v128.load(p2);
    const a3 = v128.load(p3);
    const a4 = v128.load(p4);
    const a5 = v128.load(p5);
    const a6 = v128.load(p6);
    const a7 = v128.load(p7);
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
    v128.store(at, d0);
    v128.store(at, d1, 16);
    v128.store(at, d2, 32);
    v128.store(at, d3, 48);
    v128.store(at, d4, 64);
    v128.store(at, d5, 80);
    v128.store(at, d6, 96);
    v128.store(at, d7, 112);
    const t0 = v128.load(p0, 16);
    const t1 = v128.load(p1, 16);
    const t2 = v128.load(p2, 16);
    const t3 = v128.load(p3, 16);
    const t4 = v128.load(p4, 16);
    const t5 = v128.load(p5, 16);
    const t6 = v128.load(p6, 16);
    const t7 = v128.load(p7, 16);
    const u0 = interleaveLow(t0, t4);
    const u1 = interleaveHigh(t0, t4);
    const u2 = interleaveLow(t1, t5);
    const u3 = interleaveHigh(t1, t5);
    const u4 = interleaveLow(t2, t6);
    const u5 = interleaveHigh(t2, t6);
    const u6 = interleaveLow(t3, t7);
    const u7 = interleaveHigh(t3, t7);
    const v0 = interleaveLow(u0, u4);
    const v1 = interleaveHigh(u0, u4);
    const v2 = interleaveLow(u1, u5);
    const v3 = interleaveHigh(u1, u5);
    const v4 = interleaveLow(u2, u6);
    const v5 = interleaveHigh(u2, u6);
    const v6 = interleaveLow(u3, u7);
    const v7 = interleaveHigh(u3, u7);
    const w0 = interleaveLow(v0, v4);
    const w1 = interleaveHigh(v0, v4);
    const w2 = interleaveLow(v1, v5);
    const w3 = interleaveHigh(v1, v5);
    const w4 = interleaveLow(v2, v6);
    const w5 = interleaveHigh(v2, v6);
    const w6 = interleaveLow(v3, v7);
    const w7 = interleaveHigh(v3, v7);
    v128.store(at, w0, 128);
    v128.store(at, w1, 144);
    v128.store(at, w2, 160);
    v128.store(at, w3, 176);
    v128.store(at, w4, 192);
    v128.store(at, w5, 208);
    v128.store(at, w6, 224);
    v128.store(at, w7, 240);
    p0 += 32;
    p1 += 32;
    p2 += 32;
    p3 += 32;
    p4 += 32;
    p5 += 32;
    p6 += 32;
    p7 += 32;
    at += 256;
  }
  return count & ~31;
}
