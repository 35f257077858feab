/**
 * Blosc2 frames and arrays that lie elsewhere, read by ranges: behind HTTP, in Blobs and files that a person picked, in any place that can
 * give bytes by position.
 *
 * @module
 */
export { blobSource, type PickedFile } from "./blob-source.js";
export type { ByteSource, SourceAnswer, SourceRange, SourceReadOptions } from "./byte-source.js";
export { type HttpOptions, httpSource } from "./http-source.js";
export { openRemote, openRemoteArray, type RemoteOptions, type RemotePlace } from "./open-remote.js";
export { RemoteArray } from "./remote-array.js";
export type { PlannedRange, RemoteStats } from "./remote-content.js";
export type { RemoteFileOptions } from "./remote-file.js";
export { RemoteFrame, type RemoteIterOptions, type RemoteReadOptions, RemoteSChunk } from "./remote-schunk.js";
export type { RetryOptions } from "./retry.js";
