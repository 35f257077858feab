/** The zlib codec over any zlib library: sizes and errors are checked here. @module */
import { isBlosc2Error } from "../errors.js";
import type { Codec } from "./codec.js";
import { compressionFailed, failureOffset, malformedStream, wrongDecodedLength } from "./stream-error.js";

/** What a zlib library must do for {@link createZlibCodec}. Both functions may throw anything. */
export interface ZlibLibrary {
  /** One zlib stream. A result longer than `room` bytes is thrown away, so the work may stop there. */
  compress(source: Uint8Array, level: number, room: number): Uint8Array;
  /**
   * The content of a zlib stream, which may be followed by other bytes. Must throw when the stream is cut or its checksum is
   * wrong. More than `byteLength + 1` bytes need not be decoded; `undefined` stands for a content of more than `byteLength`. What
   * it returns is copied before the next call. An error's `offset`, if it has one, is where in the stream it failed.
   */
  decompress(source: Uint8Array, byteLength: number): Uint8Array | undefined;
}

/** Makes a zlib codec (id 4) that only reads. */
export function createZlibReader(library: Pick<ZlibLibrary, "decompress">): Codec {
  return {
    id: 4,
    name: "zlib",
    formatCode: 3,
    dictionaries: false,
    decompress(source, target): void {
      let content: Uint8Array | undefined;
      try {
        content = library.decompress(source, target.byteLength);
      } catch (cause) {
        if (isBlosc2Error(cause)) throw cause;
        const problem = cause instanceof Error ? cause.message : String(cause);
        throw malformedStream("zlib", problem, failureOffset(cause, 0), cause);
      }
      if (content === undefined || content.byteLength > target.byteLength) {
        throw wrongDecodedLength("zlib", target.byteLength, "more");
      }
      if (content.byteLength !== target.byteLength) {
        throw wrongDecodedLength("zlib", target.byteLength, content.byteLength);
      }
      target.set(content);
    },
  };
}

/** Makes the zlib codec (id 4) from a zlib library. */
export function createZlibCodec(library: ZlibLibrary): Codec {
  return {
    ...createZlibReader(library),
    compress(source, target, context): number {
      let stream: Uint8Array;
      try {
        stream = library.compress(source, Math.min(9, Math.max(1, context.clevel)), target.byteLength);
      } catch (cause) {
        throw compressionFailed("zlib", cause);
      }
      if (stream.byteLength > target.byteLength) return 0;
      target.set(stream);
      return stream.byteLength;
    },
  };
}
