/** BloscLZ, the Blosc formats' own codec. @module */
import { blosclzDecode } from "./blosclz-decode.js";
import { blosclzEncode } from "./blosclz-encode.js";
import type { Codec } from "./codec.js";
import { kernelCodec } from "./kernel-codec.js";

/** BloscLZ in TypeScript. */
export const blosclzCodec: Codec = /* @__PURE__ */ kernelCodec({
  id: 0,
  name: "blosclz",
  formatCode: 0,
  dictionaries: false,
  compress: (source, target, context) => blosclzEncode(source, target, context.clevel),
  decompress: blosclzDecode,
});

/** BloscLZ without the part that writes. */
export const blosclzReader: Codec = /* @__PURE__ */ kernelCodec({
  id: 0,
  name: "blosclz",
  formatCode: 0,
  dictionaries: false,
  decompress: blosclzDecode,
});
