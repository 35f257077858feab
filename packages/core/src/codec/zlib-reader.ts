/** Reading zlib with the kernels' decoder, which is compiled for the first stream. @module */
import { type InflateDecoder, loadInflateDecoder } from "@b2frame/kernels";
import type { Codec } from "./codec.js";
import { createZlibReader } from "./create-zlib-codec.js";
import { needsWebAssembly } from "./no-webassembly.js";

let decoder: InflateDecoder | undefined;

/** The content of a zlib stream, valid until the next call; `undefined` for a content of more than `byteLength` bytes. */
function inflateByKernels(source: Uint8Array, byteLength: number): Uint8Array | undefined {
  try {
    decoder ??= loadInflateDecoder();
  } catch (cause) {
    throw needsWebAssembly("zlib", 4, cause, "; zlibCodec of @b2frame/core does without");
  }
  return decoder.decode(source, byteLength);
}

/** zlib without the part that writes. Where WebAssembly is missing or forbidden, each call throws an `UnsupportedError`. */
export const zlibReader: Codec = /* @__PURE__ */ createZlibReader({ decompress: inflateByKernels });
