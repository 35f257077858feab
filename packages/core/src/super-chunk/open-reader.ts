/** Opening super-chunks for reading only. @module */
import { checkOptionNames, type OptionNames } from "../checks/option-names.js";
import { readingEnvironment } from "../chunk/reading-environment.js";
import { ReadOnlyFrame } from "../frame/read-only-frame.js";
import type { IoHandle } from "../io/backend.js";
import { memoryHandle } from "../io/memory-backend.js";
import { LIMIT_NAMES } from "../limits.js";
import { ReadState } from "./read-state.js";
import { refuseRecipe } from "./recipe.js";
import type { RecipePolicy, SChunkEnvironmentOptions } from "./schunk-options.js";
import { SuperChunkReader } from "./super-chunk-reader.js";

/** Options of `openSChunkReader` and its like. */
export interface ReaderOptions extends SChunkEnvironmentOptions {
  /** Absolute position of the frame's first byte in the file. Default 0. */
  readonly offset?: number | undefined;
  /** Names the file in error messages. */
  readonly path?: string | undefined;
  /** Whether the frame is held against its checksums, if it keeps some. Default true. */
  readonly checksum?: boolean | undefined;
  /** See {@link RecipePolicy}. */
  readonly recipes?: RecipePolicy | undefined;
}

const READER_NAMES: OptionNames<ReaderOptions> = {
  engine: true,
  codecs: true,
  filters: true,
  limits: LIMIT_NAMES,
  blockCacheBytes: true,
  geometry: true,
  postfilter: true,
  offset: true,
  path: true,
  checksum: true,
  recipes: true,
};

/**
 * Opens the contiguous frame in an open file for reading. The super-chunk closes the handle, also when opening fails. The codecs are
 * those of `readingCodecs` unless `options.codecs` says otherwise.
 *
 * @param source the file, or the bytes of it: those are read in place, so they must stay as they are.
 * @throws ArgumentError for an unknown option; FormatError if it is no frame, a sparse one or a damaged one; IoError
 * @example
 * ```ts
 * import { openSChunkReader } from "@b2frame/core/read";
 *
 * using s = openSChunkReader(new Uint8Array(await (await fetch("t.b2frame")).arrayBuffer()));
 * const items = s.getSlice(10, 60);
 * ```
 */
export function openSChunkReader(source: IoHandle | Uint8Array, options: ReaderOptions = {}): SuperChunkReader {
  checkOptionNames(READER_NAMES, options);
  const { offset = 0, path } = options;
  const environment = readingEnvironment(options);
  const handle = source instanceof Uint8Array ? memoryHandle(source, { mode: "r", path: path ?? "frame" }) : source;
  const frame = ReadOnlyFrame.open(handle, { offset, path, environment });
  try {
    refuseRecipe(frame, options.recipes);
    return new SuperChunkReader(new ReadState(frame, { environment }));
  } catch (error) {
    frame.close();
    throw error;
  }
}
