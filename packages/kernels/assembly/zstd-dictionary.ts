// Dictionaries (RFC 8878, 5): raw content, or tables and content from zstd's trainer.
import { dropHuffmanTree, readHuffmanTree } from "./huffman-table";
import { describeTable, dropTables, LENGTHS, MATCHES, OFFSETS } from "./sequence-codes";
import { DICTIONARY_INVALID } from "./zstd-errors";
import { setRecentOffsets } from "./zstd-sequences";

const MAGIC: u32 = 0xec30a437;

/** Id of the dictionary; 0 for raw content. */
let id: u32 = 0;
/** Where its content begins. */
let content: usize = 0;

export function dictionaryId(): u32 {
  return id;
}

export function dictionaryContent(): usize {
  return content;
}

/** Sets the tables and offsets that a frame begins with. @returns 0 or an error */
export function openDictionary(dictionary: usize, length: usize): i32 {
  dropHuffmanTree();
  dropTables();
  setRecentOffsets(1, 4, 8);
  id = 0;
  content = dictionary;
  if (length < 8 || load<u32>(dictionary) != MAGIC) return 0;
  const end = dictionary + length;
  id = load<u32>(dictionary, 4);
  let at = dictionary + 8;
  let used = readHuffmanTree(at, end - at);
  if (used < 0) return DICTIONARY_INVALID;
  at += used;
  used = describeTable(OFFSETS, at, end - at);
  if (used < 0) return DICTIONARY_INVALID;
  at += used;
  used = describeTable(MATCHES, at, end - at);
  if (used < 0) return DICTIONARY_INVALID;
  at += used;
  used = describeTable(LENGTHS, at, end - at);
  if (used < 0) return DICTIONARY_INVALID;
  at += used;
  if (end - at < 12) return DICTIONARY_INVALID;
  content = at + 12;
  const room = end - content;
  for (let i: usize = 0; i < 12; i += 4) {
    // One comparison for both: offset 0 becomes the largest number.
    if (<usize>load<u32>(at + i) - 1 >= room) return DICTIONARY_INVALID;
  }
  setRecentOffsets(load<u32>(at), load<u32>(at, 4), load<u32>(at, 8));
  return 0;
}
