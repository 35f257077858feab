/** Compressing a buffer into a chunk (`README_CHUNK_FORMAT`). @module */
import { lend } from "../bytes/lent.js";
import { writeInt32 } from "../bytes/little-endian.js";
import { ArgumentError } from "../errors.js";
import { chooseBlocksize, isSplit } from "./choose-blocksize.js";
import {
  BlockWriter,
  bytesOf,
  checkChunkBytes,
  decodeFirstBlock,
  encodeCoding,
  makeDictionary,
  writeDictionary,
} from "./chunk-encoder.js";
import { type BlockHook, type ChunkEnvironment, defaultEnvironment } from "./chunk-environment.js";
import { type ChunkHeaderFields, encodeChunkHeader } from "./chunk-header.js";
import { EXTENDED_HEADER_LENGTH, INT32_LENGTH, MAX_HEADER_TYPESIZE, MIN_COMPRESSED_NBYTES } from "./chunk-layout.js";
import { type CParams, type ResolvedCParams, resolveCParams } from "./cparams.js";
import { NewChunk, type StoredHeader } from "./new-chunk.js";

const DELTA = 3;
/** Plugin codecs may be lossy. */
const LAST_LOSSLESS_CODEC = 31;

/** No filter, shuffle, bitshuffle, delta, ndcell, bytedelta. */
const LOSSLESS_FILTERS: readonly number[] = [0, 1, 2, 3, 32, 35];

/** Readers hold later blocks against block 0 as they decode it, which such a filter makes differ from what came in. */
function mayLoseBits(filter: number): boolean {
  return !LOSSLESS_FILTERS.includes(filter);
}

/** The header of a chunk that is being made. */
type PendingHeader = { -readonly [K in keyof ChunkHeaderFields]: ChunkHeaderFields[K] } & StoredHeader;

/** Filters that turn a block of zeros into one of zeros when they are undone: the format's and its known plugins. */
function keepsZeros(filter: number): boolean {
  return filter <= 4 || (filter >= 32 && filter <= 36);
}

/** The parameters to use; a typesize that was not given is that of the array's elements. */
export function paramsFor(
  source: ArrayBufferView,
  params: Partial<CParams> | ResolvedCParams,
  environment: ChunkEnvironment,
): ResolvedCParams {
  if ("formatCode" in params) return params;
  const typesize = (source as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
  return resolveCParams({ ...params, typesize: params.typesize ?? typesize }, environment.codecs, environment.filters);
}

function prefiltered(source: Uint8Array, blocksize: number, typesize: number, prefilter: BlockHook): Uint8Array {
  const target = new Uint8Array(source.byteLength);
  for (let offset = 0, i = 0; offset < source.byteLength; offset += blocksize, i++) {
    const end = Math.min(offset + blocksize, source.byteLength);
    prefilter(source.subarray(offset, end), target.subarray(offset, end), { blockIndex: i, offset, typesize });
  }
  return target;
}

/**
 * Compresses a buffer into a chunk of at most `nbytes + 32` bytes.
 *
 * @param source its bytes; it is not changed. Typesize defaults to its element size.
 * @returns a new array of exactly the chunk's `cbytes`.
 * @throws ArgumentError for bad parameters; UnsupportedError for a missing codec or filter; CodecError when one fails;
 * Blosc2Error `BLOSC2_LIMIT_EXCEEDED` for more bytes than a chunk can hold.
 * @example
 * ```ts
 * const chunk = compressChunk(new Float64Array(1000), { codec: "lz4", clevel: 9 });
 * ```
 */
export function compressChunk(
  source: ArrayBufferView,
  params: Partial<CParams> | ResolvedCParams = {},
  environment: ChunkEnvironment = defaultEnvironment(),
): Uint8Array {
  const content = prepare(source, params, environment);
  const { bytes, header } = content;
  if (content.stored) return storeBytes(bytes, header, new Uint8Array(header.cbytes));
  const chunk = compressBlocks(content, environment);
  try {
    return chunk.bytes.slice();
  } finally {
    chunk.end();
  }
}

/** As {@link compressChunk}, without a copy of the result: it lies in the engine's memory, which is in use until the chunk's `end()`. */
export function compressLent(
  source: ArrayBufferView,
  params: Partial<CParams> | ResolvedCParams,
  environment: ChunkEnvironment,
): NewChunk {
  const content = prepare(source, params, environment);
  if (!content.stored) return compressBlocks(content, environment);
  const { bytes, header } = content;
  const { engine } = environment;
  engine.lease.take();
  try {
    const target = engine.chunkBuffer(header.cbytes, 0);
    storeBytes(bytes, header, target);
    return new NewChunk(target, header, engine.lease);
  } catch (error) {
    engine.lease.end();
    throw error;
  }
}

/**
 * As {@link compressChunk}, into memory of the caller's: without a copy, where the engine can work in it.
 *
 * @param target has room for `nbytes + 32` bytes, which do not overlap the source
 * @returns the chunk's `cbytes`, which it has from the front of `target` on
 * @throws ArgumentError for a target that is too small; else as {@link compressChunk}
 */
export function compressInto(
  source: ArrayBufferView,
  params: Partial<CParams> | ResolvedCParams,
  environment: ChunkEnvironment,
  target: Uint8Array,
): number {
  const content = prepare(source, params, environment);
  const { bytes, header } = content;
  const most = bytes.byteLength + EXTENDED_HEADER_LENGTH;
  if (target.byteLength < most) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_OUT_OF_RANGE",
      `target: expected at least ${most} bytes, found ${target.byteLength}`,
      { parameter: "target", expected: most, found: target.byteLength },
    );
  }
  const room = target.subarray(0, most);
  if (content.stored) {
    storeBytes(bytes, header, room);
    return header.cbytes;
  }
  const { engine } = environment;
  return engine.lease.during(() => {
    engine.prepare?.(room);
    try {
      encodeBlocks(content, room, environment);
      return header.cbytes;
    } finally {
      engine.finish?.();
    }
  });
}

/** What is to be compressed, and how. */
interface Content {
  readonly bytes: Uint8Array;
  readonly header: PendingHeader;
  readonly params: ResolvedCParams;
  /** Whether the bytes are stored as they are. */
  readonly stored: boolean;
}

function prepare(
  source: ArrayBufferView,
  params: Partial<CParams> | ResolvedCParams,
  environment: ChunkEnvironment,
): Content {
  if (!ArrayBuffer.isView(source)) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "source must be a typed array or DataView", {
      parameter: "source",
    });
  }
  const resolved = paramsFor(source, params, environment);
  const nbytes = source.byteLength;
  checkChunkBytes(nbytes, environment);
  const blocksize = chooseBlocksize(nbytes, resolved);
  const { typesize, prefilter } = resolved;
  let bytes = bytesOf(source);
  if (prefilter !== undefined)
    bytes = prefiltered(bytes, blocksize, environment.superChunkTypesize ?? typesize, prefilter);
  // All fields are there from the start: to copy such an object with fields added takes longer than to compress a small chunk.
  const header: PendingHeader = {
    typesize: typesize > MAX_HEADER_TYPESIZE ? 1 : typesize,
    nbytes,
    blocksize: nbytes === 0 && resolved.blocksize > 0 ? resolved.blocksize : blocksize,
    cbytes: nbytes + EXTENDED_HEADER_LENGTH,
    filters: resolved.filters,
    filtersMeta: resolved.filtersMeta,
    compcode: resolved.compcode,
    codecMeta: resolved.codecMeta,
    formatCode: 0,
    split: true,
    delta: false,
    memcpyed: false,
    dictionary: false,
    vlBlocks: false,
    special: undefined,
  };
  const startsEnd = EXTENDED_HEADER_LENGTH + Math.ceil(nbytes / blocksize) * INT32_LENGTH;
  const stored = resolved.clevel === 0 || nbytes < MIN_COMPRESSED_NBYTES || startsEnd > header.cbytes;
  return { bytes, header, params: resolved, stored };
}

/** Makes a chunk that holds the bytes as they are, in all of `target`. */
function storeBytes(bytes: Uint8Array, header: PendingHeader, target: Uint8Array): Uint8Array {
  header.memcpyed = true;
  encodeChunkHeader(header, target);
  target.set(bytes, EXTENDED_HEADER_LENGTH);
  return target;
}

/** The chunk, in the engine's chunk buffer. */
function compressBlocks(content: Content, environment: ChunkEnvironment): NewChunk {
  const { engine } = environment;
  const { header } = content;
  engine.lease.take();
  try {
    const target = engine.chunkBuffer(header.nbytes + EXTENDED_HEADER_LENGTH, header.blocksize);
    encodeBlocks(content, target, environment);
    const isAll = header.cbytes === target.byteLength;
    return new NewChunk(isAll ? target : lend(target.subarray(0, header.cbytes)), header, engine.lease);
  } catch (error) {
    engine.lease.end();
    throw error;
  }
}

/** Fills `target` with the chunk, and in the header's fields that depend on it. */
function encodeBlocks(content: Content, target: Uint8Array, environment: ChunkEnvironment): void {
  const { bytes, header, params } = content;
  const { nbytes, blocksize } = header;
  const nblocks = Math.ceil(nbytes / blocksize);
  const split = isSplit(params, header.typesize, blocksize);
  const delta = params.filters.includes(DELTA);
  header.formatCode = params.formatCode;
  header.split = split;
  header.delta = delta;
  const block = (i: number): Uint8Array => bytes.subarray(i * blocksize, Math.min((i + 1) * blocksize, nbytes));
  let reference = block(0);

  let at = EXTENDED_HEADER_LENGTH + nblocks * INT32_LENGTH;
  let coding = encodeCoding(params, environment, blocksize, split, true);
  if (params.useDict) {
    const blocks = Array.from({ length: nblocks }, (_, i) => block(i));
    const dictionary = makeDictionary(params, environment, coding, blocks, nbytes, reference);
    if (dictionary !== undefined) {
      coding = { ...coding, dictionary };
      at = writeDictionary(target, at, dictionary);
    }
  }
  let fits = at >= 0;
  const firstStart = at;
  let allZeros = coding.dictionary === undefined && params.filters.every(keepsZeros);
  const writer = new BlockWriter(environment, coding, target, false);
  const losesBits = delta && (params.compcode > LAST_LOSSLESS_CODEC || params.filters.some(mayLoseBits));
  for (let i = 0; fits && i < nblocks; i++) {
    const source = block(i);
    writeInt32(target, EXTENDED_HEADER_LENGTH + i * INT32_LENGTH, at);
    const result = writer.write(source, i, source.byteLength < blocksize, i === 0 ? undefined : reference, at);
    fits = result.byteLength >= 0;
    at += result.byteLength;
    allZeros &&= result.allZeros;
    if (losesBits && fits && i === 0 && nblocks > 1) {
      reference = decodeFirstBlock(environment, coding, target.subarray(0, at), firstStart, source.byteLength);
    }
  }
  if (!fits) {
    storeBytes(bytes, header, target);
    return;
  }
  header.cbytes = allZeros ? EXTENDED_HEADER_LENGTH : at;
  header.special = allZeros ? "zeros" : undefined;
  header.dictionary = coding.dictionary !== undefined;
  encodeChunkHeader(header, target);
}
