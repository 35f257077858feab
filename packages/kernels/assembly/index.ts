// The exports of the WebAssembly module. `src/kernel-exports.ts` declares the same functions for TypeScript.
export { bitshuffle, unbitshuffle } from "./bitshuffle";
export { decodeBlock } from "./block-decode";
export { encodeBlock, encodedAllZeros } from "./block-encode";
export { failedStream, locateStreams } from "./block-streams";
export { blosclzDecode } from "./blosclz-decode";
export { blosclzEncode } from "./blosclz-encode";
export { bytedeltaBackward, bytedeltaForward } from "./bytedelta";
export { copyBox } from "./copy-box";
export { isByteRun } from "./copy-bytes";
export { deltaBackward, deltaForward } from "./delta";
export { backwardFilters, forwardFilters } from "./filter-pipeline";
export { lz4Decode } from "./lz4-decode";
export { lz4Encode } from "./lz4-encode";
export { lz4hcEncode } from "./lz4hc-encode";
export { boxTable, controlBlock, heapBase, streamTable } from "./memory-map";
export { shuffle, unshuffle } from "./shuffle";
export { intTrunc, truncPrec } from "./truncate-precision";
export { unshuffleStreams } from "./unshuffle-streams";
