/** What the zstd decoder returns instead of a byte count, in words. @module */

/** What is wrong, by the negative result. */
export const ZSTD_ERRORS: ReadonlyMap<number, string> = new Map([
  [-1, "ends inside a frame"],
  [-2, "the frame header is invalid"],
  [-3, "needs another dictionary"],
  [-4, "the dictionary's tables are invalid"],
  [-5, "the block's type or size is invalid"],
  [-6, "the literals section is invalid"],
  [-7, "the Huffman tree is invalid"],
  [-8, "the block uses a Huffman tree that no block before it has"],
  [-9, "a Huffman stream does not end with its literals"],
  [-10, "the sequences section is invalid"],
  [-11, "an FSE table is invalid"],
  [-12, "the block uses an FSE table that no block before it has"],
  [-13, "the sequences do not end with their bits or use more literals than there are"],
  [-14, "a match reaches back before the first byte"],
  [-15, "holds more bytes than expected"],
  [-16, "holds fewer bytes than its header says"],
  [-17, "the content's checksum differs"],
]);
