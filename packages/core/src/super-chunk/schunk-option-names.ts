/** The names of the options of super-chunks, which {@link checkOptionNames} holds callers' options against. @module */
import type { OptionNames } from "../checks/option-names.js";
import { CPARAM_NAMES } from "../chunk/cparams.js";
import { LIMIT_NAMES } from "../limits.js";
import type {
  SChunkCframeOptions,
  SChunkCopyOptions,
  SChunkCreateOptions,
  SChunkEnvironmentOptions,
  SChunkHandleOptions,
  SChunkOpenOptions,
  SpecialFill,
} from "./schunk-options.js";

export const ENVIRONMENT_NAMES: OptionNames<SChunkEnvironmentOptions> = {
  engine: true,
  codecs: true,
  filters: true,
  limits: LIMIT_NAMES,
  blockCacheBytes: true,
  geometry: true,
  postfilter: true,
};

/** What is said of a new frame, whatever is in it. */
export const NEW_FRAME_NAMES: OptionNames<Omit<SChunkCopyOptions, "typesize" | "chunksize">> = {
  ...ENVIRONMENT_NAMES,
  urlpath: true,
  contiguous: true,
  mode: true,
  cparams: CPARAM_NAMES,
  meta: true,
  commitEvery: true,
  locking: true,
  durability: true,
  checksum: true,
  io: true,
  ioOptions: true,
};

export const SCHUNK_COPY_NAMES: OptionNames<SChunkCopyOptions> = {
  ...NEW_FRAME_NAMES,
  typesize: true,
  chunksize: true,
};

const FILL_NAMES: OptionNames<SpecialFill> = { itemCount: true, kind: true, value: true };

export const SCHUNK_CREATE_NAMES: OptionNames<SChunkCreateOptions> = {
  ...SCHUNK_COPY_NAMES,
  data: true,
  fill: FILL_NAMES,
  commit: true,
  chunksizeInHeader: true,
};

/** With `locking`, which is refused in words of its own, here and for handles. */
export const SCHUNK_CFRAME_NAMES: OptionNames<SChunkCframeOptions & Pick<SChunkOpenOptions, "locking">> = {
  ...ENVIRONMENT_NAMES,
  locking: true,
  copy: true,
  checksum: true,
  recipes: true,
};

export const SCHUNK_OPEN_NAMES: OptionNames<SChunkOpenOptions> = {
  ...ENVIRONMENT_NAMES,
  locking: true,
  offset: true,
  mode: true,
  commitEvery: true,
  durability: true,
  checksum: true,
  recipes: true,
};

export const SCHUNK_HANDLE_NAMES: OptionNames<SChunkHandleOptions & Pick<SChunkOpenOptions, "locking">> = {
  ...SCHUNK_OPEN_NAMES,
  path: true,
};
