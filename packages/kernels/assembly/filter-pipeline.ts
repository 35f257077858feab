// The filters of one block in sequence. Every filter reads one buffer and writes another; the two scratch buffers take turns,
// and the last filter writes the target.
import { bitshuffle, unbitshuffle } from "./bitshuffle";
import { bytedeltaBackward, bytedeltaForward } from "./bytedelta";
import { copyExact } from "./copy-bytes";
import { deltaBackward, deltaForward } from "./delta";
import { NOT_IN_KERNELS } from "./error-codes";
import { FILTER_SLOTS, filterOf, metaOf, STREAMS } from "./memory-map";
import { setPlanes, shuffle, unshuffle } from "./shuffle";
import { shuffleStreams } from "./shuffle-streams";
import { intTrunc, truncPrec } from "./truncate-precision";

export const SHUFFLE: u32 = 1;
export const BITSHUFFLE: u32 = 2;
export const DELTA: u32 = 3;
export const TRUNC_PREC: u32 = 4;
export const BYTEDELTA: u32 = 35;
export const INT_TRUNC: u32 = 36;

/** Whether decoding has anything to do for a filter: empty slots and truncations pass the bytes through. @inline */
export function isUndone(filter: u32): bool {
  return filter != 0 && filter != TRUNC_PREC && filter != INT_TRUNC;
}

/** Number of slots that decoding has to undo. */
export function undoneFilters(): usize {
  let count: usize = 0;
  for (let slot: usize = 0; slot < FILTER_SLOTS; slot++) {
    if (isUndone(filterOf(slot))) count++;
  }
  return count;
}

/** Element size of the shuffle in a slot: its meta if that is set. @inline */
export function shuffleElement(slot: usize, typesize: usize): usize {
  const meta = metaOf(slot);
  return meta != 0 ? <usize>meta : typesize;
}

/** bitshuffle as chunks of version 2 have it: a block whose element count is no multiple of 8 was left alone. @inline */
function leavesBlockAlone(chunkVersion: u32, typesize: usize, length: usize): bool {
  return chunkVersion == 2 && ((length / typesize) & 7) != 0;
}

function forwardFilter(
  slot: usize,
  typesize: usize,
  superChunkTypesize: usize,
  length: usize,
  source: usize,
  reference: usize,
  target: usize,
): i32 {
  const filter = filterOf(slot);
  const meta = metaOf(slot);
  if (filter == SHUFFLE) shuffle(shuffleElement(slot, typesize), length, source, target);
  else if (filter == BITSHUFFLE) bitshuffle(typesize, length, source, target);
  else if (filter == DELTA) deltaForward(typesize, length, source, reference, target);
  else if (filter == BYTEDELTA) {
    bytedeltaForward(meta != 0 ? <usize>meta : superChunkTypesize, length, source, target);
  } else if (filter == TRUNC_PREC) return truncPrec(superChunkTypesize, meta, length, source, target);
  else if (filter == INT_TRUNC) return intTrunc(superChunkTypesize, meta, length, source, target);
  else return NOT_IN_KERNELS;
  return 0;
}

function backwardFilter(
  slot: usize,
  typesize: usize,
  superChunkTypesize: usize,
  chunkVersion: u32,
  length: usize,
  source: usize,
  reference: usize,
  target: usize,
): i32 {
  const filter = filterOf(slot);
  const meta = metaOf(slot);
  if (filter == SHUFFLE) unshuffle(shuffleElement(slot, typesize), length, source, target);
  else if (filter == BITSHUFFLE) {
    if (leavesBlockAlone(chunkVersion, typesize, length)) copyExact(target, source, length);
    else unbitshuffle(typesize, length, source, target);
  } else if (filter == DELTA) deltaBackward(typesize, length, source, reference, target);
  else if (filter == BYTEDELTA) {
    bytedeltaBackward(meta != 0 ? <usize>meta : superChunkTypesize, length, source, target);
  } else return NOT_IN_KERNELS;
  return 0;
}

/**
 * Runs slots 0..5 of the control block over `length` bytes. `target` and both scratch buffers hold `length` bytes and overlap
 * neither `source` nor each other.
 *
 * @param planeStride where a final shuffle by `typesize` may write each plane, this many bytes apart; 0 for no gaps
 * @returns 0, 1 if the planes were written `planeStride` apart, or an error code
 */
export function forwardFilters(
  typesize: usize,
  superChunkTypesize: usize,
  length: usize,
  source: usize,
  reference: usize,
  scratch: usize,
  otherScratch: usize,
  target: usize,
  planeStride: usize,
): i32 {
  let last: usize = FILTER_SLOTS;
  while (last > 0 && filterOf(last - 1) == 0) last--;
  if (last == 0) {
    copyExact(target, source, length);
    return 0;
  }
  let from = source;
  for (let slot: usize = 0; slot < last; slot++) {
    if (filterOf(slot) == 0) continue;
    if (
      planeStride > 0 &&
      slot + 1 == last &&
      filterOf(slot) == SHUFFLE &&
      shuffleElement(slot, typesize) == typesize
    ) {
      setPlanes(target, typesize, planeStride);
      shuffleStreams(from, typesize, length / typesize, STREAMS);
      return 1;
    }
    const into = slot + 1 == last ? target : from == scratch ? otherScratch : scratch;
    const status = forwardFilter(slot, typesize, superChunkTypesize, length, from, reference, into);
    if (status < 0) return status;
    from = into;
  }
  return 0;
}

/** Undoes slots 5..0 of the control block; buffers as for `forwardFilters`. @returns 0 or an error code */
export function backwardFilters(
  typesize: usize,
  superChunkTypesize: usize,
  chunkVersion: u32,
  length: usize,
  source: usize,
  reference: usize,
  scratch: usize,
  otherScratch: usize,
  target: usize,
): i32 {
  let left = undoneFilters();
  if (left == 0) {
    copyExact(target, source, length);
    return 0;
  }
  let from = source;
  for (let slot: usize = FILTER_SLOTS; slot-- > 0; ) {
    if (!isUndone(filterOf(slot))) continue;
    left--;
    const into = left == 0 ? target : from == scratch ? otherScratch : scratch;
    const status = backwardFilter(slot, typesize, superChunkTypesize, chunkVersion, length, from, reference, into);
    if (status < 0) return status;
    from = into;
  }
  return 0;
}
