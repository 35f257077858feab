/** zlib both ways: fflate compresses, and reads where the kernels can't be compiled. @module */
import { type InflateDecoder, loadInflateDecoder } from "@b2frame/kernels";
import { zlibSync } from "fflate";
import type { Codec } from "./codec.js";
import { createZlibCodec, type ZlibLibrary } from "./create-zlib-codec.js";
import { inflateByFflate } from "./fflate-reader.js";

type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

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

function inflate(source: Uint8Array, byteLength: number): Uint8Array | undefined {
  if (decoder === undefined) decoder = decoderHere();
  return decoder === null ? inflateByFflate(source, byteLength) : decoder.decode(source, byteLength);
}

const library: ZlibLibrary = {
  compress: (source, level) => zlibSync(source, { level: level as Level }),
  decompress: inflate,
};

/** zlib of the package itself. */
export const zlibCodec: Codec = /* @__PURE__ */ createZlibCodec(library);
