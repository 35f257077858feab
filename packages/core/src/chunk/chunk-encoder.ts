/** What the writers of both kinds of chunk share: coding, dictionary, and the encoding of one block after another. @module */

import { NEW_CHUNK } from "../block/block-pipeline.js";
import type { BlockCoding, BlockEncodeRequest, BlockEncodeResult } from "../block/engine.js";
import { writeInt32 } from "../bytes/little-endian.js";
import { Blosc2Error } from "../errors.js";
import { MAX_CHUNK_BYTES } from "../limits.js";
import { type ChunkEnvironment, registrations } from "./chunk-environment.js";
import { CHUNK_VERSION, INT32_LENGTH, MAX_DICTIONARY_LENGTH, MAX_HEADER_TYPESIZE } from "./chunk-layout.js";
import type { ResolvedCParams } from "./cparams.js";
import { lookUpFilters } from "./look-up-filters.js";

/** A dictionary takes at most this part of the content, and is not worth it below this size. */
const DICTIONARY_FRACTION = 20;
const MIN_DICTIONARY_LENGTH = 256;

/** The bytes of any array or view. */
export function bytesOf(source: ArrayBufferView): Uint8Array {
  return source instanceof Uint8Array ? source : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

/** @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED` when a chunk can't hold that much. */
export function checkChunkBytes(nbytes: number, environment: ChunkEnvironment): void {
  const most = Math.min(MAX_CHUNK_BYTES, environment.limits.maxChunkBytes);
  if (nbytes <= most) return;
  throw new Blosc2Error("BLOSC2_LIMIT_EXCEEDED", `a chunk holds at most ${most} bytes, not ${nbytes}`, {
    limit: "maxChunkBytes",
    expected: most,
    found: nbytes,
  });
}

/** The coding of the chunk before, for parameters that are used again and again. */
interface KeptCoding {
  readonly coding: BlockCoding;
  readonly environment: ChunkEnvironment;
  readonly registered: number;
}

const keptCodings = new WeakMap<ResolvedCParams, KeptCoding>();

/** The coding that the engine gets, that of the chunk before if it serves; `dictionary` can be added later. */
export function encodeCoding(
  params: ResolvedCParams,
  environment: ChunkEnvironment,
  blocksize: number,
  split: boolean,
  runs: boolean,
): BlockCoding {
  const registered = registrations(environment);
  const kept = keptCodings.get(params);
  if (kept !== undefined && kept.environment === environment && kept.registered === registered) {
    const { coding } = kept;
    if (coding.blocksize === blocksize && coding.split === split && coding.runs === runs) return coding;
  }
  const coding = newCoding(params, environment, blocksize, split, runs);
  keptCodings.set(params, { coding, environment, registered });
  return coding;
}

function newCoding(
  params: ResolvedCParams,
  environment: ChunkEnvironment,
  blocksize: number,
  split: boolean,
  runs: boolean,
): BlockCoding {
  const typesize = params.typesize > MAX_HEADER_TYPESIZE ? 1 : params.typesize;
  lookUpFilters(params, environment, NEW_CHUNK.location);
  return {
    typesize,
    superChunkTypesize: environment.superChunkTypesize ?? typesize,
    blocksize,
    formatCode: params.formatCode,
    compcode: params.compcode,
    codecMeta: params.codecMeta,
    clevel: params.clevel,
    filters: params.filters,
    filtersMeta: params.filtersMeta,
    split,
    chunkVersion: CHUNK_VERSION,
    runs,
    dictionary: undefined,
    geometry: environment.geometry,
  };
}

/**
 * Makes a dictionary of the filtered blocks.
 *
 * @returns undefined when the content is too small for one, or it does not pay.
 */
export function makeDictionary(
  params: ResolvedCParams,
  environment: ChunkEnvironment,
  coding: BlockCoding,
  blocks: readonly Uint8Array[],
  nbytes: number,
  /** Block 0 for the other blocks; undefined when each block stands alone. */
  reference: Uint8Array | undefined,
): Uint8Array | undefined {
  const most = Math.min(MAX_DICTIONARY_LENGTH, Math.floor(nbytes / DICTIONARY_FRACTION));
  if (most < MIN_DICTIONARY_LENGTH) return undefined;
  const codec = environment.codecs.byId(params.compcode);
  const samples = blocks.map((block, i) =>
    environment.engine.filterBlock(coding, block, i, i === 0 ? undefined : reference).slice(),
  );
  const dictionary = codec.trainDictionary?.(samples, most);
  return dictionary === undefined || dictionary.byteLength === 0 ? undefined : dictionary;
}

/** Writes the dictionary's length and bytes at `offset`; returns the offset after it, or -1 when it does not fit. */
export function writeDictionary(target: Uint8Array, offset: number, dictionary: Uint8Array): number {
  const end = offset + INT32_LENGTH + dictionary.byteLength;
  if (end > target.byteLength) return -1;
  writeInt32(target, offset, dictionary.byteLength);
  target.set(dictionary, offset + INT32_LENGTH);
  return end;
}

/** Decodes block 0 out of a chunk that is being written. */
export function decodeFirstBlock(
  environment: ChunkEnvironment,
  coding: BlockCoding,
  chunk: Uint8Array,
  start: number,
  blockByteLength: number,
): Uint8Array {
  const target = new Uint8Array(blockByteLength);
  environment.engine.decodeBlock(coding, {
    place: NEW_CHUNK,
    source: chunk,
    sourceOffset: 0,
    sourceStart: start,
    sourceEnd: chunk.byteLength,
    blockIndex: 0,
    blockByteLength,
    from: 0,
    to: blockByteLength,
    target,
    targetOffset: 0,
    reference: undefined,
    variableLength: false,
  });
  return target;
}

type MutableRequest = { -readonly [K in keyof BlockEncodeRequest]: BlockEncodeRequest[K] };

/** Encodes blocks one after the other into one target, with one reused request. */
export class BlockWriter {
  readonly #environment: ChunkEnvironment;
  readonly #coding: BlockCoding;
  readonly #request: MutableRequest;

  constructor(environment: ChunkEnvironment, coding: BlockCoding, target: Uint8Array, variableLength: boolean) {
    this.#environment = environment;
    this.#coding = coding;
    this.#request = {
      source: target,
      blockIndex: 0,
      short: false,
      reference: undefined,
      target,
      targetOffset: 0,
      targetEnd: target.byteLength,
      variableLength,
    };
  }

  /** Encodes one block at `targetOffset`. The result is reused by the next call. */
  write(
    source: Uint8Array,
    blockIndex: number,
    short: boolean,
    reference: Uint8Array | undefined,
    targetOffset: number,
  ): BlockEncodeResult {
    const request = this.#request;
    request.source = source;
    request.blockIndex = blockIndex;
    request.short = short;
    request.reference = reference;
    request.targetOffset = targetOffset;
    return this.#environment.engine.encodeBlock(this.#coding, request);
  }
}
