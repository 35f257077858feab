/** Making a file that takes another's place, with that one's rights before its first byte. @module */
import { constants, type Stats } from "node:fs";
import { copyAccessControlList } from "./access-control-list.js";
import type { FileSystemCalls } from "./system-calls.js";

/** Refuses what is there already, a link that leads nowhere included. */
const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const PERMISSIONS = 0o7777;
const GROUP_PERMISSIONS = 0o070;

/** The file or directory whose rights another gets. */
function modelAt(calls: FileSystemCalls, path: string): Stats | undefined {
  if (process.platform === "win32") return undefined;
  const stat = calls.statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() || stat?.isDirectory() ? stat : undefined;
}

/** Only the superuser may give a file away, and others may give it to groups that they are in. */
function isForbidden(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EPERM";
}

/** Gives the file that owner and group as far as this user may. Whether the group is the right one. */
function takeOverOwner(calls: FileSystemCalls, fd: number, { uid, gid }: Stats): boolean {
  const own = calls.fstatSync(fd);
  if (own.uid === uid && own.gid === gid) return true;
  try {
    calls.fchownSync(fd, uid, gid);
    return true;
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  if (own.gid === gid) return true;
  try {
    calls.fchownSync(fd, own.uid, gid);
    return true;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return false;
  }
}

/**
 * Gives an open file, or directory, the mode and access control list of what is at a path, and, where this user may give them, its owner
 * and group. Where the group can't be kept, the new one gets no rights.
 */
function giveRights(calls: FileSystemCalls, fd: number, path: string, model: Stats): void {
  const groupKept = takeOverOwner(calls, fd, model);
  if (groupKept) copyAccessControlList(path, fd);
  const mode = model.mode & PERMISSIONS;
  calls.fchmodSync(fd, groupKept ? mode : mode & ~GROUP_PERMISSIONS);
}

/**
 * Makes a file and opens it for reading and writing. Nothing that is there is opened, and no link is followed. With `like`, a file
 * that it is to replace, it gets that one's rights; until it has them it is this user's alone.
 *
 * @throws what the system says: `EEXIST` if something is there.
 */
export function openNewFile(calls: FileSystemCalls, path: string, like: string | undefined): number {
  const model = like === undefined ? undefined : modelAt(calls, like);
  if (model?.isFile() !== true || like === undefined) return calls.openSync(path, NEW_FILE, 0o666);
  const fd = calls.openSync(path, NEW_FILE, 0o600);
  try {
    giveRights(calls, fd, like, model);
  } catch (error) {
    calls.closeSync(fd);
    calls.unlinkSync(path);
    throw error;
  }
  return fd;
}

/** Gives a file or directory the rights of the one that it is to replace, if that is there. @throws what the system says */
export function takeOverRights(calls: FileSystemCalls, path: string, like: string): void {
  const model = modelAt(calls, like);
  if (model === undefined) return;
  const fd = calls.openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    giveRights(calls, fd, like, model);
  } finally {
    calls.closeSync(fd);
  }
}
