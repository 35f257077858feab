/** LZ4 through lz4js, wrapped so that other implementations read what it writes and malformed blocks are refused. @module */
import { compressBlock, decompressBlock } from "lz4js";
import type { Codec, CodecContext } from "./codec.js";
import { selectDictionary } from "./dictionary-selection.js";
import { checkLz4Block, extendLastLiterals } from "./lz4-block.js";
import { Lz4MatchFinder } from "./lz4-match-finder.js";
import { lz4hcEncode } from "./lz4hc-encode.js";

const HASH_TABLE_LENGTH = 65536;
/**
 * lz4js lets a match start 10 bytes before the end of what it is given. Hiding the last two bytes from it keeps the
 * format's 12; they are added to the last run of literals.
 */
const HIDDEN_TAIL = 2;

const hashTable: Uint32Array = new Uint32Array(HASH_TABLE_LENGTH);
/** The dictionary, then the output: lz4js reads history from in front of where it writes. */
let historyScratch = new Uint8Array(0);
const finder: Lz4MatchFinder = new Lz4MatchFinder();

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

/**
 * LZ4. `clevel` makes no difference: lz4js has one way to look for matches, about that of C-Blosc2 at clevel 9. With a
 * dictionary the encoder of `lz4hc` is used, with a single search.
 */
export const lz4Codec: Codec = {
  id: 1,
  name: "lz4",
  formatCode: 1,
  dictionaries: true,
  compress: compressLz4,
  decompress: (source, target, context) => decompressBlockOf("lz4", source, target, context),
  trainDictionary: selectDictionary,
};

/** LZ4's format, compressed harder: `2^(clevel - 1)` candidates are tried for each match. */
export const lz4hcCodec: Codec = {
  id: 2,
  name: "lz4hc",
  formatCode: 1,
  dictionaries: true,
  compress: compressLz4hc,
  decompress: (source, target, context) => decompressBlockOf("lz4hc", source, target, context),
  trainDictionary: selectDictionary,
};
