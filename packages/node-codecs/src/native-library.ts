/** What a C library of a codec does for b2frame. @module */

/** A codec's library, with contexts that serve all calls. Not re-entrant; one per thread. */
export interface NativeLibrary {
  readonly version: string;
  /** The highest level that can be trusted to this version. */
  readonly maxLevel: number;
  /**
   * Compresses `source` into the front of `target`.
   *
   * @returns bytes written, or 0 when the result does not fit
   * @throws Error when the library fails.
   */
  compress(source: Uint8Array, target: Uint8Array, level: number, dictionary: Uint8Array | undefined): number;
  /**
   * Whether `source` is one whole stream of exactly `target.byteLength` bytes, which are in `target` then. Else what is in
   * `target` is arbitrary.
   */
  decompress(source: Uint8Array, target: Uint8Array, dictionary: Uint8Array | undefined): boolean;
}
