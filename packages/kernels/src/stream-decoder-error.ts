/** What the decoders of zstd and zlib throw. @module */

/** A stream that can't be decoded. */
export class StreamDecoderError extends Error {
  override readonly name: string = "StreamDecoderError";
  /** Offset in the stream of the header, block or checksum at which decoding failed. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
