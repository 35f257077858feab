/** The values of the cases on arrays: a cube of float32. @module */

/** Items along each axis of a block. */
export const BLOCK = 32;
export const ITEMSIZE = 4;
const EDGE = 256;

/** The cube's edge: 256 items, or as many blocks as the data is enough for. */
export function edgeFor(byteLength: number): number {
  const blocks = Math.floor(Math.cbrt(byteLength / ITEMSIZE) / BLOCK);
  return Math.min(EDGE, Math.max(1, blocks) * BLOCK);
}

/** A smooth field with a few digits, and one value inside a ball. */
export function field(edge: number): Float32Array {
  const values = new Float32Array(edge ** 3);
  const radius = edge / 3;
  for (let z = 0, at = 0; z < edge; z++) {
    for (let y = 0; y < edge; y++) {
      for (let x = 0; x < edge; x++, at++) {
        const inside = Math.hypot(z - edge / 2, y - edge / 2, x - edge / 2) < radius;
        values[at] = inside ? -1 : Math.round((Math.sin(z / 17) * Math.cos(y / 23) + x / 97) * 200) / 200;
      }
    }
  }
  return values;
}
