/** The function of `lz4js` that is used here; it brings no types. */
declare module "lz4js" {
  /** Checks nothing: neither `src` nor `dst` nor match offsets. */
  export function decompressBlock(
    src: Uint8Array,
    dst: Uint8Array,
    sIndex: number,
    sLength: number,
    dIndex: number,
  ): number;
}
