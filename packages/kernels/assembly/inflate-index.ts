// The exports of the inflate decoder's module. `src/inflate-decoder.ts` declares the same functions for TypeScript.
export { failedPart, inflateDecode } from "./inflate-decode";
export { heapBase } from "./inflate-memory";
