/** What copies boxes of items between a block and a part of a result, where an engine has memory of its own for both. @module */

/**
 * Memory of an engine in which blocks are decoded without a copy, and in which boxes of their items are copied by one call for all rows.
 * Offsets are in bytes from its front.
 */
export interface BoxMemory {
  /**
   * Makes room, and holds it until the next call of this. Decoding blocks of up to `blockByteLength` bytes, of which the compressed bytes
   * and all that is read with them are at most `stagingByteLength`, leaves the content where it is, and {@link view} valid.
   *
   * @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED`
   */
  reserve(byteLength: number, blockByteLength: number, stagingByteLength: number): void;
  /** A number that changes when others may have used the memory since it was reserved. */
  readonly holder: number;
  /** The memory from its front, as long as was reserved. */
  view(): Uint8Array;
  /** What to add to an offset that is a multiple of 4096, so that bytes there are copied to `targetOffset` in `target` at full speed. */
  apartFrom(target: Uint8Array, targetOffset: number): number;
  /** Copies a box of items: from `sourceOffset` on to `targetOffset` on, with strides in bytes, one per dimension, of at most 16. */
  copyBox(
    sourceOffset: number,
    sourceStrides: readonly number[],
    targetOffset: number,
    targetStrides: readonly number[],
    shape: readonly number[],
    itemsize: number,
  ): void;
  /**
   * Copies the items at the product of lists, from `sourceOffset` on to `targetOffset` on. A list lies in this memory, at a multiple of 4:
   * for each position three int32, its offsets in source and target, and in the last dimension a number of bytes. Places that are
   * named twice get what is named last.
   *
   * @param listOffsets where the list of each dimension lies
   * @param rowLength the number of bytes of the last list's entries if it is the same for all, else 0
   */
  copyLists(
    sourceOffset: number,
    targetOffset: number,
    listOffsets: readonly number[],
    counts: readonly number[],
    rowLength: number,
  ): void;
}

/** Memory of an engine that holds a target: blocks are decoded beside it, and boxes of their items are copied right into it. */
export interface TargetBoxes {
  /** Room for one block. */
  readonly block: Uint8Array;
  /** Copies a box of items from `blockOffset` on to `targetOffset` in the target; else as {@link BoxMemory.copyBox}. */
  copyBox(
    blockOffset: number,
    blockStrides: readonly number[],
    targetOffset: number,
    targetStrides: readonly number[],
    shape: readonly number[],
    itemsize: number,
  ): void;
}
