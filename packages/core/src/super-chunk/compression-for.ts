/** What a super-chunk compresses data with. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { ResolvedCParams } from "../chunk/cparams.js";
import { changingStateOf, type SChunk } from "./super-chunk.js";

/**
 * What `SChunk.appendData` compresses `data` with, for those who compress it elsewhere and append the chunk. The first data may decide the
 * typesize, as there.
 *
 * @throws IoError when the super-chunk is closed or read-only
 */
export function compressionFor(
  schunk: SChunk,
  data: ArrayBufferView,
): { cparams: ResolvedCParams; environment: ChunkEnvironment } {
  const state = changingStateOf(schunk);
  return state.changing("compressionFor", () => {
    state.adoptTypesize(data);
    return { cparams: state.cparams, environment: state.environment };
  });
}
