/** Reading zlib with the kernels' decoder, which is compiled for the first stream; through fflate where that can't be. @module */
import { type InflateDecoder, loadInflateDecoder } from "@b2frame/kernels";
import type { Codec } from "./codec.js";
import { createZlibReader } from "./create-zlib-codec.js";
import { inflateByFflate } from "./fflate-reader.js";

/** `null` where WebAssembly is missing or forbidden. */
let decoder: InflateDecoder | null | undefined;

function decoderHere(): InflateDecoder | null {
  try {
    return loadInflateDecoder();
  } catch {
    // Neither WebAssembly nor any of its features can be asked about otherwise.
    return null;
  }
}

/** The content of a zlib stream, valid until the next call; `undefined` for a content of more than `byteLength` bytes. */
export function inflateZlib(source: Uint8Array, byteLength: number): Uint8Array | undefined {
  if (decoder === undefined) decoder = decoderHere();
  return decoder === null ? inflateByFflate(source, byteLength) : decoder.decode(source, byteLength);
}

/** zlib without the part that writes. */
export const zlibReader: Codec = /* @__PURE__ */ createZlibReader({ decompress: inflateZlib });
