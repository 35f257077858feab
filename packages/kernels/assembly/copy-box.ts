// Copying a box of items between two buffers with any strides: a block into a result, or a source into a block.
import { copyExact } from "./copy-bytes";
import { BOX } from "./memory-map";

/** Bytes of a dimension in the table: its count, the source's stride, the target's stride. */
const ENTRY: usize = 12;

/** Items along a dimension. @inline */
function countOf(dim: usize): usize {
  return <usize>load<u32>(BOX + dim * ENTRY);
}

/** Bytes between neighbours along a dimension of the source. Negative ones wrap around, as addresses do. @inline */
function sourceStrideOf(dim: usize): usize {
  return <usize>load<u32>(BOX + dim * ENTRY, 4);
}

/** As `sourceStrideOf`, of the target. @inline */
function targetStrideOf(dim: usize): usize {
  return <usize>load<u32>(BOX + dim * ENTRY, 8);
}

/**
 * Drops dimensions of one item, and makes one of two neighbours where the outer one goes on where the inner one ends.
 *
 * @returns how many dimensions are left
 */
function mergeDimensions(ndim: usize): usize {
  let kept: usize = 0;
  for (let dim: usize = 0; dim < ndim; dim++) {
    const count = countOf(dim);
    if (count == 1) continue;
    const sourceStride = sourceStrideOf(dim);
    const targetStride = targetStrideOf(dim);
    let at = kept;
    let merged = count;
    if (kept > 0) {
      const outer = kept - 1;
      if (sourceStrideOf(outer) == sourceStride * count && targetStrideOf(outer) == targetStride * count) {
        at = outer;
        merged = count * countOf(outer);
      }
    }
    const entry = BOX + at * ENTRY;
    store<u32>(entry, <u32>merged);
    store<u32>(entry, <u32>sourceStride, 4);
    store<u32>(entry, <u32>targetStride, 8);
    kept = at + 1;
  }
  return kept;
}

/** Copies `count` rows of `T`. @inline */
function copyScalars<T>(target: usize, source: usize, count: usize, targetStride: usize, sourceStride: usize): void {
  for (let i: usize = 0; i < count; i++) {
    store<T>(target, load<T>(source));
    source += sourceStride;
    target += targetStride;
  }
}

/** Copies `count` rows of whole vectors; a constant `rowLength` leaves one loop without branches. @inline */
function copyVectors(
  target: usize,
  source: usize,
  count: usize,
  targetStride: usize,
  sourceStride: usize,
  rowLength: usize,
): void {
  for (let i: usize = 0; i < count; i++) {
    v128.store(target, v128.load(source));
    if (rowLength > 16) v128.store(target, v128.load(source, 16), 16);
    if (rowLength > 32) {
      v128.store(target, v128.load(source, 32), 32);
      v128.store(target, v128.load(source, 48), 48);
    }
    if (rowLength > 64) {
      v128.store(target, v128.load(source, 64), 64);
      v128.store(target, v128.load(source, 80), 80);
      v128.store(target, v128.load(source, 96), 96);
      v128.store(target, v128.load(source, 112), 112);
    }
    source += sourceStride;
    target += targetStride;
  }
}

/** Copies `count` rows of `rowLength` bytes: in one loop for the lengths that blocks have most. */
function copyRows(
  target: usize,
  source: usize,
  count: usize,
  targetStride: usize,
  sourceStride: usize,
  rowLength: usize,
): void {
  switch (<u32>rowLength) {
    case 1:
      copyScalars<u8>(target, source, count, targetStride, sourceStride);
      break;
    case 2:
      copyScalars<u16>(target, source, count, targetStride, sourceStride);
      break;
    case 4:
      copyScalars<u32>(target, source, count, targetStride, sourceStride);
      break;
    case 8:
      copyScalars<u64>(target, source, count, targetStride, sourceStride);
      break;
    case 16:
      copyVectors(target, source, count, targetStride, sourceStride, 16);
      break;
    case 32:
      copyVectors(target, source, count, targetStride, sourceStride, 32);
      break;
    case 64:
      copyVectors(target, source, count, targetStride, sourceStride, 64);
      break;
    case 128:
      copyVectors(target, source, count, targetStride, sourceStride, 128);
      break;
    default:
      for (let i: usize = 0; i < count; i++) {
        copyExact(target, source, rowLength);
        source += sourceStride;
        target += targetStride;
      }
  }
}

/** Copies dimensions `dim..last` of the table, of which `last` counts rows. */
function copyDimensions(target: usize, source: usize, dim: usize, last: usize, rowLength: usize): void {
  const count = countOf(dim);
  const sourceStride = sourceStrideOf(dim);
  const targetStride = targetStrideOf(dim);
  if (dim == last) {
    copyRows(target, source, count, targetStride, sourceStride, rowLength);
    return;
  }
  for (let i: usize = 0; i < count; i++) {
    copyDimensions(target, source, dim + 1, last, rowLength);
    source += sourceStride;
    target += targetStride;
  }
}

/**
 * Copies a box of items of `itemLength` bytes. The table of the box has an entry of three uint32 for each of `ndim` dimensions, at
 * most 16: how many items, and the strides in bytes in source and target, either of which may be negative or 0.
 * The table is overwritten. All items must lie in memory, and the target's must not overlap the source's.
 *
 * @param source address of the item at the box's origin
 * @param target address that it is copied to
 */
export function copyBox(source: usize, target: usize, itemLength: usize, ndim: usize): void {
  for (let dim: usize = 0; dim < ndim; dim++) if (countOf(dim) == 0) return;
  let dims = mergeDimensions(ndim);
  let rowLength = itemLength;
  if (dims > 0 && sourceStrideOf(dims - 1) == rowLength && targetStrideOf(dims - 1) == rowLength) {
    dims--;
    rowLength *= countOf(dims);
  }
  if (dims == 0) copyExact(target, source, rowLength);
  else copyDimensions(target, source, 0, dims - 1, rowLength);
}
