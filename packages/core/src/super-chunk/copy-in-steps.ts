/** Copying a super-chunk while other things go on between its chunks. @module */
import { copySuperChunkInSteps } from "./create-super-chunk.js";
import type { SChunkCopyOptions } from "./schunk-options.js";
import { changingStateOf, type SChunk } from "./super-chunk.js";

/**
 * Copies a super-chunk as it is, compressed chunks, metalayers and checksums: a chunk at each step. The copy is committed and closed
 * when the steps are over, and removed if they end before. What the super-chunk has must not change meanwhile, be it by `refresh()`.
 *
 * @returns a generator of the bytes of chunks that have been stored so far; it throws as `SChunk.copy`, and IoError `BLOSC2_IO_CHANGED`
 * where a later commit has removed chunks of a sparse frame.
 */
export function copyInSteps(
  schunk: SChunk,
  options: Pick<SChunkCopyOptions, "urlpath" | "io" | "contiguous" | "durability">,
): Generator<number, void, undefined> {
  return copySuperChunkInSteps(changingStateOf(schunk), options);
}
