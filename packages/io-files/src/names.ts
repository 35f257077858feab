/** The names of files and directories: what is there, making, changing and removing them, durably. @module */
import { dirname } from "node:path";
import { ioFailure, type NameChange } from "@b2frame/core/backend";
import type { FileSystemCalls } from "./system-calls.js";
import { withRoom } from "./with-room.js";

/** File systems that can't make a directory durable answer with these; there is nothing more to do then. */
const NO_DIRECTORY_SYNC: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP"]);

/** Makes the entries of a directory durable, on systems that can. */
export function syncDirectory(calls: FileSystemCalls, path: string): void {
  if (process.platform === "win32") {
    calls.statSync(path); // Directories can't be opened there, so only a missing one is reported.
    return;
  }
  const fd = withRoom("flush directory", path, () => calls.openSync(path, "r"));
  try {
    calls.fsyncSync(fd);
  } catch (error) {
    if (!NO_DIRECTORY_SYNC.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    calls.closeSync(fd);
  }
}

/** Runs a call on a path; what it throws becomes one of our errors. */
export function onPath<T>(operation: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw ioFailure(error, { operation, path });
  }
}

/** What is at a path, links followed; `undefined`: nothing, or something on the way to it is no directory. */
function kindAt(calls: FileSystemCalls, path: string): "directory" | "file" | undefined {
  return onPath("look up", path, () => {
    try {
      const stat = calls.statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? undefined : stat.isDirectory() ? "directory" : "file";
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
      throw error;
    }
  });
}

/** Whether something is there that is no directory. */
export function fileExists(calls: FileSystemCalls, path: string): boolean {
  return kindAt(calls, path) === "file";
}

/** Whether a directory is there. */
export function directoryExists(calls: FileSystemCalls, path: string): boolean {
  return kindAt(calls, path) === "directory";
}

/** Removes a file. @throws IoError */
export function removeFile(calls: FileSystemCalls, path: string): void {
  onPath("remove", path, () => calls.unlinkSync(path));
}

/** Replaces `to` by `from`, durably unless `change` says otherwise. @throws IoError */
export function renameFile(calls: FileSystemCalls, from: string, to: string, change: NameChange | undefined): void {
  onPath("rename", from, () => {
    calls.renameSync(from, to);
    if (change?.durable !== false) syncDirectory(calls, dirname(to));
  });
}
