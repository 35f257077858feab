/** zlib both ways: fflate compresses, and reads where the kernels can't be compiled. @module */
import { zlibSync } from "fflate";
import type { Codec } from "./codec.js";
import { createZlibCodec, type ZlibLibrary } from "./create-zlib-codec.js";
import { inflateZlib } from "./zlib-reader.js";

type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

const library: ZlibLibrary = {
  compress: (source, level) => zlibSync(source, { level: level as Level }),
  decompress: inflateZlib,
};

/** zlib of the package itself. */
export const zlibCodec: Codec = /* @__PURE__ */ createZlibCodec(library);
