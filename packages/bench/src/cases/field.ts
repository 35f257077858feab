/** The array of the cases on arrays, a cube of float32, and the cubes that are read of it. @module */
import { randomIndices } from "./random-reads.js";

export const ITEMSIZE = 4;
const EDGE = 256;
const CHUNK = 128;
const BLOCK = 32;
const CROP = 96;
const CROPS = 10;

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

/** Shape, chunks and blocks of the cube. */
export interface FieldShapes {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
}

export function shapesOf(edge: number): FieldShapes {
  const cube = (length: number): number[] => [length, length, length];
  return { shape: cube(edge), chunks: cube(Math.min(CHUNK, edge)), blocks: cube(BLOCK) };
}

/** The shapes as a trial's parameters. */
export function shapeTexts({ shape, chunks, blocks }: FieldShapes): Readonly<Record<keyof FieldShapes, string>> {
  return { shape: shape.join("x"), chunks: chunks.join("x"), blocks: blocks.join("x") };
}

/** Where a selection of the cube begins and ends. */
export interface Slice {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A slice as `NDArray.get` takes it. */
export function indexOf({ from, to }: Slice): { readonly start: number; readonly stop: number }[] {
  return from.map((start, dim) => ({ start, stop: to[dim] as number }));
}

/** Random cubes of 96 x 96 x 96, as training takes them. */
export function cropsOf(edge: number): readonly Slice[] {
  const length = Math.min(CROP, edge / 2);
  const starts = [0, 1, 2].map((axis) => randomIndices(11 + axis, CROPS, edge - length + 1));
  return Array.from({ length: CROPS }, (_, i) => {
    const from = starts.map((axis) => axis[i] as number);
    return { from, to: from.map((start) => start + length) };
  });
}

/** All of the cube. */
export function wholeOf(edge: number): readonly Slice[] {
  return [{ from: [0, 0, 0], to: [edge, edge, edge] }];
}
