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
/// <reference lib="esnext.disposable" preserve="true" />
import "./register-defaults.js";

export {
  type AppendFromOptions,
  ArgumentError,
  type ArrayChunk,
  type ArrayCopyOptions,
  type ArrayCreateOptions,
  type ArrayInput,
  arrayFromCframe,
  asarray,
  BLOSC2_ERROR_CODES,
  Blosc2Error,
  type Blosc2ErrorCode,
  type Blosc2ErrorDetails,
  type BytePiece,
  type ByteStream,
  type ChunkInfo,
  type Codec,
  CodecError,
  type CParams,
  concatenate,
  createUdio,
  DEFAULT_LIMITS,
  type DimIndex,
  type DType,
  type DTypeArray,
  type Durability,
  decodeNpy,
  defaultCodecs,
  defaultFilters,
  empty,
  encodeNpy,
  type Filter,
  type FilterSpec,
  FormatError,
  type FrameKind,
  frameKindOf,
  full,
  type HeldLock,
  holdsArray,
  type IoBackend,
  type IoChoice,
  IoError,
  type IoHandle,
  type IoOption,
  type ItemStreamOptions,
  isBlosc2Error,
  type Lent,
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
  nans,
  type OpenMode,
  openUdio,
  type PieceSource,
  parseDType,
  type RecipePolicy,
  type RepairReport,
  type RowStreamRange,
  type RowWriter,
  type RowWriterOptions,
  registerCodec,
  registerFilter,
  SChunk,
  type SChunkCreateOptions,
  type SChunkOpenOptions,
  type ScalarInput,
  type Slice,
  type SpecialKind,
  type SplitMode,
  type StreamOptions,
  type StreamSignal,
  UnsupportedError,
  uninit,
  type VerifyProblem,
  type VerifyReport,
  type VlMetalayers,
  type WebReadable,
  zeros,
} from "@b2frame/core";
export { allocate, CodecRegistry, FilterRegistry } from "@b2frame/core/codec";
export { FrameLock, type FrameLockOptions, type LockingStatus, lockingStatus } from "@b2frame/file-lock";
export { type MmapOptions, mmap } from "@b2frame/io-mmap";
export { type StdioOptions, stdio } from "@b2frame/io-stdio";
export { type MemberReport, Store, type StoreReport } from "@b2frame/stores";
export { type CompactOptions, type CompactReport, compact } from "./compact.js";
export { type CopyOptions, type CopyReport, copy } from "./copy.js";
export { type CreateSChunkOptions, createSChunk } from "./create.js";
export type { IoName } from "./io-choice.js";
export { type OpenOptions, open, openArray, openSChunk } from "./open.js";
export { objectsOf, type PythonObjects } from "./python/python-objects.js";
export { type RowRange, type Table, tableOf } from "./python/table.js";
export type { TableColumn } from "./python/table-column.js";
export { type RepairOptions, repair } from "./repair.js";
export { type RowStreamOptions, rowStream } from "./row-stream.js";
export { compress, decompress } from "./single-chunks.js";
export type { Source } from "./source.js";
export { type CreateStoreOptions, createStore, type OpenStoreOptions, openStore } from "./stores.js";
export { arrayOfTensor, type TensorLayout, tensorLayoutOf } from "./tensor.js";
export { type VerifyOptions, verify } from "./verify.js";
