/** Reading BloscLZ. @module */
import { blosclzDecode } from "./blosclz-decode.js";
import type { Codec } from "./codec.js";
import { kernelCodec } from "./kernel-codec.js";

/** BloscLZ without the part that writes. */
export const blosclzReader: Codec = /* @__PURE__ */ kernelCodec({
  id: 0,
  name: "blosclz",
  formatCode: 0,
  dictionaries: false,
  decompress: blosclzDecode,
});
