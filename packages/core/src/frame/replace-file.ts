/** Replacing a file at once by a new one. @module */
import type { IoBackend } from "../io/backend.js";
import { type CheckedHandle, openChecked } from "../io/checked-handle.js";
import { type Durability, nameChange, settleNames } from "./durability.js";

/** The directory part of a path; `"."` if it has none. */
function parentDirectory(path: string): string {
  const slash = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return slash < 0 ? "." : slash === 0 ? path.slice(0, 1) : path.slice(0, slash);
}

/** Where {@link replaceFile} writes; a process that is killed meanwhile leaves that file, and the next one overwrites it. */
export function temporaryPath(path: string): string {
  return `${path}.new~`;
}

/** Lets `use` work with a handle and closes it. What `use` throws is thrown, and not what closing then complains about. */
export function useAndClose(handle: CheckedHandle, use: (handle: CheckedHandle) => void): void {
  try {
    use(handle);
  } catch (error) {
    try {
      handle.close();
    } catch {
      // A failed handle reports at its close what `error` says already.
    }
    throw error;
  }
  handle.close();
}

/**
 * Writes a new file beside `path` and renames it to `path`: at any instant there is the old one or the new one, whole.
 *
 * @param durability of the new name.
 * @param fill writes the file and makes it as durable.
 * @throws what `fill` or the backend throws; the old file is untouched then, and the new one is removed.
 */
export function replaceFile(
  backend: IoBackend,
  path: string,
  durability: Durability | undefined,
  fill: (handle: CheckedHandle) => void,
): void {
  const temporary = temporaryPath(path);
  const handle = openChecked(backend, temporary, "w+");
  try {
    useAndClose(handle, fill);
    backend.rename(temporary, path, nameChange(durability));
  } catch (error) {
    if (backend.exists(temporary)) backend.remove(temporary);
    throw error;
  }
  settleNames(backend.directories, parentDirectory(path), durability);
}
