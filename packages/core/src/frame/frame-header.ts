/** The frame header (`README_CFRAME_FORMAT` of the Blosc2 format documents). @module */
import type { ByteReader } from "../bytes/byte-reader.js";
import { FixedMsgpackWriter } from "../bytes/fixed-msgpack.js";
import * as layout from "./frame-layout.js";
import { decodeMetalayers, encodeMetalayers, type Metalayer, structureReader } from "./metalayers.js";

/** The fields of a frame header, but for the metalayers. */
export interface FrameHeader {
  /** Bytes from the frame's first one to the first chunk (`header_len`). */
  headerLength: number;
  /** Bytes of the whole frame (`frame_len`); of the index file alone in a sparse frame. */
  frameLength: number;
  sparse: boolean;
  /** Flag 0x40: chunks differ in size. `chunksize` 0 is what counts. */
  variableChunks: boolean;
  /** Flag 0x80: chunks hold variable-length blocks. The first chunk is what counts. */
  vlBlocks: boolean;
  /** 0 blosclz, 1 lz4, 2 lz4hc, 4 zlib, 5 zstd, 32-255 plugins and the user's. */
  compcode: number;
  codecMeta: number;
  clevel: number;
  /** 1 always, 2 never, 3 auto, 4 forward compatible. */
  splitmode: number;
  useDict: boolean;
  /** Six filter ids, slot 0 first. */
  filters: Uint8Array;
  filtersMeta: Uint8Array;
  /** Uncompressed bytes of all chunks. */
  nbytes: number;
  /** Bytes of the chunk area, holes included; in a sparse frame the sum of the chunk sizes. */
  cbytes: number;
  /** The true one, which may exceed 255. */
  typesize: number;
  /** As given at creation; 0 = automatic. */
  blocksize: number;
  /** Uncompressed bytes per chunk; -1 before the first one, 0 when they differ. */
  chunksize: number;
  /** Threads for compression and decompression that the writer used; informative. */
  threads: number;
  hasVlmeta: boolean;
}

/**
 * What a header says of the frame, but for what follows from its chunks and from where things lie: that the header gets when it is
 * committed.
 */
export type FrameTraits = Readonly<
  Omit<
    FrameHeader,
    "nbytes" | "cbytes" | "chunksize" | "variableChunks" | "vlBlocks" | "frameLength" | "hasVlmeta" | "sparse"
  >
>;

/** The header of a frame of these traits that has no chunks yet. */
export function emptyHeader(traits: FrameTraits): FrameHeader {
  return {
    ...traits,
    sparse: false,
    frameLength: 0,
    nbytes: 0,
    cbytes: 0,
    chunksize: layout.CHUNKSIZE_UNSET,
    variableChunks: false,
    vlBlocks: false,
    hasVlmeta: false,
  };
}

/** A header with its metalayers. */
export interface DecodedFrameHeader {
  readonly header: FrameHeader;
  readonly metalayers: readonly Metalayer[];
}

/** Where a header was read from. */
export interface FrameLocation {
  readonly path: string | undefined;
  /** Absolute position of the frame's first byte. */
  readonly position: number;
}

/**
 * The length of a header, from its first bytes.
 *
 * @param bytes at least the fixed part.
 * @throws FormatError when these are not the first bytes of a frame.
 */
export function decodeHeaderLength(bytes: Uint8Array, location: FrameLocation): number {
  const reader = structureReader(bytes, location.path, "frame header", location.position);
  for (let i = 0; i < layout.FRAME_MAGIC.byteLength; i++) {
    reader.marker(i, layout.FRAME_MAGIC[i] as number, "magic");
  }
  reader.require(0, layout.FIXED_HEADER_LENGTH, "fixed part");
  reader.marker(layout.FIELD_HEADER_LENGTH - 1, 0xd2, "header_len");
  const headerLength = reader.int32BigEndian(layout.FIELD_HEADER_LENGTH, "header_len");
  if (headerLength < layout.MIN_HEADER_LENGTH) {
    const expected = `at least ${layout.MIN_HEADER_LENGTH}`;
    throw reader.invalid("header_len", layout.FIELD_HEADER_LENGTH, expected, headerLength, "BLOSC2_FORMAT_BAD_LENGTH");
  }
  return headerLength;
}

/**
 * Decodes and checks a frame header.
 *
 * @param bytes exactly `header_len` bytes; the metalayers' contents are views of them.
 * @param availableBytes bytes from the frame's first one to the end of its file or buffer.
 * @throws FormatError when a field contradicts the format or another field.
 */
export function decodeFrameHeader(
  bytes: Uint8Array,
  location: FrameLocation,
  availableBytes: number,
): DecodedFrameHeader {
  const headerLength = decodeHeaderLength(bytes, location);
  const reader = structureReader(bytes, location.path, "frame header", location.position);
  reader.require(0, headerLength, "header_len");
  checkMarkers(reader);
  const generalFlags = reader.uint8(layout.FIELD_GENERAL_FLAGS, "general_flags");
  const version = generalFlags & 0x0f;
  if (version > layout.FRAME_VERSION_VARIABLE) {
    const expected = `version ${layout.FRAME_VERSION_VARIABLE} or lower`;
    throw reader.invalid("general_flags", layout.FIELD_GENERAL_FLAGS, expected, version, "BLOSC2_FORMAT_BAD_VERSION");
  }
  const frameType = reader.uint8(layout.FIELD_FRAME_TYPE, "frame_type");
  if (frameType > layout.FRAME_TYPE_SPARSE)
    throw reader.invalid("frame_type", layout.FIELD_FRAME_TYPE, "0 or 1", frameType);
  const codecFlags = reader.uint8(layout.FIELD_CODEC_FLAGS, "codec_flags");
  const nibble = codecFlags & 0x0f;
  const udcodec = reader.uint8(layout.FIELD_COMPCODE, "udcodec");
  const otherFlags2 = reader.uint8(layout.FIELD_OTHER_FLAGS2, "other_flags2");
  const header: FrameHeader = {
    headerLength,
    frameLength: reader.int64BigEndian(layout.FIELD_FRAME_LENGTH, "frame_len"),
    sparse: frameType === layout.FRAME_TYPE_SPARSE,
    variableChunks: (generalFlags & layout.FLAG_VARIABLE_CHUNKS) !== 0,
    vlBlocks: (generalFlags & layout.FLAG_VL_BLOCKS) !== 0,
    compcode: nibble === layout.CODEC_NIBBLE_USER ? udcodec : nibble,
    codecMeta: reader.uint8(layout.FIELD_CODEC_META, "udcodec_meta"),
    clevel: codecFlags >> 4,
    splitmode: (reader.uint8(layout.FIELD_OTHER_FLAGS, "other_flags") & 0x03) + 1,
    useDict: (otherFlags2 & 0x01) !== 0,
    filters: bytes.slice(layout.FIELD_FILTERS, layout.FIELD_FILTERS + layout.FILTER_SLOTS),
    filtersMeta: bytes.slice(layout.FIELD_FILTERS_META, layout.FIELD_FILTERS_META + layout.FILTER_SLOTS),
    nbytes: reader.int64BigEndian(layout.FIELD_NBYTES, "nbytes"),
    cbytes: reader.int64BigEndian(layout.FIELD_CBYTES, "cbytes"),
    typesize: reader.int32BigEndian(layout.FIELD_TYPESIZE, "typesize"),
    blocksize: reader.int32BigEndian(layout.FIELD_BLOCKSIZE, "blocksize"),
    chunksize: reader.int32BigEndian(layout.FIELD_CHUNKSIZE, "chunksize"),
    threads: reader.int16BigEndian(layout.FIELD_THREADS_COMPRESS, "nthreads"),
    hasVlmeta: reader.uint8(layout.FIELD_HAS_VLMETA, "vlmeta flag") === 0xc3,
  };
  const filterCount = reader.uint8(layout.FIELD_FILTER_COUNT, "filter count");
  if (filterCount > layout.FILTER_SLOTS) {
    throw reader.invalid("filter count", layout.FIELD_FILTER_COUNT, `at most ${layout.FILTER_SLOTS}`, filterCount);
  }
  checkValues(reader, header, availableBytes);
  const metalayers = decodeMetalayers(reader, {
    start: layout.FIXED_HEADER_LENGTH,
    end: headerLength,
    maxCount: layout.MAX_METALAYERS,
  });
  return { header, metalayers };
}

/** Offset, marker and name of what stands before the fields. */
const MARKERS: readonly (readonly [number, number, string])[] = [
  [layout.FIELD_FRAME_LENGTH - 1, 0xcf, "frame_len"],
  [layout.FIELD_GENERAL_FLAGS - 1, 0xa4, "flags"],
  [layout.FIELD_NBYTES - 1, 0xd3, "nbytes"],
  [layout.FIELD_CBYTES - 1, 0xd3, "cbytes"],
  [layout.FIELD_TYPESIZE - 1, 0xd2, "typesize"],
  [layout.FIELD_BLOCKSIZE - 1, 0xd2, "blocksize"],
  [layout.FIELD_CHUNKSIZE - 1, 0xd2, "chunksize"],
  [layout.FIELD_THREADS_COMPRESS - 1, 0xd1, "nthreads for compression"],
  [layout.FIELD_THREADS_DECOMPRESS - 1, 0xd1, "nthreads for decompression"],
];

function checkMarkers(reader: ByteReader): void {
  for (const [offset, marker, field] of MARKERS) reader.marker(offset, marker, field);
}

function checkValues(reader: ByteReader, header: FrameHeader, availableBytes: number): void {
  const { headerLength, frameLength, nbytes, cbytes, typesize, blocksize, chunksize } = header;
  const bad = (field: string, offset: number, expected: string, found: number) =>
    reader.invalid(field, offset, expected, found, "BLOSC2_FORMAT_BAD_LENGTH");
  const shortest = headerLength + layout.MIN_TRAILER_LENGTH;
  if (frameLength < shortest) throw bad("frame_len", layout.FIELD_FRAME_LENGTH, `at least ${shortest}`, frameLength);
  if (frameLength > availableBytes) {
    throw bad(
      "frame_len",
      layout.FIELD_FRAME_LENGTH,
      `at most the ${availableBytes} bytes that there are`,
      frameLength,
    );
  }
  if (nbytes < 0) throw bad("nbytes", layout.FIELD_NBYTES, "0 or more", nbytes);
  if (cbytes < 0) throw bad("cbytes", layout.FIELD_CBYTES, "0 or more", cbytes);
  if (!header.sparse && nbytes > 0 && cbytes > frameLength - shortest) {
    throw bad("cbytes", layout.FIELD_CBYTES, `at most ${frameLength - shortest}`, cbytes);
  }
  if (typesize <= 0) throw bad("typesize", layout.FIELD_TYPESIZE, "1 or more", typesize);
  if (blocksize < 0) throw bad("blocksize", layout.FIELD_BLOCKSIZE, "0 or more", blocksize);
  if (chunksize < 0 && !(chunksize === layout.CHUNKSIZE_UNSET && nbytes === 0)) {
    throw bad("chunksize", layout.FIELD_CHUNKSIZE, nbytes === 0 ? "-1 or more" : "0 or more", chunksize);
  }
  if (nbytes > 0 && chunksize > 0 && Math.ceil(nbytes / chunksize) > layout.MAX_CHUNKS) {
    const expected = `at most ${layout.MAX_CHUNKS} chunks of chunksize ${chunksize}`;
    throw bad("nbytes", layout.FIELD_NBYTES, expected, nbytes);
  }
  if (header.clevel > 9)
    throw reader.invalid("codec_flags", layout.FIELD_CODEC_FLAGS, "a level of 0..9", header.clevel);
}

/** `general_flags` as a writer sets them. */
function generalFlags(header: FrameHeader): number {
  const variable = header.variableChunks || header.vlBlocks;
  return (
    (variable ? layout.FRAME_VERSION_VARIABLE : layout.FRAME_VERSION) |
    layout.FLAG_OFFSETS_64 |
    (header.variableChunks ? layout.FLAG_VARIABLE_CHUNKS : 0) |
    (header.vlBlocks ? layout.FLAG_VL_BLOCKS : 0)
  );
}

/** Encodes a header; its `header_len` is the length of the result, which `header.headerLength` is set to. */
export function encodeFrameHeader(header: FrameHeader, metalayers: readonly Metalayer[]): Uint8Array {
  const writer = new FixedMsgpackWriter();
  writer.raw(layout.FRAME_MAGIC);
  writer.int32(0).uint64(header.frameLength);
  writer
    .byte(0xa4)
    .byte(generalFlags(header))
    .byte(header.sparse ? layout.FRAME_TYPE_SPARSE : layout.FRAME_TYPE_CONTIGUOUS)
    .byte(Math.min(header.compcode, layout.CODEC_NIBBLE_USER) | (header.clevel << 4))
    .byte(header.splitmode - 1);
  writer.int64(header.nbytes).int64(header.cbytes);
  writer.int32(header.typesize).int32(header.blocksize).int32(header.chunksize);
  writer.int16(header.threads).int16(header.threads);
  writer.byte(header.hasVlmeta ? 0xc3 : 0xc2);
  writer.byte(0xd8).byte(layout.FILTER_SLOTS).raw(header.filters);
  writer.byte(header.compcode).byte(header.codecMeta).raw(header.filtersMeta);
  writer.byte(header.useDict ? 1 : 0).byte(0);
  encodeMetalayers(writer, metalayers, layout.FIXED_HEADER_LENGTH);
  header.headerLength = writer.byteLength;
  writer.patchInt32(layout.FIELD_HEADER_LENGTH, header.headerLength);
  return writer.finish();
}

/**
 * Brings an encoded header up to date: the fields that change while a frame lives. All else stays as it is, so that
 * what another writer put there survives.
 */
export function patchFrameHeader(encoded: Uint8Array, header: FrameHeader): void {
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  view.setBigUint64(layout.FIELD_FRAME_LENGTH, BigInt(header.frameLength));
  view.setUint8(layout.FIELD_GENERAL_FLAGS, generalFlags(header));
  view.setBigInt64(layout.FIELD_NBYTES, BigInt(header.nbytes));
  view.setBigInt64(layout.FIELD_CBYTES, BigInt(header.cbytes));
  view.setInt32(layout.FIELD_TYPESIZE, header.typesize);
  view.setInt32(layout.FIELD_BLOCKSIZE, header.blocksize);
  view.setInt32(layout.FIELD_CHUNKSIZE, header.chunksize);
  view.setUint8(layout.FIELD_HAS_VLMETA, header.hasVlmeta ? 0xc3 : 0xc2);
}
