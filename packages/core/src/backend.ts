/**
 * For authors of I/O backends: the contract, the checks that every handle goes through, the failures that it reports, and how files are told
 * by their first bytes. The compliance suite is `@b2frame/io-contract`.
 *
 * @module
 */
/// <reference lib="esnext.disposable" preserve="true" />

export { type RowBand, requireBand, rowBands } from "./b2nd/row-bands.js";
export { describeValue } from "./checks/describe-value.js";
export { checkOptionNames, type OptionNames } from "./checks/option-names.js";
export { plainLine, showInConsole, showing } from "./checks/showing.js";
export { CPARAM_NAMES } from "./chunk/cparams.js";
export { decodeError, encodeError, type TransferredError } from "./error-transfer.js";
export { CHECKSUMS_NAME } from "./frame/chunk-checksums.js";
export { describeForeignFile, FILE_HEAD_LENGTH, type FileKind, fileKindOf } from "./frame/file-kind.js";
export { firstFailure, Replacement, type ReplacementOptions } from "./frame/replace-file.js";
export { leadsTo } from "./frame/same-file.js";
export type {
  EntryKind,
  IoBackend,
  IoCapabilities,
  IoDirectories,
  IoHandle,
  IoLock,
  IoLockHeld,
  IoLockOptions,
  LockKind,
  MappedPart,
  NameChange,
  OpenMode,
} from "./io/backend.js";
export {
  CheckedHandle,
  type CheckedHandleFacts,
  checkHandle,
  openChecked,
  requireOpenable,
} from "./io/checked-handle.js";
export { type IoOperationFacts, ioFailure, shortRead } from "./io/io-failure.js";
export {
  type BackendMaker,
  chooseBackend,
  type IoChoice,
  type IoOption,
  registerBackend,
} from "./io/named-backends.js";
export { isNewFileName, newFileName, openNewChecked } from "./io/new-file.js";
export { RangeCacheHandle } from "./io/range-cache-handle.js";
export { LIMIT_NAMES } from "./limits.js";
export { streamOf } from "./streams/web-streams.js";
export { checkAllocation } from "./super-chunk/check-allocation.js";
export { type ChunkPiece, chunkPieces, readPiece, requirePiece } from "./super-chunk/chunk-pieces.js";
export { copyInSteps } from "./super-chunk/copy-in-steps.js";
export { ENVIRONMENT_NAMES, SCHUNK_OPEN_NAMES } from "./super-chunk/schunk-option-names.js";
export { ProblemList } from "./verify/verify-problem.js";
