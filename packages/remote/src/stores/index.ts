/**
 * Stores (`.b2z`, `.b2d`, `.b2e`) and sparse frames of Blosc2 that lie elsewhere, read by ranges.
 *
 * @module
 */
export { openRemoteSparse, openRemoteStore, type RemoteStorePlace } from "./open-remote-store.js";
export { directoryFiles, type FolderHandle, httpFiles, type RemoteFiles } from "./remote-files.js";
export { RemoteStore } from "./remote-store.js";
