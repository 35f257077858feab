/**
 * The zlib and zstd of Node or of the system, in the place of the portable ones.
 *
 * @module
 */
export { originOf } from "./chosen-codec.js";
export { type CodecLibrary, type CodecOrigin, codecFrom, codecLibraries } from "./codec-origins.js";
export { nodeZlibCodec } from "./node-zlib-codec.js";
export { nodeZstdCodec } from "./node-zstd-codec.js";
export { type NodeCodecsOptions, registerNodeCodecs } from "./register-node-codecs.js";
