/** Reading LZ4 through lz4js, which checks nothing itself: malformed blocks are refused before it sees them. @module */
import { decompressBlock } from "lz4js";
import type { Codec, CodecContext } from "./codec.js";
import { kernelCodec } from "./kernel-codec.js";
import { checkLz4Block } from "./lz4-block.js";

/** The dictionary, then the output: lz4js reads history from in front of where it writes. */
let historyScratch = new Uint8Array(0);

function decompressBlockOf(codec: string, source: Uint8Array, target: Uint8Array, context: CodecContext): void {
  const { dictionary } = context;
  const historyLength = dictionary === undefined ? 0 : dictionary.byteLength;
  checkLz4Block(source, target.byteLength, historyLength, codec);
  if (dictionary === undefined) {
    decompressBlock(source, target, 0, source.byteLength, 0);
    return;
  }
  const needed = historyLength + target.byteLength;
  if (historyScratch.byteLength < needed) historyScratch = new Uint8Array(needed);
  historyScratch.set(dictionary);
  decompressBlock(source, historyScratch, 0, source.byteLength, historyLength);
  target.set(historyScratch.subarray(historyLength, needed));
}

/** LZ4 without the part that writes. */
export const lz4Reader: Codec = /* @__PURE__ */ kernelCodec({
  id: 1,
  name: "lz4",
  formatCode: 1,
  dictionaries: true,
  decompress: (source, target, context) => decompressBlockOf("lz4", source, target, context),
});

/** LZ4HC without the part that writes. */
export const lz4hcReader: Codec = /* @__PURE__ */ kernelCodec({
  id: 2,
  name: "lz4hc",
  formatCode: 1,
  dictionaries: true,
  decompress: (source, target, context) => decompressBlockOf("lz4hc", source, target, context),
});
