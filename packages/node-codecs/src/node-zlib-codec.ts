/** zlib through node:zlib. @module */
import { deflateSync, inflateSync } from "node:zlib";
import type { Codec } from "@b2frame/core";
import { createZlibCodec, zlibCodec } from "@b2frame/core/codec";
import { bufferSizes } from "./buffer-sizes.js";

/**
 * Up to so many bytes of content the kernels' decoder is faster: node:zlib takes 4 microseconds a stream before it decodes, and more for
 * its buffers.
 */
const SMALL_CONTENT = 64 * 1024;
/** Without it, the portable codec decodes with a library that is slower at any length. */
const HAS_WEBASSEMBLY = "WebAssembly" in globalThis;

const byNode: Codec = /* @__PURE__ */ createZlibCodec({
  compress: (source, level, room) => deflateSync(source, { level, chunkSize: bufferSizes(room).chunkSize }),
  decompress: (source, byteLength) => inflateSync(source, bufferSizes(byteLength)),
});

/** zlib by Node's own library; streams of up to 64 KiB of content are read by the kernels. */
export const nodeZlibCodec: Codec = {
  ...byNode,
  decompress(source, target, context): void {
    const isSmall = HAS_WEBASSEMBLY && target.byteLength <= SMALL_CONTENT;
    (isSmall ? zlibCodec : byNode).decompress(source, target, context);
  },
};
