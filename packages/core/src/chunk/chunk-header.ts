/** The 16- and 32-byte chunk headers (`README_CHUNK_FORMAT` of the Blosc2 format documents). @module */
import type { Located } from "../block/engine.js";
import { ByteReader } from "../bytes/byte-reader.js";
import { readInt32 } from "../bytes/little-endian.js";
import { type Blosc2ErrorCode, FormatError, type SourceLocation } from "../errors.js";
import * as layout from "./chunk-layout.js";
import type { ChunkSource } from "./chunk-source.js";

/** What a special chunk holds instead of blocks; `"uninit"` reads as zeros. */
export type SpecialKind = "zeros" | "nan" | "value" | "uninit";

/** The special kinds by their number in the header's last byte. */
const SPECIAL_KINDS: readonly (SpecialKind | undefined)[] = [undefined, "zeros", "nan", "value", "uninit"];

/** The number of a special kind in the header's last byte. */
export function specialNumber(kind: SpecialKind): number {
  return SPECIAL_KINDS.indexOf(kind);
}

/** A decoded chunk header. */
export interface ChunkHeader {
  /** 5, or 6 for variable-length blocks; lower in files of older versions. */
  readonly version: number;
  readonly versionlz: number;
  /** The byte as stored. */
  readonly flags: number;
  /** 1..255; 1 when the true typesize exceeds 255. */
  readonly typesize: number;
  /** Uncompressed bytes. */
  readonly nbytes: number;
  /** The field as stored: bytes per block, or the number of blocks when `vlBlocks`. */
  readonly blocksize: number;
  /** Compressed bytes, header included. */
  readonly cbytes: number;
  /** 16 or 32. */
  readonly headerLength: number;
  /** Six filter ids, slot 0 first. */
  readonly filters: Uint8Array;
  /** Six filter metas. */
  readonly filtersMeta: Uint8Array;
  /** `flags >> 5`: 0 blosclz, 1 lz4 and lz4hc, 3 zlib, 4 zstd, 6 = see `compcode`. */
  readonly formatCode: number;
  /** 0 blosclz, 1 lz4, 2 lz4hc, 4 zlib, 5 zstd, 32-255 plugins and the user's. */
  readonly compcode: number;
  readonly codecMeta: number;
  /** Whether full blocks are split into `typesize` streams. */
  readonly split: boolean;
  /** Whether the content is stored as is. */
  readonly memcpyed: boolean;
  readonly dictionary: boolean;
  /** Whether the chunk holds variable-length blocks. */
  readonly vlBlocks: boolean;
  readonly special: SpecialKind | undefined;
}

const EMPTY_SLOTS: Uint8Array = new Uint8Array(layout.FILTER_SLOTS);
const FORMAT_TO_COMPCODE: readonly number[] = [0, 1, 1, 4, 5];

/** The filters that the flag bits of a 16-byte header stand for. */
function filtersOfFlags(flags: number): Uint8Array {
  const filters = new Uint8Array(layout.FILTER_SLOTS);
  if ((flags & layout.FLAG_SHUFFLE) !== 0) filters[5] = 1;
  if ((flags & layout.FLAG_BITSHUFFLE) !== 0) filters[5] = 2;
  if ((flags & layout.FLAG_DELTA) !== 0) filters[4] = 3;
  return filters;
}

type MutableSlots<T> = { -readonly [K in keyof T]: T[K] };

function withoutLastSlot(slots: Uint8Array): Uint8Array {
  const copy = slots.slice();
  copy[layout.FILTER_SLOTS - 1] = 0;
  return copy;
}

/** An error about a field of a chunk header, to throw. */
function invalid(
  place: Located,
  field: string,
  offset: number,
  expected: string | number,
  found: number,
  code: Blosc2ErrorCode = "BLOSC2_FORMAT_INVALID",
): FormatError {
  return new FormatError(code, { ...place.location, field, offset, expected, found });
}

function requireHeader(bytes: Uint8Array, place: Located, byteLength: number): void {
  if (bytes.byteLength < byteLength) new ByteReader(bytes, place.location).require(0, byteLength, "chunk header");
}

/** Slots as a header has had them lately: neighbouring chunks mostly have the same ones, and then share them. */
let filtersBefore: Uint8Array = EMPTY_SLOTS;
let metaBefore: Uint8Array = EMPTY_SLOTS;

/** Slots at `offset` of a header: `before` itself, if they are the same. */
function readSlots(bytes: Uint8Array, offset: number, before: Uint8Array): Uint8Array {
  for (let i = 0; i < layout.FILTER_SLOTS; i++) {
    if (bytes[offset + i] !== before[i]) return bytes.slice(offset, offset + layout.FILTER_SLOTS);
  }
  return before;
}

/**
 * Decodes and checks a chunk header.
 *
 * @param bytes start with the header; 32 bytes of it must be there when it is extended.
 * @param availableBytes bytes that exist from the chunk's first byte on; `cbytes` may not exceed them.
 * @throws FormatError when a field contradicts the format.
 */
export function decodeChunkHeader(
  bytes: Uint8Array,
  location: SourceLocation,
  availableBytes: number = bytes.byteLength,
): ChunkHeader {
  return decodeLocatedHeader(bytes, { location }, availableBytes);
}

/** Reads the header of a chunk, and nothing else of it. @throws as {@link decodeChunkHeader}; what the source throws */
export function readChunkHeader(source: ChunkSource): ChunkHeader {
  const head = source.read(0, Math.min(source.byteLength, layout.EXTENDED_HEADER_LENGTH));
  return decodeLocatedHeader(head, source, source.byteLength);
}

/** As {@link decodeChunkHeader}, for a chunk that knows its place. */
export function decodeLocatedHeader(bytes: Uint8Array, place: Located, availableBytes: number): ChunkHeader {
  requireHeader(bytes, place, layout.SHORT_HEADER_LENGTH);
  const version = bytes[layout.FIELD_VERSION] as number;
  const flags = bytes[layout.FIELD_FLAGS] as number;
  const typesize = bytes[layout.FIELD_TYPESIZE] as number;
  const nbytes = readInt32(bytes, layout.FIELD_NBYTES);
  const blocksize = readInt32(bytes, layout.FIELD_BLOCKSIZE);
  const cbytes = readInt32(bytes, layout.FIELD_CBYTES);
  const extended = (flags & layout.FLAGS_EXTENDED) === layout.FLAGS_EXTENDED;
  const headerLength = extended ? layout.EXTENDED_HEADER_LENGTH : layout.SHORT_HEADER_LENGTH;
  const formatCode = flags >> layout.FORMAT_CODE_SHIFT;

  if (cbytes < headerLength)
    throw invalid(place, "cbytes", layout.FIELD_CBYTES, `at least ${headerLength}`, cbytes, "BLOSC2_FORMAT_BAD_LENGTH");
  if (nbytes < 0) throw invalid(place, "nbytes", layout.FIELD_NBYTES, "0 or more", nbytes, "BLOSC2_FORMAT_BAD_LENGTH");
  if (blocksize <= 0 || blocksize > layout.MAX_BLOCKSIZE) {
    throw invalid(
      place,
      "blocksize",
      layout.FIELD_BLOCKSIZE,
      `1..${layout.MAX_BLOCKSIZE}`,
      blocksize,
      "BLOSC2_FORMAT_BAD_LENGTH",
    );
  }
  if (typesize === 0) throw invalid(place, "typesize", layout.FIELD_TYPESIZE, "1..255", typesize);

  requireHeader(bytes, place, headerLength);
  const flags2 = extended ? (bytes[layout.FIELD_FLAGS2] as number) : 0;
  const blosc2Flags = extended ? (bytes[layout.FIELD_BLOSC2_FLAGS] as number) : 0;
  const header: MutableSlots<ChunkHeader> = {
    version,
    versionlz: bytes[layout.FIELD_VERSIONLZ] as number,
    flags,
    typesize,
    nbytes,
    blocksize,
    cbytes,
    headerLength,
    filters: extended ? readSlots(bytes, layout.FIELD_FILTERS, filtersBefore) : filtersOfFlags(flags),
    filtersMeta: extended ? readSlots(bytes, layout.FIELD_FILTERS_META, metaBefore) : EMPTY_SLOTS,
    formatCode,
    compcode: extended ? (bytes[layout.FIELD_COMPCODE] as number) : (FORMAT_TO_COMPCODE[formatCode] ?? formatCode),
    codecMeta: extended ? (bytes[layout.FIELD_CODEC_META] as number) : 0,
    split: (flags & layout.FLAG_DONT_SPLIT) === 0,
    memcpyed: (flags & layout.FLAG_MEMCPYED) !== 0,
    dictionary: (blosc2Flags & layout.BLOSC2_FLAG_DICTIONARY) !== 0,
    vlBlocks: (flags2 & layout.FLAG2_VL_BLOCKS) !== 0,
    special: SPECIAL_KINDS[(blosc2Flags >> layout.SPECIAL_SHIFT) & layout.SPECIAL_MASK],
  };
  if (version === layout.CHUNK_VERSION_ALPHA) {
    header.filters = withoutLastSlot(header.filters);
    header.filtersMeta = withoutLastSlot(header.filtersMeta);
  } else if (extended) {
    filtersBefore = header.filters;
    metaBefore = header.filtersMeta;
  }
  if (extended) checkExtended(place, header, flags2, blosc2Flags);
  checkContent(place, header, availableBytes);
  return header;
}

/** What only an extended header can get wrong. */
function checkExtended(place: Located, header: ChunkHeader, flags2: number, blosc2Flags: number): void {
  if (header.version > layout.CHUNK_VERSION_VL_BLOCKS && (flags2 & ~layout.FLAG2_VL_BLOCKS) !== 0) {
    throw invalid(
      place,
      "version",
      layout.FIELD_VERSION,
      `at most ${layout.CHUNK_VERSION_VL_BLOCKS} with these flags2`,
      header.version,
      "BLOSC2_FORMAT_BAD_VERSION",
    );
  }
  if ((blosc2Flags & layout.BLOSC2_FLAG_LAZY) !== 0) {
    throw invalid(place, "blosc2_flags", layout.FIELD_BLOSC2_FLAGS, "no lazy bit in a stored chunk", blosc2Flags);
  }
  if ((blosc2Flags & layout.BLOSC2_FLAG_INSTRUMENTED) !== 0) {
    throw invalid(place, "blosc2_flags", layout.FIELD_BLOSC2_FLAGS, "no instrumented bit", blosc2Flags);
  }
  const special = (blosc2Flags >> layout.SPECIAL_SHIFT) & layout.SPECIAL_MASK;
  if (special === 0) return;
  if (header.special === undefined) throw invalid(place, "special type", layout.FIELD_BLOSC2_FLAGS, "0..4", special);
  if (header.vlBlocks) {
    throw invalid(place, "special type", layout.FIELD_BLOSC2_FLAGS, "0 with variable-length blocks", special);
  }
  const { nbytes, typesize, cbytes, headerLength } = header;
  if (header.special === "value") {
    const size = cbytes - headerLength;
    if (size <= 0 || size > nbytes || nbytes % size !== 0) {
      throw invalid(
        place,
        "cbytes",
        layout.FIELD_CBYTES,
        `${headerLength} + a value size that divides nbytes ${nbytes}`,
        cbytes,
        "BLOSC2_FORMAT_BAD_LENGTH",
      );
    }
  } else if (header.special !== "zeros" && nbytes % typesize !== 0) {
    throw invalid(
      place,
      "nbytes",
      layout.FIELD_NBYTES,
      `a multiple of typesize ${typesize}`,
      nbytes,
      "BLOSC2_FORMAT_BAD_LENGTH",
    );
  }
  if (header.special === "nan" && typesize !== 4 && typesize !== 8) {
    throw invalid(place, "typesize", layout.FIELD_TYPESIZE, "4 or 8 in a chunk of NaN", typesize);
  }
  if (header.special !== "value" && cbytes !== headerLength) {
    // One wrong bit makes a special chunk of any other; the body is still there then.
    const expected = `${headerLength}: a special chunk has no body`;
    throw invalid(place, "cbytes", layout.FIELD_CBYTES, expected, cbytes, "BLOSC2_FORMAT_BAD_LENGTH");
  }
}

/** Whether the lengths fit one another and the bytes that exist. */
function checkContent(place: Located, header: ChunkHeader, availableBytes: number): void {
  const { nbytes, cbytes, headerLength } = header;
  if (header.special === undefined) {
    if (header.memcpyed) {
      if (header.vlBlocks) {
        throw invalid(place, "flags", layout.FIELD_FLAGS, "no memcpyed bit with variable-length blocks", header.flags);
      }
      if (cbytes !== nbytes + headerLength) {
        throw invalid(place, "cbytes", layout.FIELD_CBYTES, nbytes + headerLength, cbytes, "BLOSC2_FORMAT_BAD_LENGTH");
      }
    } else if (nbytes === 0) {
      if (cbytes !== headerLength) {
        throw invalid(
          place,
          "cbytes",
          layout.FIELD_CBYTES,
          `${headerLength} in an empty chunk`,
          cbytes,
          "BLOSC2_FORMAT_BAD_LENGTH",
        );
      }
    } else {
      const nblocks = blockCount(header);
      // Each block needs its start, and at least one block its first length field.
      const needed = headerLength + nblocks * layout.INT32_LENGTH + layout.INT32_LENGTH;
      if (cbytes < needed) {
        throw invalid(
          place,
          "cbytes",
          layout.FIELD_CBYTES,
          `at least ${needed} for ${nblocks} blocks`,
          cbytes,
          "BLOSC2_FORMAT_BAD_LENGTH",
        );
      }
    }
  }
  if (cbytes > availableBytes) {
    throw new FormatError("BLOSC2_FORMAT_TRUNCATED", {
      ...place.location,
      field: "cbytes",
      offset: layout.FIELD_CBYTES,
      expected: `at most the ${availableBytes} bytes that there are`,
      found: cbytes,
    });
  }
}

/** Bytes per block as readers take it: the field, but never more than `nbytes`. Not for variable-length blocks. */
export function effectiveBlocksize(header: Pick<ChunkHeader, "blocksize" | "nbytes">): number {
  return header.nbytes > 0 && header.blocksize > header.nbytes ? header.nbytes : header.blocksize;
}

/** The number of blocks that the header states; 0 for an empty chunk. */
export function blockCount(header: Pick<ChunkHeader, "blocksize" | "nbytes" | "vlBlocks">): number {
  if (header.vlBlocks) return header.blocksize;
  return Math.ceil(header.nbytes / effectiveBlocksize(header));
}

/** What {@link encodeChunkHeader} needs; the rest of a header follows from it. */
export interface ChunkHeaderFields {
  readonly version?: number;
  readonly typesize: number;
  readonly nbytes: number;
  readonly blocksize: number;
  readonly cbytes: number;
  readonly filters?: Uint8Array;
  readonly filtersMeta?: Uint8Array;
  readonly formatCode?: number;
  readonly compcode?: number;
  readonly codecMeta?: number;
  readonly split?: boolean;
  readonly memcpyed?: boolean;
  /** Whether delta is among the filters; the flag only informs. */
  readonly delta?: boolean;
  readonly dictionary?: boolean;
  readonly vlBlocks?: boolean;
  readonly special?: SpecialKind | undefined;
}

/** Writes an extended (32-byte) header to the front of `target`. */
export function encodeChunkHeader(fields: ChunkHeaderFields, target: Uint8Array): void {
  const view = new DataView(target.buffer, target.byteOffset, layout.EXTENDED_HEADER_LENGTH);
  target.fill(0, 0, layout.EXTENDED_HEADER_LENGTH);
  target[layout.FIELD_VERSION] =
    fields.version ?? (fields.vlBlocks ? layout.CHUNK_VERSION_VL_BLOCKS : layout.CHUNK_VERSION);
  target[layout.FIELD_VERSIONLZ] = layout.CHUNK_VERSIONLZ;
  let flags = layout.FLAGS_EXTENDED | ((fields.formatCode ?? 0) << layout.FORMAT_CODE_SHIFT);
  if (fields.memcpyed) flags |= layout.FLAG_MEMCPYED;
  if (fields.delta) flags |= layout.FLAG_DELTA;
  if (fields.split === false) flags |= layout.FLAG_DONT_SPLIT;
  target[layout.FIELD_FLAGS] = flags;
  target[layout.FIELD_TYPESIZE] = fields.typesize > layout.MAX_HEADER_TYPESIZE ? 1 : fields.typesize;
  view.setInt32(layout.FIELD_NBYTES, fields.nbytes, true);
  view.setInt32(layout.FIELD_BLOCKSIZE, fields.blocksize, true);
  view.setInt32(layout.FIELD_CBYTES, fields.cbytes, true);
  if (fields.filters !== undefined) target.set(fields.filters, layout.FIELD_FILTERS);
  target[layout.FIELD_COMPCODE] = fields.compcode ?? 0;
  target[layout.FIELD_CODEC_META] = fields.codecMeta ?? 0;
  if (fields.filtersMeta !== undefined) target.set(fields.filtersMeta, layout.FIELD_FILTERS_META);
  target[layout.FIELD_FLAGS2] = fields.vlBlocks ? layout.FLAG2_VL_BLOCKS : 0;
  const special = fields.special === undefined ? 0 : specialNumber(fields.special);
  target[layout.FIELD_BLOSC2_FLAGS] =
    (special << layout.SPECIAL_SHIFT) | (fields.dictionary ? layout.BLOSC2_FLAG_DICTIONARY : 0);
}
