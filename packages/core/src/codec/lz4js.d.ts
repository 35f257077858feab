/** The two functions of `lz4js` that are used here; it brings no types. */
declare module "lz4js" {
  /** Returns the offset in `dst` after the decoded bytes. Checks nothing: neither `src` nor `dst` nor match offsets. */
  export function decompressBlock(
    src: Uint8Array,
    dst: Uint8Array,
    sIndex: number,
    sLength: number,
    dIndex: number,
  ): number;
  /**
   * Returns the bytes that the block takes (which may exceed `dst`), 0 when nothing matched. `hashTable` has 65536 entries and must hold zeros.
   */
  export function compressBlock(
    src: Uint8Array,
    dst: Uint8Array,
    sIndex: number,
    sLength: number,
    hashTable: Uint32Array,
  ): number;
}
