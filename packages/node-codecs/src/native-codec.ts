/** A C library as a codec. What it refuses, the portable codec reads or words. @module */
import { type Codec, CodecError } from "@b2frame/core";
import type { NativeLibrary } from "./native-library.js";

/** Makes a codec of a C library and of the portable codec with the same id. */
export function nativeCodec(library: NativeLibrary, portable: Codec, levelOf: (clevel: number) => number): Codec {
  const { id, name, formatCode, dictionaries, trainDictionary } = portable;
  const codec: Codec = {
    id,
    name,
    formatCode,
    dictionaries,
    compress(source, target, context): number {
      const level = levelOf(context.clevel);
      if (level > library.maxLevel) return portable.compress?.(source, target, context) ?? 0;
      const { dictionary } = context;
      try {
        return library.compress(source, target, level, dictionary?.byteLength === 0 ? undefined : dictionary);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new CodecError(
          "BLOSC2_CODEC_COMPRESS",
          `${name}: compression failed: ${reason}`,
          { codec: name, direction: "compress" },
          cause,
        );
      }
    },
    decompress(source, target, context): void {
      const { dictionary } = context;
      if (library.decompress(source, target, dictionary?.byteLength === 0 ? undefined : dictionary)) return;
      // Streams of several frames, and all that is wrong: both engines then say the same of it.
      portable.decompress(source, target, context);
    },
  };
  return trainDictionary === undefined ? codec : { ...codec, trainDictionary };
}
