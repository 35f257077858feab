/**
 * What the backends of b2frame for files on Node.js share: system calls that tests can replace, whole reads and writes, durable
 * names, a write buffer with its pool, and flushing in the background. For authors of such backends; users take
 * `@b2frame/io-stdio` or `@b2frame/io-mmap`.
 *
 * @module
 */

export { type AccessControlLists, accessControlLists } from "./access-control-list.js";
export { type BackgroundFlushCalls, flushInBackground } from "./background-flush.js";
export { giveBuffer, takeBuffer } from "./buffer-pool.js";
export { type DroppedFile, forgetHandle, watchHandle } from "./dropped-handles.js";
export {
  type FileIdentity,
  type FileStatus,
  identityAt,
  identityText,
  sameFile,
  staleFile,
  statusOf,
} from "./file-status.js";
export { entryKind, resolveLinks } from "./links.js";
export { directoryExists, fileExists, onPath, removeFile, renameFile, syncDirectory } from "./names.js";
export { openNewFile, takeOverRights } from "./new-file.js";
export { RenameFollowers } from "./rename-followers.js";
export { type FileSystemCalls, NODE_FILE_SYSTEM } from "./system-calls.js";
export { readFully, writeFully } from "./whole-transfers.js";
export { type RoomMaker, roomMakers, withRoom } from "./with-room.js";
export { WriteBuffer, type WriteBufferTarget } from "./write-buffer.js";
