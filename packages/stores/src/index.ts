/**
 * The stores of python-blosc2: arrays and super-chunks under keys, in a ZIP file (`.b2z`), a directory (`.b2d`) or a frame
 * (`.b2e`), over any I/O backend.
 *
 * @module
 */

export { compactStore, type StoreCompaction } from "./compact-store.js";
export { type CopyProgress, copyStoreInSteps } from "./copy-store.js";
export { createStore } from "./create-store.js";
export type { GroupContent } from "./key-tree.js";
export type { MemberKind } from "./member-kind.js";
export { openStore, openStoreOnHandle, type StoreHandleOptions } from "./open-store.js";
export { describeForeignPath, foreignPathError, handleKindOf, type PathKind, pathKindOf } from "./path-kind.js";
export { Store } from "./store.js";
export type {
  MemberOpenOptions,
  MemberPlace,
  StoreCreateOptions,
  StoreFormat,
  StoreOpenOptions,
  StoreSetOptions,
  StoreType,
} from "./store-options.js";
export type { MemberReport, StoreReport, StoreVerifyOptions } from "./verify/store-report.js";
export { verifyStore } from "./verify/verify-store.js";
