/** How many chunks a repair may have to do with. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";

/** Bytes of memory, about, that each chunk takes while it is recovered. */
const RECOVERED_CHUNK_BYTES = 64;

/** An index or an array's shape may name any number of chunks, and none of them need be there: as many as the limits have room for. */
export function mostChunks({ limits }: Pick<ChunkEnvironment, "limits">): number {
  return Math.floor(limits.maxAllocation / RECOVERED_CHUNK_BYTES);
}
