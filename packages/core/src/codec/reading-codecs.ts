/** The codecs of the default registry without their writing parts, for programs that only read. @module */
import { blosclzReader } from "./blosclz-reader.js";
import { type CodecRegistry, registryOf } from "./codec-registry.js";
import { lz4hcReader, lz4Reader } from "./lz4-reader.js";
import { zlibReader } from "./zlib-reader.js";
import { zstdReader } from "./zstd-reader.js";

/** The registry of `@b2frame/core/read`: blosclz, lz4, lz4hc, zlib and zstd, for reading. */
export const readingCodecs: CodecRegistry = /* @__PURE__ */ registryOf(
  [blosclzReader, lz4Reader, lz4hcReader, zlibReader, zstdReader],
  "readingCodecs",
);
