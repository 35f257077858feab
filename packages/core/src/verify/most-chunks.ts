/** How many chunks a repair may have to do with. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";

/** Bytes of memory, about, that each chunk takes while it is recovered. */
const RECOVERED_CHUNK_BYTES = 64;
/** Chunks that a frame may have beside those that take room in its files: special ones, and such as are lost. */
const MOST_WITHOUT_BYTES = 1 << 21;

/**
 * An index or an array's shape may name any number of chunks, and none of them need be there: a few bytes could ask for gigabytes.
 *
 * @param stored how many chunks the files have room for.
 */
export function mostChunks({ limits }: Pick<ChunkEnvironment, "limits">, stored: number): number {
  return Math.min(Math.floor(limits.maxAllocation / RECOVERED_CHUNK_BYTES), MOST_WITHOUT_BYTES + stored);
}
