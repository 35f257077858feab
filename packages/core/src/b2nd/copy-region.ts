/** Copying a box of items between two buffers with any strides. @module */

/** Whether a box of `shape` items is one piece of memory on both sides, in the same order. Strides are in bytes. */
export function isOneRow(
  sourceStrides: readonly number[],
  targetStrides: readonly number[],
  shape: readonly number[],
  itemsize: number,
): boolean {
  let rowBytes = itemsize;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    const count = shape[dim] as number;
    if (count !== 1 && (sourceStrides[dim] !== rowBytes || targetStrides[dim] !== rowBytes)) return false;
    rowBytes *= count;
  }
  return true;
}

/**
 * Copies `shape` items of `itemsize` bytes. Offsets and strides are in bytes; strides may be negative. Bounds are the caller's duty: the regions must
 * lie inside the buffers.
 */
export function copyRegion(
  source: Uint8Array,
  sourceOffset: number,
  sourceStrides: readonly number[],
  target: Uint8Array,
  targetOffset: number,
  targetStrides: readonly number[],
  shape: readonly number[],
  itemsize: number,
): void {
  let rowBytes = itemsize;
  let dims = shape.length;
  // Merge trailing dimensions that are contiguous on both sides into one row.
  while (dims > 0) {
    const count = shape[dims - 1] as number;
    if (count === 0) return;
    if (count !== 1 && (sourceStrides[dims - 1] !== rowBytes || targetStrides[dims - 1] !== rowBytes)) break;
    rowBytes *= count;
    dims--;
  }
  for (let i = 0; i < dims; i++) if (shape[i] === 0) return;
  copyDim(source, sourceOffset, sourceStrides, target, targetOffset, targetStrides, shape, 0, dims, rowBytes);
}

/** Rows shorter than this are copied by a loop: `set` with a `subarray` costs more than that many bytes. */
const LOOP_LIMIT = 32;

function copyRow(source: Uint8Array, from: number, target: Uint8Array, to: number, byteLength: number): void {
  if (byteLength <= LOOP_LIMIT) {
    for (let i = 0; i < byteLength; i++) target[to + i] = source[from + i] as number;
  } else {
    target.set(source.subarray(from, from + byteLength), to);
  }
}

function copyDim(
  source: Uint8Array,
  sourceOffset: number,
  sourceStrides: readonly number[],
  target: Uint8Array,
  targetOffset: number,
  targetStrides: readonly number[],
  shape: readonly number[],
  dim: number,
  dims: number,
  rowBytes: number,
): void {
  if (dim === dims) {
    copyRow(source, sourceOffset, target, targetOffset, rowBytes);
    return;
  }
  const count = shape[dim] as number;
  const sourceStride = sourceStrides[dim] as number;
  const targetStride = targetStrides[dim] as number;
  let from = sourceOffset;
  let to = targetOffset;
  for (let i = 0; i < count; i++, from += sourceStride, to += targetStride) {
    if (dim + 1 === dims) copyRow(source, from, target, to, rowBytes);
    else copyDim(source, from, sourceStrides, target, to, targetStrides, shape, dim + 1, dims, rowBytes);
  }
}
