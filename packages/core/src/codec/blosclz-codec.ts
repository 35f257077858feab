/** BloscLZ, the Blosc formats' own codec. @module */
import { blosclzEncode } from "./blosclz-encode.js";
import { blosclzReader } from "./blosclz-reader.js";
import type { Codec } from "./codec.js";
import { kernelCodec } from "./kernel-codec.js";

/** BloscLZ in TypeScript. */
export const blosclzCodec: Codec = /* @__PURE__ */ kernelCodec({
  ...blosclzReader,
  compress: (source, target, context) => blosclzEncode(source, target, context.clevel),
});
