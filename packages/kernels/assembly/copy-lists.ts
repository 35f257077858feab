// Copying the items at the product of lists, one list per dimension: a selection by positions, out of a block or into one.
import { copyExact } from "./copy-bytes";
import { BOX } from "./memory-map";

/** Bytes of a dimension in the table: how many entries its list has, where that begins, and what is not used here. */
const DIMENSION: usize = 12;
/** Bytes of an entry of a list: an offset in the source, one in the target, and in the last list how many bytes to copy. */
const ENTRY: usize = 12;

/** Entries of the list of a dimension. @inline */
function countOf(dim: usize): usize {
  return <usize>load<u32>(BOX + dim * DIMENSION);
}

/** Address of the list of a dimension. @inline */
function listOf(dim: usize): usize {
  return <usize>load<u32>(BOX + dim * DIMENSION, 4);
}

/** Copies an item of `T` for each entry. @inline */
function copyScalars<T>(target: usize, source: usize, list: usize, listEnd: usize): void {
  for (let entry = list; entry < listEnd; entry += ENTRY) {
    store<T>(target + <usize>load<u32>(entry, 4), load<T>(source + <usize>load<u32>(entry)));
  }
}

/** Copies what the last list names: all of `rowLength` bytes, or of as many as each entry says where that is 0. */
function copyLast(target: usize, source: usize, dim: usize, rowLength: usize): void {
  const list = listOf(dim);
  const listEnd = list + countOf(dim) * ENTRY;
  switch (<u32>rowLength) {
    case 1:
      copyScalars<u8>(target, source, list, listEnd);
      break;
    case 2:
      copyScalars<u16>(target, source, list, listEnd);
      break;
    case 4:
      copyScalars<u32>(target, source, list, listEnd);
      break;
    case 8:
      copyScalars<u64>(target, source, list, listEnd);
      break;
    default:
      for (let entry = list; entry < listEnd; entry += ENTRY) {
        copyExact(target + <usize>load<u32>(entry, 4), source + <usize>load<u32>(entry), <usize>load<u32>(entry, 8));
      }
  }
}

/** Copies dimensions `dim..last`. */
function copyDimensions(target: usize, source: usize, dim: usize, last: usize, rowLength: usize): void {
  if (dim == last) {
    copyLast(target, source, dim, rowLength);
    return;
  }
  const list = listOf(dim);
  const listEnd = list + countOf(dim) * ENTRY;
  for (let entry = list; entry < listEnd; entry += ENTRY) {
    const from = source + <usize>load<u32>(entry);
    copyDimensions(target + <usize>load<u32>(entry, 4), from, dim + 1, last, rowLength);
  }
}

/**
 * Copies for each combination of one entry per list the bytes that the last one counts, in the lists' order: of places in the target
 * that are named twice, the last one counts. The table of boxes has an entry of three uint32 for each of `ndim` (1 to 16) dimensions, the
 * first two of which are the list's length and address. A list's entry are three uint32, too: offsets in source and target,
 * which add up over the dimensions and may wrap around, and a number of bytes. All that is named must lie in memory; the target's must
 * not overlap the source's.
 *
 * @param rowLength the number of bytes of the last list's entries if it is the same for all, else 0
 */
export function copyLists(source: usize, target: usize, ndim: usize, rowLength: usize): void {
  copyDimensions(target, source, 0, ndim - 1, rowLength);
}
