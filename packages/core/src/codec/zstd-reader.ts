/** Reading zstd with the kernels' decoder, which is compiled for the first stream. @module */
import { loadZstdDecoder, type ZstdDecoder } from "@b2frame/kernels";
import type { Codec } from "./codec.js";
import { createZstdReader } from "./create-zstd-codec.js";
import { needsWebAssembly } from "./no-webassembly.js";

let decoder: ZstdDecoder | undefined;

function decoderNow(): ZstdDecoder {
  try {
    decoder ??= loadZstdDecoder();
    return decoder;
  } catch (cause) {
    throw needsWebAssembly("zstd", 5, cause);
  }
}

/**
 * The content of one data frame, in memory that the next call uses again.
 *
 * @throws UnsupportedError where WebAssembly is missing or forbidden; StreamDecoderError for a malformed frame.
 */
export function decompressByKernels(
  frame: Uint8Array,
  contentSize: number,
  dictionary: Uint8Array | undefined,
): Uint8Array {
  return decoderNow().decode(frame, contentSize, dictionary);
}

/** zstd without the part that writes. */
export const zstdReader: Codec = /* @__PURE__ */ createZstdReader({ decompress: decompressByKernels });
