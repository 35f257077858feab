/** Compressing buffers of any lengths as the blocks of one chunk (`README_CHUNK_FORMAT`, "Variable-length blocks"). @module */
import { writeInt32 } from "../bytes/little-endian.js";
import { ArgumentError } from "../errors.js";
import {
  BlockWriter,
  bytesOf,
  checkChunkBytes,
  encodeCoding,
  makeDictionary,
  writeDictionary,
} from "./chunk-encoder.js";
import { type ChunkEnvironment, defaultEnvironment } from "./chunk-environment.js";
import { encodeChunkHeader } from "./chunk-header.js";
import { EXTENDED_HEADER_LENGTH, INT32_LENGTH, MAX_DICTIONARY_LENGTH } from "./chunk-layout.js";
import { paramsFor } from "./compress-chunk.js";
import type { CParams, ResolvedCParams } from "./cparams.js";

const DELTA = 3;

/**
 * Compresses each buffer into a block of its own. Splitting, runs and the prefilter do not apply to such blocks, and each is its
 * own reference for the delta filter.
 *
 * @param blocks at least one, none of them empty.
 * @returns a new array of exactly the chunk's `cbytes`.
 * @throws ArgumentError for no or empty blocks and bad parameters; else as `compressChunk`.
 */
export function compressVlBlocks(
  blocks: readonly ArrayBufferView[],
  params: Partial<CParams> | ResolvedCParams = {},
  environment: ChunkEnvironment = defaultEnvironment(),
): Uint8Array {
  const first = blocks[0];
  if (first === undefined || blocks.some((block) => block.byteLength === 0)) {
    const problem = first === undefined ? "there must be at least one block" : "a block must not be empty";
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `variable-length blocks: ${problem}`, { parameter: "blocks" });
  }
  const resolved = paramsFor(first, params, environment);
  const sources = blocks.map(bytesOf);
  const nbytes = sources.reduce((sum, block) => sum + block.byteLength, 0);
  const overhead = EXTENDED_HEADER_LENGTH + 2 * INT32_LENGTH * blocks.length;
  const capacity = nbytes + overhead + (resolved.useDict ? INT32_LENGTH + MAX_DICTIONARY_LENGTH : 0);
  checkChunkBytes(capacity - EXTENDED_HEADER_LENGTH, environment);

  return environment.engine.lease.during(() => encodeBlocks(sources, nbytes, resolved, environment, capacity));
}

function encodeBlocks(
  sources: readonly Uint8Array[],
  nbytes: number,
  resolved: ResolvedCParams,
  environment: ChunkEnvironment,
  capacity: number,
): Uint8Array {
  const target = new Uint8Array(capacity);
  let at = EXTENDED_HEADER_LENGTH + sources.length * INT32_LENGTH;
  let coding = encodeCoding(resolved, environment, 0, false, false);
  if (resolved.useDict && resolved.clevel > 0) {
    const dictionary = makeDictionary(resolved, environment, coding, sources, nbytes, undefined);
    if (dictionary !== undefined) {
      coding = { ...coding, dictionary };
      at = writeDictionary(target, at, dictionary);
    }
  }
  const writer = new BlockWriter(environment, coding, target, true);
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Uint8Array;
    writeInt32(target, EXTENDED_HEADER_LENGTH + i * INT32_LENGTH, at);
    writeInt32(target, at, source.byteLength);
    at += INT32_LENGTH;
    at += writer.write(source, i, false, undefined, at).byteLength;
  }
  encodeChunkHeader(
    {
      typesize: resolved.typesize,
      nbytes,
      blocksize: sources.length,
      cbytes: at,
      filters: resolved.filters,
      filtersMeta: resolved.filtersMeta,
      formatCode: resolved.formatCode,
      compcode: resolved.compcode,
      codecMeta: resolved.codecMeta,
      split: false,
      delta: resolved.filters.includes(DELTA),
      dictionary: coding.dictionary !== undefined,
      vlBlocks: true,
    },
    target,
  );
  return target.slice(0, at);
}
