/** What the handles on one file tell each other. @module */
import type { FileIdentity } from "@b2frame/io-files";

/** Counts the changes that this thread made to a file, so that other handles on it know their read buffers for old. */
export interface SharedFile {
  readonly key: string;
  handles: number;
  changes: number;
}

const files = new Map<string, SharedFile>();

/** The record of that file; made for its first handle. */
export function joinFile(identity: FileIdentity): SharedFile {
  const key = `${identity.device}:${identity.inode}`;
  let file = files.get(key);
  if (file === undefined) {
    file = { key, handles: 0, changes: 0 };
    files.set(key, file);
  }
  file.handles++;
  return file;
}

/** Forgets the record with its last handle. */
export function leaveFile(file: SharedFile): void {
  file.handles--;
  if (file.handles === 0) files.delete(file.key);
}
