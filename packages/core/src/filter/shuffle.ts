/**
 * Byte shuffle, filter 1: bytes of the same significance are put together. With n = floor(length / size), output byte
 * `j * n + i` is input byte `i * size + j`; the `length % size` bytes after the last element stay where they are.
 * (*Blosc2 format documents*, filters.)
 *
 * Four bytes of four elements are a 4 x 4 matrix to transpose, held in four words. When the size is no multiple of 4, the last
 * such columns overlap the ones before and write the same bytes again.
 *
 * @module
 */
import { bufferView } from "./buffer-view.js";
import type { Filter, FilterContext } from "./filter.js";

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
  const whole = size === 3 ? 0 : itemCount - (itemCount % 4);
  if (whole > 0) {
    const from = bufferView(source);
    const to = bufferView(target);
    const first = source.byteOffset + sourceOffset;
    const out = target.byteOffset + targetOffset;
    if (size === 1) copyWords(from, first, to, out, whole);
    else if (size === 2) shufflePairs(from, first, to, out, itemCount);
    else shuffleColumns(from, first, to, out, size, itemCount);
  }
  for (let j = 0; j < size; j++) {
    const run = targetOffset + j * itemCount;
    for (let i = whole, at = sourceOffset + whole * size + j; i < itemCount; i++, at += size) {
      target[run + i] = source[at];
    }
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
  const whole = size === 3 ? 0 : itemCount - (itemCount % 4);
  if (whole > 0) {
    const from = bufferView(source);
    const to = bufferView(target);
    const first = source.byteOffset + sourceOffset;
    const out = target.byteOffset + targetOffset;
    if (size === 1) copyWords(from, first, to, out, whole);
    else if (size === 2) unshufflePairs(from, first, to, out, itemCount);
    else unshuffleColumns(from, first, to, out, size, itemCount);
  }
  for (let j = 0; j < size; j++) {
    const run = sourceOffset + j * itemCount;
    for (let i = whole, out = targetOffset + whole * size + j; i < itemCount; i++, out += size) {
      target[out] = source[run + i];
    }
  }
}

function copyWords(from: DataView, first: number, to: DataView, out: number, byteLength: number): void {
  for (let i = 0; i < byteLength; i += 4) to.setInt32(out + i, from.getInt32(first + i, true), true);
}

function shuffleColumns(
  from: DataView,
  first: number,
  to: DataView,
  out: number,
  size: number,
  itemCount: number,
): void {
  for (let next = 0; next < size; next += 4) {
    const column = Math.min(next, size - 4);
    let at = first + column;
    let run = out + column * itemCount;
    const end = run + itemCount - (itemCount % 4);
    for (; run < end; run += 4, at += 4 * size) {
      const a = from.getInt32(at, true);
      const b = from.getInt32(at + size, true);
      const c = from.getInt32(at + 2 * size, true);
      const d = from.getInt32(at + 3 * size, true);
      const abEven = (a & 0x00ff00ff) | ((b & 0x00ff00ff) << 8);
      const abOdd = ((a >>> 8) & 0x00ff00ff) | (b & 0xff00ff00);
      const cdEven = (c & 0x00ff00ff) | ((d & 0x00ff00ff) << 8);
      const cdOdd = ((c >>> 8) & 0x00ff00ff) | (d & 0xff00ff00);
      to.setInt32(run, (abEven & 0xffff) | (cdEven << 16), true);
      to.setInt32(run + itemCount, (abOdd & 0xffff) | (cdOdd << 16), true);
      to.setInt32(run + 2 * itemCount, (abEven >>> 16) | (cdEven & 0xffff0000), true);
      to.setInt32(run + 3 * itemCount, (abOdd >>> 16) | (cdOdd & 0xffff0000), true);
    }
  }
}

function unshuffleColumns(
  from: DataView,
  first: number,
  to: DataView,
  out: number,
  size: number,
  itemCount: number,
): void {
  for (let next = 0; next < size; next += 4) {
    const column = Math.min(next, size - 4);
    let run = first + column * itemCount;
    let at = out + column;
    const end = run + itemCount - (itemCount % 4);
    for (; run < end; run += 4, at += 4 * size) {
      const a = from.getInt32(run, true);
      const b = from.getInt32(run + itemCount, true);
      const c = from.getInt32(run + 2 * itemCount, true);
      const d = from.getInt32(run + 3 * itemCount, true);
      const abEven = (a & 0x00ff00ff) | ((b & 0x00ff00ff) << 8);
      const abOdd = ((a >>> 8) & 0x00ff00ff) | (b & 0xff00ff00);
      const cdEven = (c & 0x00ff00ff) | ((d & 0x00ff00ff) << 8);
      const cdOdd = ((c >>> 8) & 0x00ff00ff) | (d & 0xff00ff00);
      to.setInt32(at, (abEven & 0xffff) | (cdEven << 16), true);
      to.setInt32(at + size, (abOdd & 0xffff) | (cdOdd << 16), true);
      to.setInt32(at + 2 * size, (abEven >>> 16) | (cdEven & 0xffff0000), true);
      to.setInt32(at + 3 * size, (abOdd >>> 16) | (cdOdd & 0xffff0000), true);
    }
  }
}

/** Two-byte elements, four (two words) at a time. */
function shufflePairs(from: DataView, first: number, to: DataView, out: number, itemCount: number): void {
  const end = out + itemCount - (itemCount % 4);
  for (let run = out, at = first; run < end; run += 4, at += 8) {
    const a = from.getInt32(at, true);
    const b = from.getInt32(at + 4, true);
    const aLow = a & 0x00ff00ff;
    const bLow = b & 0x00ff00ff;
    const aHigh = (a >>> 8) & 0x00ff00ff;
    const bHigh = (b >>> 8) & 0x00ff00ff;
    to.setInt32(run, ((aLow | (aLow >>> 8)) & 0xffff) | ((bLow | (bLow >>> 8)) << 16), true);
    to.setInt32(run + itemCount, ((aHigh | (aHigh >>> 8)) & 0xffff) | ((bHigh | (bHigh >>> 8)) << 16), true);
  }
}

function unshufflePairs(from: DataView, first: number, to: DataView, out: number, itemCount: number): void {
  const end = first + itemCount - (itemCount % 4);
  for (let run = first, at = out; run < end; run += 4, at += 8) {
    const low = from.getInt32(run, true);
    const high = from.getInt32(run + itemCount, true);
    const lowFirst = low & 0xffff;
    const lowLast = low >>> 16;
    const highFirst = high & 0xffff;
    const highLast = high >>> 16;
    const a = ((lowFirst | (lowFirst << 8)) & 0x00ff00ff) | (((highFirst | (highFirst << 8)) & 0x00ff00ff) << 8);
    const b = ((lowLast | (lowLast << 8)) & 0x00ff00ff) | (((highLast | (highLast << 8)) & 0x00ff00ff) << 8);
    to.setInt32(at, a, true);
    to.setInt32(at + 4, b, true);
  }
}

/** `filters_meta`, when not 0, takes the place of the typesize. */
function elementSize(context: FilterContext): number {
  return context.meta === 0 ? context.typesize : context.meta;
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
    for (let i = itemCount * size; i < source.byteLength; i++) target[i] = source[i];
  },
  backward(source, target, context): void {
    const size = elementSize(context);
    const itemCount = Math.floor(source.byteLength / size);
    if (size === 1 || itemCount <= 1) {
      target.set(source);
      return;
    }
    unshuffleElements(source, 0, target, 0, size, itemCount);
    for (let i = itemCount * size; i < source.byteLength; i++) target[i] = source[i];
  },
};
