/**
 * The fixed numbers of the frame format (`README_CFRAME_FORMAT`, `README_SFRAME_FORMAT` of the Blosc2 format documents).
 *
 * ```text
 * header   0 9E A8 "b2frame\0" | 10 D2 header_len | 15 CF frame_len | 24 A4 general, frame type, codec, other flags
 *         29 D3 nbytes | 38 D3 cbytes | 47 D2 typesize | 52 D2 blocksize | 57 D2 chunksize | 62 D1 threads | 65 D1 threads
 *         68 C2/C3 any vlmetalayer | 69 D8 06 filter ids x6, compcode, codec meta, filter metas x6, other flags 2, 0
 *         87 metalayers
 * chunks   one after another, in any order, with or without holes; then the index chunk
 * trailer  94 01 | vlmetalayers | CE trailer_len | D8 00 and 16 bytes of fingerprint
 * ```
 *
 * Metalayers and vlmetalayers have one form: `93 CD size DE count {name D2 offset}* DC count {C6 length bytes}*`. Numbers
 * are msgpack, big-endian; each field has one fixed width.
 *
 * @module
 */

/** `9E A8 "b2frame\0"` */
export const FRAME_MAGIC: Uint8Array = Uint8Array.of(0x9e, 0xa8, 0x62, 0x32, 0x66, 0x72, 0x61, 0x6d, 0x65, 0x00);

/** Offsets of the header's fields (of the value, where a marker precedes it). */
export const FIELD_HEADER_LENGTH = 11;
export const FIELD_FRAME_LENGTH = 16;
export const FIELD_GENERAL_FLAGS = 25;
export const FIELD_FRAME_TYPE = 26;
export const FIELD_CODEC_FLAGS = 27;
export const FIELD_OTHER_FLAGS = 28;
export const FIELD_NBYTES = 30;
export const FIELD_CBYTES = 39;
export const FIELD_TYPESIZE = 48;
export const FIELD_BLOCKSIZE = 53;
export const FIELD_CHUNKSIZE = 58;
export const FIELD_THREADS_COMPRESS = 63;
export const FIELD_THREADS_DECOMPRESS = 66;
export const FIELD_HAS_VLMETA = 68;
export const FIELD_FILTER_COUNT = 70;
export const FIELD_FILTERS = 71;
export const FIELD_COMPCODE = 77;
export const FIELD_CODEC_META = 78;
export const FIELD_FILTERS_META = 79;
export const FIELD_OTHER_FLAGS2 = 85;

/** Bytes before the metalayers. */
export const FIXED_HEADER_LENGTH = 87;
/** A header without metalayers. */
export const MIN_HEADER_LENGTH = 97;
/** A trailer without vlmetalayers. */
export const MIN_TRAILER_LENGTH = 35;
/** `CE trailer_len D8 00` and the fingerprint: the part of the trailer that is found from the frame's end. */
export const TRAILER_TAIL_LENGTH = 23;
/** Bytes that a chunk must have in a file. */
export const MIN_CHUNK_LENGTH = 32;

export const FILTER_SLOTS = 6;

/** The low half of `general_flags`: ordinary frames, and those with variable-size chunks or variable-length blocks. */
export const FRAME_VERSION = 2;
export const FRAME_VERSION_VARIABLE = 3;
export const FLAG_OFFSETS_64 = 0x10;
export const FLAG_VARIABLE_CHUNKS = 0x40;
export const FLAG_VL_BLOCKS = 0x80;

export const FRAME_TYPE_CONTIGUOUS = 0;
export const FRAME_TYPE_SPARSE = 1;

/** `chunksize` while no chunk was ever appended, and when chunks differ in size. */
export const CHUNKSIZE_UNSET = -1;
export const CHUNKSIZE_VARIABLE = 0;

/** The codec nibble that stands for "see the compcode byte". */
export const CODEC_NIBBLE_USER = 6;

export const MAX_METALAYERS = 16;
/** As many vlmetalayers as C-Blosc2 writes into a frame, though its documents claim 8192. */
export const MAX_VLMETALAYERS_WRITTEN = 16;
export const MAX_VLMETALAYERS = 8192;
export const MAX_NAME_LENGTH = 31;
/** As many offsets as fit one index chunk. */
export const MAX_CHUNKS: number = Math.floor((0x7fffffff - 32) / 8);
/** `blocksize` of the index chunk. */
export const INDEX_BLOCKSIZE = 16384;
/** A write that stays inside so many bytes from a multiple of them is on the disk whole or not at all. */
export const SECTOR_LENGTH = 512;
/** Bytes read first of a frame: nearly all headers are shorter. */
export const FIRST_READ_LENGTH = 4096;

/** Chunk files of a sparse frame held open at once; the backend may hold fewer open behind them. */
export const MAX_OPEN_CHUNK_FILES = 4096;

/** The index file of a sparse frame. */
export const SPARSE_INDEX_NAME = "chunks.b2frame";

/** The lock file of a sparse frame. */
export const SPARSE_LOCK_NAME = ".b2lock";
