/** Opening and creating super-chunks through an I/O backend. @module */
import type { IoBackend } from "../io/backend.js";
import type { IoOption } from "../io/named-backends.js";
import type { SChunkCreateOptions, SChunkOpenOptions } from "./schunk-options.js";
import { SChunk } from "./super-chunk.js";

/**
 * Opens the super-chunk at a path through a backend: a file, a frame at an `offset` inside one, or the directory of a sparse
 * frame. For B2ND arrays see `openArray`.
 *
 * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there; FormatError if it is no frame or a damaged one;
 * UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` for a sparse frame on a backend that has none.
 * @example
 * ```ts
 * using s = openUdio("t.b2frame", mmap());
 * s.getSlice(10, 60);
 * ```
 */
export function openUdio(path: string, backend: IoBackend, options?: SChunkOpenOptions): SChunk {
  return SChunk.open(path, backend, options);
}

/**
 * Makes a super-chunk at a path through a backend.
 *
 * @throws as `SChunk.create`
 * @example
 * ```ts
 * using out = createUdio("t.b2frame", stdio(), { typesize: 8, chunksize: 1 << 20, cparams: { codec: "lz4" } });
 * ```
 */
export function createUdio(
  path: string,
  backend: IoBackend,
  options: Omit<SChunkCreateOptions, "urlpath" | keyof IoOption> = {},
): SChunk {
  return SChunk.create({ ...options, urlpath: path, io: backend });
}
