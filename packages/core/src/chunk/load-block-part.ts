/** Reading, of a split and shuffled block, only the compressed bytes that a few of its items need. @module */

import type { BlockCoding } from "../block/engine.js";
import { readInt32 } from "../bytes/little-endian.js";
import type { FilterRegistry } from "../filter/filter-registry.js";
import { shuffle } from "../filter/shuffle.js";
import { INT32_LENGTH } from "./chunk-layout.js";
import type { ChunkSource } from "./chunk-source.js";

const TOKEN_LENGTH = 1;
/** Bytes that a read takes along: small streams and the field after them come with one read. */
const READ_AHEAD = 4096;
/** A block of fewer compressed bytes is read whole. */
const LEAST_BLOCK = 4 * READ_AHEAD;
/** So is one of which more than this part is wanted. */
const LARGEST_PART = 1 / 8;

/**
 * Whether byte j of item i of a split block is byte i of stream j, so that some items need only some bytes of each stream: the
 * block was shuffled, and no other filter has to be undone.
 */
export function hasPlanes(coding: BlockCoding, filters: FilterRegistry): boolean {
  const undone: number[] = [];
  coding.filters.forEach((id, slot) => {
    if (id !== 0 && filters.byId(id).backward !== undefined) undone.push(slot);
  });
  const slot = undone[0];
  if (!coding.split || slot === undefined || undone.length > 1) return false;
  const meta = coding.filtersMeta[slot] as number;
  return filters.byId(coding.filters[slot] as number) === shuffle && (meta === 0 || meta === coding.typesize);
}

/** Whether reading part of a block pays: `wanted` of its `blocksize` bytes, which are compressed to `byteLength`. */
export function isSmallPart(wanted: number, blocksize: number, byteLength: number): boolean {
  return byteLength >= LEAST_BLOCK && wanted <= blocksize * LARGEST_PART;
}

/**
 * Reads what items `firstItem..endItem` of a block with planes need into `staged`, each byte to where it would be if all of
 * `start..end` of the chunk had been read there. The other bytes of `staged` are left as they are.
 *
 * @returns false when the streams are not as they should be, for a complete read to find out more
 */
export function loadBlockPart(
  source: ChunkSource,
  coding: BlockCoding,
  staged: Uint8Array,
  start: number,
  end: number,
  firstItem: number,
  endItem: number,
): boolean {
  const streamLength = Math.floor(coding.blocksize / coding.typesize);
  let loadedFrom = start;
  let loadedEnd = start;
  const load = (from: number, to: number): void => {
    if (from >= loadedFrom && to <= loadedEnd) return;
    const first = from >= loadedFrom && from < loadedEnd ? loadedEnd : from;
    const last = Math.min(end, Math.max(to, first + READ_AHEAD));
    source.readInto(first, staged.subarray(first - start, last - start));
    if (first === from) loadedFrom = from;
    loadedEnd = last;
  };
  let at = start;
  for (let i = 0; i < coding.typesize; i++) {
    if (at + INT32_LENGTH > end) return false;
    load(at, at + INT32_LENGTH);
    const csize = readInt32(staged, at - start);
    at += INT32_LENGTH;
    if (csize > end - at) return false;
    if (csize === streamLength) {
      load(at + firstItem, at + endItem);
    } else if (csize > 0) {
      load(at, at + csize);
    } else if (csize < 0) {
      if (at + TOKEN_LENGTH > end) return false;
      load(at, at + TOKEN_LENGTH);
      at += TOKEN_LENGTH;
    }
    at += Math.max(csize, 0);
  }
  return true;
}
