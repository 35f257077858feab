/** Files that are written beside the one whose place they take: their names, and how they are opened. @module */
import type { IoBackend, IoHandle } from "./backend.js";
import { type CheckedHandle, checkHandle, openChecked, requireOpenable } from "./checked-handle.js";
import { ioFailure } from "./io-failure.js";

/** Begins with a dot, so that listings leave it out, and is short, so that there is room for it where the final name fits. */
const PREFIX = ".b2new-";
const RANDOM_BYTES = 8;
const NEW_FILE_NAME = /^\.b2new-[0-9a-f]{16}$/;

/** What every runtime has, and the language's own types don't name. */
const { crypto } = globalThis as unknown as { crypto: { getRandomValues(bytes: Uint8Array): Uint8Array } };

/** A name that no other file has, and that nobody can foresee. */
export function newFileName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return PREFIX + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether a name is one of {@link newFileName}: a file that is being written, or was when its writer was killed. */
export function isNewFileName(name: string): boolean {
  return NEW_FILE_NAME.test(name);
}

/**
 * Makes a file and opens it for reading and writing, with every check in place.
 *
 * @param like a file that it is to replace, whose rights it gets.
 * @throws IoError `BLOSC2_IO_EXISTS` where something is, on backends that can tell; as `openChecked` does.
 */
export function openNewChecked(backend: IoBackend, path: string, like?: string): CheckedHandle {
  if (backend.openNew === undefined) return openChecked(backend, path, "w+");
  requireOpenable(backend, path, "w+");
  let handle: IoHandle;
  try {
    handle = backend.openNew(path, like);
  } catch (error) {
    throw ioFailure(error, { operation: "open", path });
  }
  return checkHandle(handle, { path, mode: "w+" });
}
