/** Which chunks to decompress together. @module */
import type { SChunk } from "@b2frame/core";

/** Chunks are taken together up to so many bytes, so that what is done for each task does not decide. */
const RUN_BYTES = 512 * 1024;

/** Neighbouring chunks. */
export interface ChunkRun {
  readonly first: number;
  readonly count: number;
  readonly byteLength: number;
}

/** All chunks of a super-chunk, run by run. Runs stay below `budget` where they are more than one chunk. */
export function* chunkRuns(schunk: SChunk, budget: number): Generator<ChunkRun, void, undefined> {
  const { nchunks, nbytes, chunksize } = schunk;
  const sizeOf = (i: number): number =>
    chunksize > 0 ? Math.min(chunksize, nbytes - i * chunksize) : schunk.openChunk(i).nbytes;
  const most = Math.min(RUN_BYTES, budget);
  for (let first = 0; first < nchunks; ) {
    let byteLength = sizeOf(first);
    let end = first + 1;
    while (end < nchunks && byteLength < most) {
      const size = sizeOf(end);
      if (byteLength + size > most) break;
      byteLength += size;
      end++;
    }
    yield { first, count: end - first, byteLength };
    first = end;
  }
}
