/** Opening a chunk of an array, checked against the array's geometry. @module */
import type { Chunk } from "../chunk/chunk.js";
import { FormatError } from "../errors.js";
import { type SuperChunkReader, stateOf } from "../super-chunk/super-chunk-reader.js";
import type { ChunkGrid } from "./chunk-grid.js";

/**
 * Opens chunk `chunkIndex`, within `reading` or `changing` of the super-chunk's state.
 *
 * @throws FormatError when its size or blocksize is not the one that the array's shapes demand; as `ReadState.openChunk`.
 */
export function openArrayChunk(schunk: SuperChunkReader, grid: ChunkGrid, itemsize: number, chunkIndex: number): Chunk {
  const chunk = stateOf(schunk).openChunk(chunkIndex);
  const nbytes = grid.chunkItemCount * itemsize;
  const blocksize = grid.blockItemCount * itemsize;
  const fail = (field: string, expected: number, found: number): FormatError =>
    new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
      path: schunk.urlpath,
      structure: `chunk ${chunkIndex} of the array`,
      position: 0,
      field,
      expected,
      found,
    });
  if (chunk.nbytes !== nbytes) throw fail("nbytes", nbytes, chunk.nbytes);
  // Special chunks have no blocks; what their headers say of them means nothing.
  if (chunk.special === undefined && chunk.blocksize !== blocksize) {
    throw fail("blocksize", blocksize, chunk.blocksize);
  }
  return chunk;
}
