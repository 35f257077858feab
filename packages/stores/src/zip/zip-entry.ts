/** What is known of one member of a ZIP file. @module */

/** A member, as its record in the central directory has it. */
export interface ZipEntry {
  readonly name: string;
  /** The name's bytes, as they must stand in the local header again. */
  readonly nameBytes: Uint8Array;
  readonly flags: number;
  /** 0 is stored, anything else a compression method. */
  readonly method: number;
  readonly crc32: number;
  /** Bytes that the member takes in the file. */
  readonly compressedSize: number;
  /** Bytes of its content. */
  readonly size: number;
  /** Absolute position of its local header. */
  readonly headerPosition: number;
  /** Absolute position at which what comes next in the file begins: another member, or the central directory. */
  readonly limit: number;
}
