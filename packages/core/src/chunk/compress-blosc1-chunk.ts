/** Compressing a buffer into a chunk of Blosc 1 (`README_CHUNK_FORMAT`, the header of 16 bytes). @module */

import type { BlockCoding } from "../block/engine.js";
import { writeInt32 } from "../bytes/little-endian.js";
import { ArgumentError, UnsupportedError } from "../errors.js";
import { chooseBlocksize, isSplit } from "./choose-blocksize.js";
import { BlockWriter, bytesOf, checkChunkBytes, encodeCoding } from "./chunk-encoder.js";
import { type ChunkEnvironment, defaultEnvironment } from "./chunk-environment.js";
import * as layout from "./chunk-layout.js";
import { type ResolvedCParams, resolveCParams } from "./cparams.js";

/** The filters that a 16-byte header can state. */
export type Blosc1Shuffle = "noshuffle" | "shuffle" | "bitshuffle";

/** What a Blosc 1 chunk can be made with. */
export interface Blosc1CParams {
  /** `"blosclz"` (default), `"lz4"`, `"lz4hc"`, `"zlib"` or `"zstd"`. */
  readonly codec: string;
  /** 0 (store) to 9. Default 5. */
  readonly clevel: number;
  /** Bytes per item; over 255 counts as 1. Default: that of the array's elements. */
  readonly typesize: number;
  /** Default `"shuffle"`. */
  readonly shuffle: Blosc1Shuffle;
  /** Bytes per block; 0 (default) = automatic. */
  readonly blocksize: number;
}

/** The version byte of Blosc 1.x. */
const BLOSC1_VERSION = 2;
/** Blosc 1 stores shorter buffers, and does not split blocks into shorter streams, or into more of them. */
const BLOSC1_MIN_BUFFER = 128;
const BLOSC1_MAX_STREAMS = 16;
/** Its codecs have the format codes up to this. */
const LAST_FORMAT_CODE = 4;
/** Bit shuffle takes items by eight. */
const ITEMS_PER_GROUP = 8;

const SHUFFLE_FLAGS: Readonly<Record<Blosc1Shuffle, number>> = {
  noshuffle: 0,
  shuffle: layout.FLAG_SHUFFLE,
  bitshuffle: layout.FLAG_BITSHUFFLE,
};

function resolve(
  source: ArrayBufferView,
  params: Partial<Blosc1CParams>,
  environment: ChunkEnvironment,
): { params: ResolvedCParams; shuffle: Blosc1Shuffle } {
  const { shuffle = "shuffle", ...shared } = params;
  const { typesize = (source as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1 } = shared;
  if (!Object.hasOwn(SHUFFLE_FLAGS, shuffle)) {
    const expected = Object.keys(SHUFFLE_FLAGS).join(", ");
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `shuffle must be one of ${expected}, found ${String(shuffle)}`, {
      parameter: "shuffle",
      expected,
      found: String(shuffle),
    });
  }
  const resolved = resolveCParams(
    { ...shared, typesize, filters: shuffle === "noshuffle" ? [] : [0, 0, 0, 0, 0, shuffle] },
    environment.codecs,
    environment.filters,
  );
  if (resolved.formatCode > LAST_FORMAT_CODE) {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED_CODEC",
      `codec ${params.codec}: Blosc 1 has only blosclz, lz4, lz4hc, zlib and zstd`,
      { feature: `codec ${params.codec}` },
    );
  }
  // Bytes after the last whole item of a bit-shuffled block are lost on its readers, unless items are bytes.
  const ragged = shuffle === "bitshuffle" && source.byteLength % typesize !== 0;
  return { params: { ...resolved, typesize: typesize > layout.MAX_HEADER_TYPESIZE || ragged ? 1 : typesize }, shuffle };
}

/**
 * Compresses a buffer into a chunk that Blosc 1 reads, and with it numcodecs and Zarr: of the header's 16-byte form, of at most
 * `nbytes + 16` bytes.
 *
 * @param source its bytes; it is not changed.
 * @returns a new array of exactly the chunk's `cbytes`.
 * @throws ArgumentError for bad parameters; UnsupportedError for a codec that is missing, or that Blosc 1 has not; CodecError when it fails;
 * Blosc2Error `BLOSC2_LIMIT_EXCEEDED` for more bytes than a chunk can hold.
 * @example
 * ```ts
 * const chunk = compressBlosc1Chunk(new Float64Array(1000), { codec: "zstd", shuffle: "bitshuffle" });
 * ```
 */
export function compressBlosc1Chunk(
  source: ArrayBufferView,
  params: Partial<Blosc1CParams> = {},
  environment: ChunkEnvironment = defaultEnvironment(),
): Uint8Array {
  if (!ArrayBuffer.isView(source)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "source must be a typed array or DataView", {
      parameter: "source",
    });
  }
  const resolved = resolve(source, params, environment);
  const bytes = bytesOf(source);
  checkChunkBytes(bytes.byteLength, environment);
  return environment.engine.lease.during(() => compressBlocks(bytes, resolved.params, resolved.shuffle, environment));
}

/** Full blocks are shuffled whole: with bit shuffle a number of items that is no multiple of 8 would stay as it is. */
function blocksizeFor(nbytes: number, params: ResolvedCParams, shuffle: Blosc1Shuffle): number {
  const blocksize = chooseBlocksize(nbytes, params);
  const group = ITEMS_PER_GROUP * params.typesize;
  return shuffle === "bitshuffle" && blocksize > group ? blocksize - (blocksize % group) : blocksize;
}

function compressBlocks(
  bytes: Uint8Array,
  params: ResolvedCParams,
  shuffle: Blosc1Shuffle,
  environment: ChunkEnvironment,
): Uint8Array {
  const nbytes = bytes.byteLength;
  const { typesize } = params;
  const blocksize = blocksizeFor(nbytes, params, shuffle);
  const nblocks = Math.ceil(nbytes / blocksize);
  const startsEnd = layout.SHORT_HEADER_LENGTH + nblocks * layout.INT32_LENGTH;
  const most = nbytes + layout.SHORT_HEADER_LENGTH;
  const split =
    typesize <= BLOSC1_MAX_STREAMS &&
    Math.floor(blocksize / typesize) >= BLOSC1_MIN_BUFFER &&
    isSplit(params, typesize, blocksize);
  const flags =
    (params.formatCode << layout.FORMAT_CODE_SHIFT) | SHUFFLE_FLAGS[shuffle] | (split ? 0 : layout.FLAG_DONT_SPLIT);
  const header: HeaderFields = { flags, typesize, nbytes, blocksize, cbytes: most };
  if (params.clevel === 0 || nbytes < BLOSC1_MIN_BUFFER || startsEnd > most) return storedChunk(bytes, header);
  const target = new Uint8Array(most);
  const shuffled = new BlockWriter(environment, codingOf(params, environment, blocksize, split), target, false);
  const noFilters = { ...params, filters: new Uint8Array(layout.FILTER_SLOTS) };
  const plain = new BlockWriter(environment, codingOf(noFilters, environment, blocksize, split), target, false);
  let at = startsEnd;
  for (let i = 0; i < nblocks; i++) {
    const block = bytes.subarray(i * blocksize, Math.min((i + 1) * blocksize, nbytes));
    writeInt32(target, layout.SHORT_HEADER_LENGTH + i * layout.INT32_LENGTH, at);
    const asIs = shuffle === "bitshuffle" && Math.floor(block.byteLength / typesize) % ITEMS_PER_GROUP !== 0;
    const writer = asIs ? plain : shuffled;
    const { byteLength } = writer.write(block, i, block.byteLength < blocksize, undefined, at);
    if (byteLength < 0) return storedChunk(bytes, header);
    at += byteLength;
  }
  writeHeader({ ...header, cbytes: at }, target);
  return target.slice(0, at);
}

function codingOf(
  params: ResolvedCParams,
  environment: ChunkEnvironment,
  blocksize: number,
  split: boolean,
): BlockCoding {
  return { ...encodeCoding(params, environment, blocksize, split, false), chunkVersion: BLOSC1_VERSION };
}

interface HeaderFields {
  readonly flags: number;
  readonly typesize: number;
  readonly nbytes: number;
  readonly blocksize: number;
  readonly cbytes: number;
}

function storedChunk(bytes: Uint8Array, header: HeaderFields): Uint8Array {
  const chunk = new Uint8Array(bytes.byteLength + layout.SHORT_HEADER_LENGTH);
  writeHeader({ ...header, flags: header.flags | layout.FLAG_MEMCPYED, cbytes: chunk.byteLength }, chunk);
  chunk.set(bytes, layout.SHORT_HEADER_LENGTH);
  return chunk;
}

function writeHeader(header: HeaderFields, target: Uint8Array): void {
  target[layout.FIELD_VERSION] = BLOSC1_VERSION;
  target[layout.FIELD_VERSIONLZ] = layout.CHUNK_VERSIONLZ;
  target[layout.FIELD_FLAGS] = header.flags;
  target[layout.FIELD_TYPESIZE] = header.typesize;
  writeInt32(target, layout.FIELD_NBYTES, header.nbytes);
  writeInt32(target, layout.FIELD_BLOCKSIZE, header.blocksize);
  writeInt32(target, layout.FIELD_CBYTES, header.cbytes);
}
