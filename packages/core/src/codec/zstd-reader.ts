/** Reading zstd with the kernels' decoder, which is compiled for the first stream. @module */
import { loadZstdDecoder, type ZstdDecoder } from "@b2frame/kernels";
import { UnsupportedError } from "../errors.js";
import type { Codec } from "./codec.js";
import { createZstdReader } from "./create-zstd-codec.js";

/** What to throw where a WebAssembly module of zstd can't be compiled. */
export function zstdUnavailable(cause: unknown): UnsupportedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnsupportedError(
    "BLOSC2_UNSUPPORTED_CODEC",
    `zstd: its WebAssembly module can't be compiled here (a Content-Security-Policy must allow 'wasm-unsafe-eval'): ${reason}`,
    { feature: "zstd", codec: 5 },
    cause,
  );
}

let decoder: ZstdDecoder | undefined;

function decoderNow(): ZstdDecoder {
  try {
    decoder ??= loadZstdDecoder();
    return decoder;
  } catch (cause) {
    throw zstdUnavailable(cause);
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
