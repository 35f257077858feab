/**
 * zlib and zstd of Node itself, in the place of the portable ones.
 *
 * @module
 */
export { nodeZlibCodec } from "./node-zlib-codec.js";
export { nodeZstdCodec } from "./node-zstd-codec.js";
export { registerNodeCodecs } from "./register-node-codecs.js";
