/**
 * Compressed numeric data in Blosc2 files, for Node.js. Importing it registers all codecs that this Node has; files go
 * through the stdio backend unless a call says `io: "mmap"` or brings a backend of its own.
 *
 * @example
 * ```ts
 * import { asarray, openArray } from "b2frame";
 *
 * asarray(new Float32Array(1000), { shape: [10, 100], urlpath: "a.b2nd" }).close();
 * using a = openArray("a.b2nd", { io: "mmap" });
 * a.getSlice([2, 0], [4, 50]).data;
 * ```
 *
 * @module
 */
import "./register-codecs.js";

export {
  ArgumentError,
  type ArrayChunk,
  type ArrayInput,
  append,
  arrayFromCframe,
  BLOSC2_ERROR_CODES,
  Blosc2Error,
  type Blosc2ErrorCode,
  type Blosc2ErrorDetails,
  type ChunkInfo,
  type Codec,
  CodecError,
  CodecRegistry,
  type CParams,
  DEFAULT_LIMITS,
  type DimIndex,
  type DType,
  type DTypeArray,
  type Durability,
  decodeNpy,
  defaultCodecs,
  defaultFilters,
  deleteItems,
  encodeNpy,
  type Filter,
  FilterRegistry,
  type FilterSpec,
  FormatError,
  type FrameKind,
  frameKindOf,
  type HeldLock,
  holdsArray,
  type IoBackend,
  IoError,
  type IoHandle,
  insert,
  isBlosc2Error,
  iterateChunks,
  type Limits,
  type Locking,
  type LockingOptions,
  type LockKind,
  type Metalayers,
  memory,
  NDArray,
  NDBuffer,
  type NestedArray,
  type NestedValues,
  type OpenMode,
  parseDType,
  registerCodec,
  registerFilter,
  resize,
  SChunk,
  type SChunkCreateOptions,
  type SChunkOpenOptions,
  type Slice,
  type SpecialKind,
  type SplitMode,
  UnsupportedError,
  type VlMetalayers,
} from "@b2frame/core";
export { FrameLock, type FrameLockOptions, type LockingStatus, lockingStatus } from "@b2frame/file-lock";
export { type MmapOptions, mmap } from "@b2frame/io-mmap";
export { type StdioOptions, stdio } from "@b2frame/io-stdio";
export { Store } from "@b2frame/stores";
export {
  asarray,
  type CopyArrayOptions,
  type CreateArrayOptions,
  type CreateOptions,
  concatenate,
  copyArray,
  create,
  empty,
  expandDims,
  full,
  nans,
  squeeze,
  uninit,
  zeros,
} from "./create.js";
export { chooseBackend, type IoChoice, type IoName, type IoOption } from "./io-choice.js";
export { type OpenOptions, open, openArray, openSChunk } from "./open.js";
export type { Source } from "./source.js";
export { type CreateStoreOptions, createStore, type OpenStoreOptions, openStore } from "./stores.js";
