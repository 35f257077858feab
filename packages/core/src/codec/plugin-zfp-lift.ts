/**
 * The inverse of zfp's decorrelating transform: a lifting scheme over lines of four integers along each axis of a cell, in
 * 32-bit or 64-bit two's complement arithmetic that wraps.
 *
 * @module
 */

/** Undoes the transform of a cell of 4^`ndim` 32-bit integers. */
export function unlift32(cell: Int32Array, ndim: number): void {
  const size = 4 ** ndim;
  for (let axis = ndim - 1; axis >= 0; axis--) {
    const stride = 4 ** axis;
    for (let at = 0; at < size; at++) {
      if (((at >> (2 * axis)) & 3) === 0) unliftLine32(cell, at, stride);
    }
  }
}

function unliftLine32(cell: Int32Array, at: number, stride: number): void {
  let x = cell[at];
  let y = cell[at + stride];
  let z = cell[at + 2 * stride];
  let w = cell[at + 3 * stride];
  y = (y + (w >> 1)) | 0;
  w = (w - (y >> 1)) | 0;
  y = (y + w) | 0;
  w = (2 * w - y) | 0;
  z = (z + x) | 0;
  x = (2 * x - z) | 0;
  y = (y + z) | 0;
  z = (2 * z - y) | 0;
  w = (w + x) | 0;
  x = (2 * x - w) | 0;
  cell[at] = x;
  cell[at + stride] = y;
  cell[at + 2 * stride] = z;
  cell[at + 3 * stride] = w;
}

/** Undoes the transform of a cell of 4^`ndim` 64-bit integers, each in two halves. */
export function unlift64(low: Int32Array, high: Int32Array, ndim: number): void {
  const size = 4 ** ndim;
  for (let axis = ndim - 1; axis >= 0; axis--) {
    const stride = 4 ** axis;
    for (let at = 0; at < size; at++) {
      if (((at >> (2 * axis)) & 3) === 0) unliftLine64(low, high, at, stride);
    }
  }
}

/** 1 when `a` is below `b` as unsigned halves: the carry of a sum `a` that has `b` as a part, or the borrow of `a - b`. */
function below(a: number, b: number): number {
  return a >>> 0 < b >>> 0 ? 1 : 0;
}

function unliftLine64(low: Int32Array, high: Int32Array, at: number, stride: number): void {
  const second = at + stride;
  const third = second + stride;
  const fourth = third + stride;
  let xl = low[at];
  let xh = high[at];
  let yl = low[second];
  let yh = high[second];
  let zl = low[third];
  let zh = high[third];
  let wl = low[fourth];
  let wh = high[fourth];

  // y += w >> 1
  let halfLow = (wl >>> 1) | (wh << 31);
  yl = (yl + halfLow) | 0;
  yh = (yh + (wh >> 1) + below(yl, halfLow)) | 0;
  // w -= y >> 1
  halfLow = (yl >>> 1) | (yh << 31);
  wh = (wh - (yh >> 1) - below(wl, halfLow)) | 0;
  wl = (wl - halfLow) | 0;
  // y += w
  yl = (yl + wl) | 0;
  yh = (yh + wh + below(yl, wl)) | 0;
  // w = 2 w - y
  wh = (((wh << 1) | (wl >>> 31)) - yh - below(wl << 1, yl)) | 0;
  wl = ((wl << 1) - yl) | 0;
  // z += x
  zl = (zl + xl) | 0;
  zh = (zh + xh + below(zl, xl)) | 0;
  // x = 2 x - z
  xh = (((xh << 1) | (xl >>> 31)) - zh - below(xl << 1, zl)) | 0;
  xl = ((xl << 1) - zl) | 0;
  // y += z
  yl = (yl + zl) | 0;
  yh = (yh + zh + below(yl, zl)) | 0;
  // z = 2 z - y
  zh = (((zh << 1) | (zl >>> 31)) - yh - below(zl << 1, yl)) | 0;
  zl = ((zl << 1) - yl) | 0;
  // w += x
  wl = (wl + xl) | 0;
  wh = (wh + xh + below(wl, xl)) | 0;
  // x = 2 x - w
  xh = (((xh << 1) | (xl >>> 31)) - wh - below(xl << 1, wl)) | 0;
  xl = ((xl << 1) - wl) | 0;

  low[at] = xl;
  high[at] = xh;
  low[second] = yl;
  high[second] = yh;
  low[third] = zl;
  high[third] = zh;
  low[fourth] = wl;
  high[fourth] = wh;
}
