/** Opening the blocks of a chunk for reading. @module */
import { BlockReader } from "./block-reader.js";
import { readBlockStarts } from "./block-starts.js";
import { ChunkDecoding, decodingFor } from "./chunk-decoding.js";
import type { ChunkEnvironment } from "./chunk-environment.js";
import { blockCount, type ChunkHeader, effectiveBlocksize } from "./chunk-header.js";
import type { ChunkSource } from "./chunk-source.js";
import { lookUpFilters } from "./look-up-filters.js";
import { type BlockDivision, isCertainBlocksize, readBlockDivision } from "./recover-blocksize.js";
import { VlBlockReader } from "./vl-block-reader.js";

/**
 * Reads the block starts of a chunk with blocks of one size.
 *
 * @param ahead bytes at the front of the chunk that have been read already.
 * @throws FormatError; UnsupportedError for an unregistered filter
 */
export function openBlocks(
  source: ChunkSource,
  header: ChunkHeader,
  environment: ChunkEnvironment,
  ahead: Uint8Array,
): BlockReader {
  const typesize = environment.superChunkTypesize ?? header.typesize;
  const blocksize = effectiveBlocksize(header);
  if (!header.dictionary && isCertainBlocksize(blocksize, typesize)) {
    const decoding = decodingFor(header, blocksize, environment, source);
    const starts = readBlockStarts(source, header, blockCount(header), ahead);
    return new BlockReader(decoding, source, starts, header);
  }
  lookUpFilters(header, environment, source.location);
  const makeReader = (division: BlockDivision): BlockReader => {
    const { starts } = division;
    const decoding = new ChunkDecoding(header, division.blocksize, environment, source, starts.dictionary);
    return new BlockReader(decoding, source, starts, header);
  };
  return makeReader(readBlockDivision(source, header, ahead, typesize, makeReader));
}

/** As {@link openBlocks}, for variable-length blocks. */
export function openVlBlocks(
  source: ChunkSource,
  header: ChunkHeader,
  environment: ChunkEnvironment,
  ahead: Uint8Array,
): VlBlockReader {
  lookUpFilters(header, environment, source.location);
  const starts = readBlockStarts(source, header, blockCount(header), ahead);
  const decoding = new ChunkDecoding(header, 0, environment, source, starts.dictionary);
  return new VlBlockReader(source, environment.engine, decoding, starts, header);
}
