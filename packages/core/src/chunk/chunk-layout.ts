/**
 * The fixed numbers of the chunk format (`README_CHUNK_FORMAT` of the Blosc2 format documents).
 *
 * ```text
 * 0x00 version | 0x01 versionlz | 0x02 flags | 0x03 typesize | 0x04 nbytes | 0x08 blocksize | 0x0C cbytes
 * 0x10 filter ids x6 | 0x16 compcode | 0x17 codec meta | 0x18 filter metas x6 | 0x1E flags2 | 0x1F blosc2 flags
 * ```
 *
 * The second line is there only in an extended header, which has both shuffle bits of `flags` set. Numbers are int32,
 * little-endian. Then come the block starts (int32 each), the dictionary if any, and the blocks.
 *
 * @module
 */

/** Bytes of the header that Blosc 1 writes. */
export const SHORT_HEADER_LENGTH = 16;
/** Bytes of the extended header, and so of the smallest Blosc2 chunk, and by which a stored one exceeds its content. */
export const EXTENDED_HEADER_LENGTH = 32;

/** Bytes read at first of a chunk: the header, and for most chunks all block starts. Who fetches chunks beforehand fetches as many. */
export const CHUNK_FIRST_READ_LENGTH = 512;

export const FIELD_VERSION = 0x00;
export const FIELD_VERSIONLZ = 0x01;
export const FIELD_FLAGS = 0x02;
export const FIELD_TYPESIZE = 0x03;
export const FIELD_NBYTES = 0x04;
export const FIELD_BLOCKSIZE = 0x08;
export const FIELD_CBYTES = 0x0c;
export const FIELD_FILTERS = 0x10;
export const FIELD_COMPCODE = 0x16;
export const FIELD_CODEC_META = 0x17;
export const FIELD_FILTERS_META = 0x18;
export const FIELD_FLAGS2 = 0x1e;
export const FIELD_BLOSC2_FLAGS = 0x1f;

/** Bits of `flags`. The top three hold the codec's format code. */
export const FLAG_SHUFFLE = 0x01;
export const FLAG_MEMCPYED = 0x02;
export const FLAG_BITSHUFFLE = 0x04;
export const FLAG_DELTA = 0x08;
export const FLAG_DONT_SPLIT = 0x10;
export const FORMAT_CODE_SHIFT = 5;
/** Both shuffle bits together: the header is extended, and the bits say nothing about filters. */
export const FLAGS_EXTENDED: number = FLAG_SHUFFLE | FLAG_BITSHUFFLE;

/** Bits of `flags2`. */
export const FLAG2_VL_BLOCKS = 0x01;

/** Bits of the last header byte; bits 4-6 hold the special kind. */
export const BLOSC2_FLAG_DICTIONARY = 0x01;
export const BLOSC2_FLAG_LAZY = 0x08;
export const BLOSC2_FLAG_INSTRUMENTED = 0x80;
export const SPECIAL_SHIFT = 4;
export const SPECIAL_MASK = 0x07;

/** Version byte of ordinary chunks, and of those with variable-length blocks. */
export const CHUNK_VERSION = 5;
export const CHUNK_VERSION_VL_BLOCKS = 6;
/** The alpha version, whose headers have no sixth filter slot. */
export const CHUNK_VERSION_ALPHA = 3;
export const CHUNK_VERSIONLZ = 1;

export const FILTER_SLOTS = 6;
/** The largest blocksize that readers accept (`BLOSC2_MAXBLOCKSIZE`). */
export const MAX_BLOCKSIZE = 536866816;
/** The largest typesize that the header can hold; a larger one is stored as 1. */
export const MAX_HEADER_TYPESIZE = 255;
export const MAX_DICTIONARY_LENGTH = 32768;
/** Buffers shorter than this are stored, not compressed. */
export const MIN_COMPRESSED_NBYTES = 32;
/** Bytes of one block start, of a `csize` field and of the dictionary's length. */
export const INT32_LENGTH = 4;
