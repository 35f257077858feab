// The exports of the zstd decoder's module. `src/zstd-decoder.ts` declares the same functions for TypeScript.
export { failedPart, zstdDecode } from "./zstd-decode";
export { heapBase } from "./zstd-memory";
