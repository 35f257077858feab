/** Making a file that takes another's place, with that one's rights before its first byte. @module */
import { constants, type Stats } from "node:fs";
import { copyAccessControlList } from "./access-control-list.js";
import type { FileSystemCalls } from "./system-calls.js";

/** Refuses what is there already, a link that leads nowhere included. */
const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const PERMISSIONS = 0o7777;
const GROUP_PERMISSIONS = 0o070;

/** The file whose rights a new one gets. */
function modelAt(calls: FileSystemCalls, path: string | undefined): Stats | undefined {
  if (path === undefined) return undefined;
  const stat = calls.statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat : undefined;
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
 * Makes a file and opens it for reading and writing. Nothing that is there is opened, and no link is followed. With `like`, a file
 * that it is to replace, it gets that one's mode, access control list and, where this user may give them, owner and group; until it
 * has them it is this user's alone. Where the group can't be kept, the new one gets no rights.
 *
 * @throws what the system says: `EEXIST` if something is there.
 */
export function openNewFile(calls: FileSystemCalls, path: string, like: string | undefined): number {
  const model = process.platform === "win32" ? undefined : modelAt(calls, like);
  const fd = calls.openSync(path, NEW_FILE, model === undefined ? 0o666 : 0o600);
  if (model === undefined || like === undefined) return fd;
  try {
    const groupKept = takeOverOwner(calls, fd, model);
    if (groupKept) copyAccessControlList(like, fd);
    const mode = model.mode & PERMISSIONS;
    calls.fchmodSync(fd, groupKept ? mode : mode & ~GROUP_PERMISSIONS);
  } catch (error) {
    calls.closeSync(fd);
    calls.unlinkSync(path);
    throw error;
  }
  return fd;
}
