/** The zstd codec over any zstd library: frames, sizes and errors are checked here. @module */
import { isBlosc2Error } from "../errors.js";
import type { Codec, CodecContext } from "./codec.js";
import { selectDictionary } from "./dictionary-selection.js";
import { compressionFailed, failureOffset, malformedStream, wrongDecodedLength } from "./stream-error.js";
import { nextZstdFrame, type ZstdFrame } from "./zstd-frames.js";

/**
 * What a zstd library must do for {@link createZstdCodec}. Both functions may throw anything; a `Blosc2Error` is passed on. What they return is copied before the next
 * call, so it may be a view of memory that the library uses again.
 */
export interface ZstdLibrary {
  /** One frame that holds `source`. A `dictionary` is never empty; it is raw content or made by zstd's trainer. */
  compress(source: Uint8Array, level: number, dictionary: Uint8Array | undefined): Uint8Array;
  /**
   * The content of one data frame. It is known to be whole; `contentSize` is the size that its header promises, or where it
   * promises none the most that it may decode to. An error's `offset`, if it has one, is where in the frame it failed.
   */
  decompress(frame: Uint8Array, contentSize: number, dictionary: Uint8Array | undefined): Uint8Array;
}

const MAX_LEVEL = 22;
const TRAINED_MAGIC = [0x37, 0xa4, 0x30, 0xec];

/** C-Blosc2's choice of level. */
function levelOf(clevel: number): number {
  return clevel >= 9 ? MAX_LEVEL : 2 * Math.max(1, clevel) - 1;
}

function dictionaryOf(context: CodecContext): Uint8Array | undefined {
  return context.dictionary === undefined || context.dictionary.byteLength === 0 ? undefined : context.dictionary;
}

/** Raw content that began like a trained dictionary would be taken for one. */
function trainDictionary(samples: readonly Uint8Array[], maxByteLength: number): Uint8Array | undefined {
  const dictionary = selectDictionary(samples, maxByteLength);
  const looksTrained = dictionary !== undefined && TRAINED_MAGIC.every((byte, at) => dictionary[at] === byte);
  return looksTrained ? dictionary.subarray(1) : dictionary;
}

/** The part of a library that reads. */
type ZstdDecoding = Pick<ZstdLibrary, "decompress">;

function decodeFrame(
  library: ZstdDecoding,
  source: Uint8Array,
  { start, end }: ZstdFrame,
  size: number,
  context: CodecContext,
): Uint8Array {
  try {
    return library.decompress(source.subarray(start, end), size, dictionaryOf(context));
  } catch (cause) {
    if (isBlosc2Error(cause)) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw malformedStream("zstd", problem, failureOffset(cause, start), cause);
  }
}

function decompress(library: ZstdDecoding, source: Uint8Array, target: Uint8Array, context: CodecContext): void {
  let out = 0;
  let frame = nextZstdFrame(source, 0);
  while (frame !== undefined) {
    const room = target.byteLength - out;
    const { contentSize } = frame;
    if (contentSize !== undefined && contentSize > room) {
      throw wrongDecodedLength("zstd", target.byteLength, out + contentSize);
    }
    const content = decodeFrame(library, source, frame, contentSize ?? room, context);
    if (content.byteLength > room || (contentSize !== undefined && content.byteLength !== contentSize)) {
      throw wrongDecodedLength("zstd", target.byteLength, out + content.byteLength);
    }
    target.set(content, out);
    out += content.byteLength;
    frame = nextZstdFrame(source, frame.end);
  }
  if (out !== target.byteLength) throw wrongDecodedLength("zstd", target.byteLength, out);
}

/** Makes a zstd codec (id 5) that only reads; what it reads and refuses is the same as with {@link createZstdCodec}. */
export function createZstdReader(library: ZstdDecoding): Codec {
  return {
    id: 5,
    name: "zstd",
    formatCode: 4,
    dictionaries: true,
    decompress: (source, target, context) => decompress(library, source, target, context),
  };
}

/**
 * Makes the zstd codec (id 5) from a zstd library. Several frames and skippable frames are read as C-Blosc2 reads them; bytes
 * after the last frame, sizes beyond the target and truncated frames are refused before the library sees them.
 */
export function createZstdCodec(library: ZstdLibrary): Codec {
  return {
    ...createZstdReader(library),
    compress(source, target, context): number {
      let frame: Uint8Array;
      try {
        frame = library.compress(source, levelOf(context.clevel), dictionaryOf(context));
      } catch (cause) {
        if (isBlosc2Error(cause)) throw cause;
        throw compressionFailed("zstd", cause);
      }
      if (frame.byteLength > target.byteLength) return 0;
      target.set(frame);
      return frame.byteLength;
    },
    trainDictionary,
  };
}
