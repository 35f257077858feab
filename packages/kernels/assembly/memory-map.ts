// The fixed addresses below the heap. Kernels allocate nothing: tables and small scratch live here, everything that depends
// on the block size is passed in by the caller.

/** Where the map begins: 0, or in the build for memory that threads share what each thread is given when it makes its instance. */
const BASE: usize = 0;

/** Where the caller puts filter ids and metas, and the kernels a block's stream addresses. */
const CONTROL_BLOCK: usize = BASE + 1024;
/** Six filter ids, slot 0 first. */
const FILTERS: usize = CONTROL_BLOCK;
/** Six filter metas. */
const METAS: usize = CONTROL_BLOCK + 8;
/** Up to 256 addresses (uint32) of streams or byte planes. */
export const STREAMS: usize = CONTROL_BLOCK + 16;

/** What `copyBox` and `copyLists` read of each dimension: at most 16 entries of three uint32. */
export const BOX: usize = BASE + 2560;

/** Elements of one bitshuffle tile. */
export const TILE_ITEMS: usize = 128;
/** The byte planes of one bitshuffle tile: up to 255 of `TILE_ITEMS` bytes. */
export const TILE: usize = BASE + 4096;

/** Hash table of the fast encoders, `HASH_TABLE_BYTES` long. */
export const HASH_TABLE: usize = BASE + 36864;
export const HASH_TABLE_BYTES: usize = 32768;

/** Eight tables of 256 uint32 of the CRC-32C. */
export const CRC_TABLES: usize = BASE + 69632;
/** Blocks of the CRC-32C: 3,344 bytes of those before, and 16 KiB. */
export const CRC_BLOCKS: usize = BASE + 77824;
/** Where the caller puts 32 KiB of what is to be summed, if it is not in this memory. */
const CRC_INPUT: usize = BASE + 98304;

/** Chain heads of the LZ4HC encoder, 2^15 uint32. */
export const CHAIN_HEADS: usize = BASE + 131072;
/** Chain links of the LZ4HC encoder, 2^16 uint16. */
export const CHAIN_LINKS: usize = BASE + 262144;

/**
 * Bytes between the planes of a split block. Without them planes of 64 KiB would all map to the same cache sets, and reading
 * or writing them in step would evict one for the other.
 */
export const PLANE_GAP: usize = 128;

/** Number of filter slots of a chunk. */
export const FILTER_SLOTS: usize = 6;

/** Address of the control block. */
export function controlBlock(): usize {
  return CONTROL_BLOCK;
}

/** Address of the table of stream addresses. */
export function streamTable(): usize {
  return STREAMS;
}

/** Address of the table of a box's dimensions. */
export function boxTable(): usize {
  return BOX;
}

/** Address of 32 KiB for bytes whose CRC-32C is wanted. */
export function crcInput(): usize {
  return CRC_INPUT;
}

/** First address that the kernels do not use themselves. */
export function heapBase(): usize {
  return BASE + __heap_base;
}

/** Filter id of a slot. @inline */
export function filterOf(slot: usize): u32 {
  return load<u8>(FILTERS + slot);
}

/** Filter meta of a slot. @inline */
export function metaOf(slot: usize): u32 {
  return load<u8>(METAS + slot);
}
