/** LZ4 through lz4js, wrapped so that other implementations read what it writes and malformed blocks are refused. @module */
import { compressBlock } from "lz4js";
import type { Codec, CodecContext } from "./codec.js";
import { selectDictionary } from "./dictionary-selection.js";
import { kernelCodec } from "./kernel-codec.js";
import { extendLastLiterals } from "./lz4-block.js";
import { Lz4MatchFinder } from "./lz4-match-finder.js";
import { lz4hcReader, lz4Reader } from "./lz4-reader.js";
import { lz4hcEncode } from "./lz4hc-encode.js";

const HASH_TABLE_LENGTH = 65536;
/**
 * lz4js lets a match start 10 bytes before the end of what it is given. Hiding the last two bytes from it keeps the
 * format's 12; they are added to the last run of literals.
 */
const HIDDEN_TAIL = 2;

const hashTable: Uint32Array = /* @__PURE__ */ new Uint32Array(HASH_TABLE_LENGTH);
const finder: Lz4MatchFinder = /* @__PURE__ */ new Lz4MatchFinder();

function compressLz4(source: Uint8Array, target: Uint8Array, context: CodecContext): number {
  const { dictionary } = context;
  if (dictionary !== undefined && dictionary.byteLength > 0) {
    return lz4hcEncode(source, target, finder, { searches: 1, lazy: false }, dictionary);
  }
  if (source.byteLength <= HIDDEN_TAIL) return 0;
  hashTable.fill(0);
  const written = compressBlock(source, target, 0, source.byteLength - HIDDEN_TAIL, hashTable);
  if (written === 0 || written > target.byteLength) return 0;
  return extendLastLiterals(target, written, source);
}

function compressLz4hc(source: Uint8Array, target: Uint8Array, context: CodecContext): number {
  const searches = 2 ** Math.max(1, Math.min(9, context.clevel) - 1);
  return lz4hcEncode(source, target, finder, { searches, lazy: true }, context.dictionary);
}

/**
 * LZ4. `clevel` makes no difference: lz4js has one way to look for matches, about that of C-Blosc2 at clevel 9. With a
 * dictionary the encoder of `lz4hc` is used, with a single search.
 */
export const lz4Codec: Codec = /* @__PURE__ */ kernelCodec({
  ...lz4Reader,
  compress: compressLz4,
  trainDictionary: selectDictionary,
});

/** LZ4's format, compressed harder: `2^(clevel - 1)` candidates are tried for each match. */
export const lz4hcCodec: Codec = /* @__PURE__ */ kernelCodec({
  ...lz4hcReader,
  compress: compressLz4hc,
  trainDictionary: selectDictionary,
});
