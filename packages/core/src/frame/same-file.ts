/** Whether a name still leads to the file that is open. @module */
import { IoError } from "../errors.js";
import type { IoBackend, IoHandle } from "../io/backend.js";

/** False if another file, or none, is at `path` now. True where the backend can't tell files apart. */
export function leadsTo(backend: IoBackend, path: string, handle: IoHandle): boolean {
  if (backend.identify === undefined) return true;
  const opened = handle.identify?.();
  return opened === undefined || backend.identify(path) === opened;
}

/** @throws IoError `BLOSC2_IO_MOVED` unless {@link leadsTo} */
export function requireSameFile(backend: IoBackend, path: string, handle: IoHandle): void {
  if (leadsTo(backend, path, handle)) return;
  throw new IoError(
    "BLOSC2_IO_MOVED",
    `${path}: the file that is open was replaced, moved or removed; reopen() follows the name`,
    { operation: "write", path },
  );
}
