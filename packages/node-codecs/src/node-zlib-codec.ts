/** zlib through node:zlib. @module */
import { deflateSync, inflateSync } from "node:zlib";
import type { Codec } from "@b2frame/core";
import { createZlibCodec } from "@b2frame/core/codec";
import { bufferSizes } from "./buffer-sizes.js";

/** zlib by Node's own library: up to ten times as fast as the portable one. */
export const nodeZlibCodec: Codec = /* @__PURE__ */ createZlibCodec({
  compress: (source, level, room) => deflateSync(source, { level, chunkSize: bufferSizes(room).chunkSize }),
  decompress: (source, byteLength) => inflateSync(source, bufferSizes(byteLength)),
});
