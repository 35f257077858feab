/** The codec interface: what compresses and decompresses one stream of a block. @module */

/** The place of a block in a B2ND array; some plugin codecs and filters need it. */
export interface BlockGeometry {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
}

/** What a codec may want to know beside the bytes. */
export interface CodecContext {
  /** 0..9 */
  readonly clevel: number;
  /** The chunk's typesize (as the chunk header has it: 1 when the true one exceeds 255). */
  readonly typesize: number;
  /** `codec_meta` of the frame or chunk header, 0..255. */
  readonly meta: number;
  /** The chunk's dictionary, if it has one. */
  readonly dictionary: Uint8Array | undefined;
  /** Set when the chunk belongs to a B2ND array. */
  readonly geometry: BlockGeometry | undefined;
}

/** A codec. The caller owns both buffers; nothing is allocated per stream where that can be helped. */
export interface Codec {
  /** The compcode (`include/blosc2.h`): 0 blosclz, 1 lz4, 2 lz4hc, 4 zlib, 5 zstd, 32-159 registered, 160-255 the user's. */
  readonly id: number;
  readonly name: string;
  /** The format code in the chunk's `flags >> 5`: 0, 1, 3, 4, or 6 for ids from 32 on. */
  readonly formatCode: number;
  /** Whether `context.dictionary` is honoured, both ways. */
  readonly dictionaries: boolean;
  /**
   * Compresses all of `source` into the front of `target`.
   *
   * @returns bytes written, or 0 when the result would not fit `target` (the caller stores the bytes raw).
   * Absent: the codec only reads.
   */
  compress?(source: Uint8Array, target: Uint8Array, context: CodecContext): number;
  /**
   * Decompresses all of `source`, which must give exactly `target.byteLength` bytes.
   *
   * @throws CodecError on anything else.
   */
  decompress(source: Uint8Array, target: Uint8Array, context: CodecContext): void;
  /** Makes a dictionary of at most `maxByteLength` bytes from filtered sample data; `undefined` if that is not worth it. */
  trainDictionary?(samples: readonly Uint8Array[], maxByteLength: number): Uint8Array | undefined;
}
