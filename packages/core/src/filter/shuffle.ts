/**
 * Byte shuffle, filter 1: bytes of the same significance are put together. With n = floor(length / size), output byte
 * `j * n + i` is input byte `i * size + j`; the `length % size` bytes after the last element stay where they are.
 * (*Blosc2 format documents*, filters.)
 *
 * @module
 */
import type { Filter, FilterContext } from "./filter.js";
import { wordView } from "./word-view.js";

/**
 * Shuffles `itemCount` elements of `size` bytes at `source[sourceOffset]` into `size` consecutive runs at
 * `target[targetOffset]`.
 */
export function shuffleElements(
  source: Uint8Array,
  sourceOffset: number,
  target: Uint8Array,
  targetOffset: number,
  size: number,
  itemCount: number,
): void {
  if ((size <= 2 || (size & 3) === 0) && ((itemCount | sourceOffset | targetOffset) & 3) === 0) {
    const from = wordView(source);
    const to = wordView(target);
    if (from !== undefined && to !== undefined) {
      const fromIndex = (source.byteOffset + sourceOffset) / 4;
      const toIndex = (target.byteOffset + targetOffset) / 4;
      if (size === 1) copyWords(from, fromIndex, to, toIndex, itemCount / 4);
      else if (size === 2) shufflePairs(from, fromIndex, to, toIndex, itemCount / 4);
      else shuffleWords(from, fromIndex, to, toIndex, size / 4, itemCount / 4);
      return;
    }
  }
  let out = targetOffset;
  for (let j = 0; j < size; j++) {
    for (let i = 0, at = sourceOffset + j; i < itemCount; i++, at += size) target[out++] = source[at];
  }
}

/** Undoes {@link shuffleElements}. */
export function unshuffleElements(
  source: Uint8Array,
  sourceOffset: number,
  target: Uint8Array,
  targetOffset: number,
  size: number,
  itemCount: number,
): void {
  if ((size <= 2 || (size & 3) === 0) && ((itemCount | sourceOffset | targetOffset) & 3) === 0) {
    const from = wordView(source);
    const to = wordView(target);
    if (from !== undefined && to !== undefined) {
      const fromIndex = (source.byteOffset + sourceOffset) / 4;
      const toIndex = (target.byteOffset + targetOffset) / 4;
      if (size === 1) copyWords(from, fromIndex, to, toIndex, itemCount / 4);
      else if (size === 2) unshufflePairs(from, fromIndex, to, toIndex, itemCount / 4);
      else unshuffleWords(from, fromIndex, to, toIndex, size / 4, itemCount / 4);
      return;
    }
  }
  let at = sourceOffset;
  for (let j = 0; j < size; j++) {
    for (let i = 0, out = targetOffset + j; i < itemCount; i++, out += size) target[out] = source[at++];
  }
}

function copyWords(from: Int32Array, fromIndex: number, to: Int32Array, toIndex: number, count: number): void {
  for (let i = 0; i < count; i++) to[toIndex + i] = from[fromIndex + i];
}

/** Elements of `columns` words, four at a time: each column of four words is a 4 x 4 byte matrix to transpose. */
function shuffleWords(
  from: Int32Array,
  fromIndex: number,
  to: Int32Array,
  toIndex: number,
  columns: number,
  groups: number,
): void {
  const next = 2 * columns;
  const third = 3 * columns;
  for (let column = 0; column < columns; column++) {
    let at = fromIndex + column;
    let out = toIndex + column * 4 * groups;
    for (let i = 0; i < groups; i++, at += 4 * columns, out++) {
      const a = from[at];
      const b = from[at + columns];
      const c = from[at + next];
      const d = from[at + third];
      const abEven = (a & 0x00ff00ff) | ((b & 0x00ff00ff) << 8);
      const abOdd = ((a >>> 8) & 0x00ff00ff) | (b & 0xff00ff00);
      const cdEven = (c & 0x00ff00ff) | ((d & 0x00ff00ff) << 8);
      const cdOdd = ((c >>> 8) & 0x00ff00ff) | (d & 0xff00ff00);
      to[out] = (abEven & 0xffff) | (cdEven << 16);
      to[out + groups] = (abOdd & 0xffff) | (cdOdd << 16);
      to[out + 2 * groups] = (abEven >>> 16) | (cdEven & 0xffff0000);
      to[out + 3 * groups] = (abOdd >>> 16) | (cdOdd & 0xffff0000);
    }
  }
}

function unshuffleWords(
  from: Int32Array,
  fromIndex: number,
  to: Int32Array,
  toIndex: number,
  columns: number,
  groups: number,
): void {
  const next = 2 * columns;
  const third = 3 * columns;
  for (let column = 0; column < columns; column++) {
    let at = fromIndex + column * 4 * groups;
    let out = toIndex + column;
    for (let i = 0; i < groups; i++, at++, out += 4 * columns) {
      const a = from[at];
      const b = from[at + groups];
      const c = from[at + 2 * groups];
      const d = from[at + 3 * groups];
      const abEven = (a & 0x00ff00ff) | ((b & 0x00ff00ff) << 8);
      const abOdd = ((a >>> 8) & 0x00ff00ff) | (b & 0xff00ff00);
      const cdEven = (c & 0x00ff00ff) | ((d & 0x00ff00ff) << 8);
      const cdOdd = ((c >>> 8) & 0x00ff00ff) | (d & 0xff00ff00);
      to[out] = (abEven & 0xffff) | (cdEven << 16);
      to[out + columns] = (abOdd & 0xffff) | (cdOdd << 16);
      to[out + next] = (abEven >>> 16) | (cdEven & 0xffff0000);
      to[out + third] = (abOdd >>> 16) | (cdOdd & 0xffff0000);
    }
  }
}

/** Two-byte elements, four (two words) at a time. */
function shufflePairs(from: Int32Array, fromIndex: number, to: Int32Array, toIndex: number, groups: number): void {
  let at = fromIndex;
  for (let out = toIndex; out < toIndex + groups; out++, at += 2) {
    const a = from[at];
    const b = from[at + 1];
    const aLow = a & 0x00ff00ff;
    const bLow = b & 0x00ff00ff;
    const aHigh = (a >>> 8) & 0x00ff00ff;
    const bHigh = (b >>> 8) & 0x00ff00ff;
    to[out] = ((aLow | (aLow >>> 8)) & 0xffff) | ((bLow | (bLow >>> 8)) << 16);
    to[out + groups] = ((aHigh | (aHigh >>> 8)) & 0xffff) | ((bHigh | (bHigh >>> 8)) << 16);
  }
}

function unshufflePairs(from: Int32Array, fromIndex: number, to: Int32Array, toIndex: number, groups: number): void {
  let out = toIndex;
  for (let at = fromIndex; at < fromIndex + groups; at++, out += 2) {
    const low = from[at];
    const high = from[at + groups];
    const lowFirst = low & 0xffff;
    const lowLast = low >>> 16;
    const highFirst = high & 0xffff;
    const highLast = high >>> 16;
    to[out] = ((lowFirst | (lowFirst << 8)) & 0x00ff00ff) | (((highFirst | (highFirst << 8)) & 0x00ff00ff) << 8);
    to[out + 1] = ((lowLast | (lowLast << 8)) & 0x00ff00ff) | (((highLast | (highLast << 8)) & 0x00ff00ff) << 8);
  }
}

/** `filters_meta`, when not 0, takes the place of the typesize. */
function elementSize(context: FilterContext): number {
  return context.meta === 0 ? context.typesize : context.meta;
}

function copyTail(source: Uint8Array, target: Uint8Array, from: number): void {
  for (let i = from; i < source.byteLength; i++) target[i] = source[i];
}

/** Byte shuffle; `meta` = element size, 0 for the typesize. */
export const shuffle: Filter = {
  id: 1,
  name: "shuffle",
  needsReference: false,
  forward(source, target, context): void {
    const size = elementSize(context);
    const itemCount = Math.floor(source.byteLength / size);
    if (size === 1 || itemCount <= 1) {
      target.set(source);
      return;
    }
    shuffleElements(source, 0, target, 0, size, itemCount);
    copyTail(source, target, itemCount * size);
  },
  backward(source, target, context): void {
    const size = elementSize(context);
    const itemCount = Math.floor(source.byteLength / size);
    if (size === 1 || itemCount <= 1) {
      target.set(source);
      return;
    }
    unshuffleElements(source, 0, target, 0, size, itemCount);
    copyTail(source, target, itemCount * size);
  },
};
