/** Opening what is at a path. @module */
import * as core from "@b2frame/core";
import { chooseBackend, type IoOption } from "./io-choice.js";

/** How to open: the mode, the offset of the frame in its file, the backend, engine, registries and limits. */
export interface OpenOptions extends core.SChunkOpenOptions, IoOption {}

/**
 * Opens the Blosc2 file or directory at a path: as an array if it holds one, else as a super-chunk. {@link openArray} and
 * {@link openSChunk} are for callers who know which it is.
 *
 * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there; FormatError if it is no frame or a damaged one; UnsupportedError
 * `BLOSC2_UNSUPPORTED_BACKEND` for a sparse frame through `"mmap"`, and for `"mmap"` where memory can't be mapped.
 * @example
 * ```ts
 * import { NDArray, open } from "b2frame";
 *
 * using file = open("scan.b2nd", { io: "mmap" });
 * console.log(file instanceof NDArray ? file.shape : file.itemCount);
 * ```
 */
export function open(path: string, options: OpenOptions = {}): core.NDArray | core.SChunk {
  const schunk = openSChunk(path, options);
  try {
    return core.holdsArray(schunk) ? core.NDArray.fromSChunk(schunk) : schunk;
  } catch (error) {
    schunk.close();
    throw error;
  }
}

/**
 * Opens the super-chunk at a path. Of an array this is the super-chunk that holds its chunks.
 *
 * @throws as {@link open}
 * @example
 * ```ts
 * using s = openSChunk("t.b2frame");
 * s.getSlice(10, 60);
 * ```
 */
export function openSChunk(path: string, options: OpenOptions = {}): core.SChunk {
  const { io, ...rest } = options;
  return core.openUdio(path, chooseBackend(io), rest);
}

/**
 * Opens the array at a path.
 *
 * @throws as {@link open}; FormatError also if the frame holds no array.
 * @example
 * ```ts
 * using a = openArray("scan.b2nd", { io: "mmap" });
 * const crop = a.getSlice([10, 0, 0], [42, 32, 32]);
 * ```
 */
export function openArray(path: string, options: OpenOptions = {}): core.NDArray {
  const { io, ...rest } = options;
  return core.openArray(path, chooseBackend(io), rest);
}
