/** What the inflate decoder returns instead of a byte count, in words. @module */

/** The result for a stream with more content than there is room. */
export const CONTENT_TOO_LONG = -15;

/** What is wrong, by the negative result. */
export const INFLATE_ERRORS: ReadonlyMap<number, string> = new Map([
  [-1, "ends before its last byte"],
  [-2, "header check fails"],
  [-3, "needs a preset dictionary"],
  [-4, "the block's type is invalid"],
  [-5, "the stored block's length differs from its complement"],
  [-6, "the block has codes for more symbols than there are"],
  [-7, "the code of the code lengths is invalid"],
  [-8, "the code lengths repeat none or are too many"],
  [-9, "the block has no code for its end"],
  [-10, "the code of literals and lengths is invalid"],
  [-11, "the code of distances is invalid"],
  [-12, "the block uses a code that stands for no literal or length"],
  [-13, "the block uses a code that stands for no distance"],
  [-14, "a match reaches back before the first byte"],
  [CONTENT_TOO_LONG, "holds more bytes than expected"],
  [-16, "Adler-32 checksum differs from the data's"],
]);
