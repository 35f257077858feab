/** Making super-chunks at a path. @module */
import { type IoOption, SChunk, type SChunkCreateOptions } from "@b2frame/core";
import { requirePath } from "./source.js";

/** How to make a super-chunk at a path; see `SChunk.create`. */
export type CreateSChunkOptions = Omit<SChunkCreateOptions, "urlpath"> & IoOption;

/**
 * Makes a super-chunk at a path; `SChunk.create()` makes one in memory.
 *
 * @throws ArgumentError; IoError, `BLOSC2_IO_EXISTS` with mode `"x"`; UnsupportedError for a codec or filter that is not
 * registered, and for a sparse frame through `"mmap"`.
 * @example
 * ```ts
 * import { createSChunk } from "b2frame";
 *
 * using out = createSChunk("t.b2frame", { typesize: 8, chunksize: 1 << 20, cparams: { codec: "zstd", clevel: 5 } });
 * out.appendData(new Float64Array(131072));
 * ```
 */
export function createSChunk(path: string | URL, options: CreateSChunkOptions = {}): SChunk {
  return SChunk.create({ ...options, urlpath: requirePath(path) });
}
