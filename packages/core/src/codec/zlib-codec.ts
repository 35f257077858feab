/** zlib through fflate. @module */
import { zlibSync } from "fflate";
import type { Codec } from "./codec.js";
import { createZlibCodec, type ZlibLibrary } from "./create-zlib-codec.js";
import { inflateZlib } from "./zlib-reader.js";

type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

const fflateLibrary: ZlibLibrary = {
  compress: (source, level) => zlibSync(source, { level: level as Level }),
  decompress: inflateZlib,
};

/** zlib in TypeScript. */
export const zlibCodec: Codec = /* @__PURE__ */ createZlibCodec(fflateLibrary);
