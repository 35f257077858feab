/** Which chunks to decompress together. @module */
import type { SChunk } from "@b2frame/core";

/** Chunks are taken together up to so many bytes, so that what is done for each task does not decide. */
const RUN_BYTES = 512 * 1024;

/** Neighbouring chunks. */
export interface ChunkRun {
  readonly first: number;
  readonly count: number;
  readonly byteLength: number;
  /** Whether they are special chunks that only exist in the index, as many as there are: filling memory is all that there is to do. */
  readonly inIndex: boolean;
}

/** Whether a chunk of a contiguous frame only exists in the index. For chunks of a sparse frame the answer is always no. */
export function inIndexTest(schunk: SChunk): (chunkIndex: number) => boolean {
  const offsets = schunk.placement?.offsets;
  return (chunkIndex) => offsets !== undefined && (offsets[chunkIndex] as number) < 0;
}

/** All chunks of a super-chunk, run by run. Runs stay below `budget` where they are more than one chunk and not in the index. */
export function* chunkRuns(schunk: SChunk, budget: number): Generator<ChunkRun, void, undefined> {
  const { nchunks, nbytes, chunksize } = schunk;
  const inIndex = inIndexTest(schunk);
  const sizeOf = (i: number): number =>
    chunksize > 0 ? Math.min(chunksize, nbytes - i * chunksize) : schunk.openChunk(i).nbytes;
  const most = Math.min(RUN_BYTES, budget);
  for (let first = 0; first < nchunks; ) {
    const special = inIndex(first);
    let byteLength = sizeOf(first);
    let end = first + 1;
    while (end < nchunks && inIndex(end) === special) {
      const size = sizeOf(end);
      if (!special && byteLength + size > most) break;
      byteLength += size;
      end++;
    }
    yield { first, count: end - first, byteLength, inIndex: special };
    first = end;
  }
}
